export type Scalar = string | number | boolean | null
export type Condition =
  | { is: 'compare'; column: string; operator: '=' | '<>' | '<' | '<=' | '>' | '>='; value: Scalar }
  | { is: 'in'; column: string; values: Scalar[] }
  | { is: 'all'; parts: Condition[] }
  | { is: 'any'; parts: Condition[] }

export type Sql = { text: string; values: Scalar[] }

export function quoteName(name: string): string {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(name)) throw new RangeError(`bad name ${name}`)
  return name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')
}

// Values never become part of the text; places are numbered on from what is there already.
export function writeCondition(condition: Condition, values: Scalar[]): string {
  switch (condition.is) {
    case 'compare':
      return writeCompare(condition.column, condition.operator, condition.value, values)
    case 'in': {
      if (condition.values.length === 0) return 'false'
      const places = condition.values.map((value) => place(value, values))
      return `${quoteName(condition.column)} in (${places.join(', ')})`
    }
    case 'all':
      return join(condition.parts, ' and ', 'true', values)
    case 'any':
      return join(condition.parts, ' or ', 'false', values)
  }
}

function writeCompare(column: string, operator: string, value: Scalar, values: Scalar[]): string {
  if (value !== null) return `${quoteName(column)} ${operator} ${place(value, values)}`
  if (operator === '=') return `${quoteName(column)} is null`
  if (operator === '<>') return `${quoteName(column)} is not null`
  throw new RangeError(`null cannot be compared with ${operator}`)
}

function join(parts: Condition[], word: string, empty: string, values: Scalar[]): string {
  const [only] = parts
  if (!only) return empty
  if (parts.length === 1) return writeCondition(only, values)
  return `(${parts.map((part) => writeCondition(part, values)).join(word)})`
}

function place(value: Scalar, values: Scalar[]): string {
  values.push(value)
  return `$${values.length}`
}
