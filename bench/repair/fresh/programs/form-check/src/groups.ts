import { bad, type Check, type Checked, ok, type Path, type Problem } from './problem.ts'

export type ListRules = Bounds & { unique?: boolean }
type Bounds = { min?: number | undefined; max?: number | undefined }
type Fields = Record<string, Check<unknown>>
type Valued<F extends Fields> = { [K in keyof F]: F[K] extends Check<infer T> ? T : never }
type Rule<T> = { field: keyof T & string; message: string; holds: (value: T) => boolean }

export function list<T>(check: Check<T>, { min, max, unique = false }: ListRules = {}): Check<T[]> {
  return (input, path = []) => {
    if (!Array.isArray(input)) return bad(path, 'must be a list')
    const problems = lengthProblems(input.length, { min, max }, path)
    const values: T[] = []
    for (const [index, item] of input.entries()) {
      const place = [...path, index]
      const checked = check(item, place)
      if (checked.is === 'bad') problems.push(...checked.problems)
      else if (unique && values.includes(checked.value))
        problems.push({ path: place, message: 'is repeated' })
      else values.push(checked.value)
    }
    return finish(values, problems)
  }
}

function lengthProblems(length: number, { min = 0, max }: Bounds, path: Path): Problem[] {
  const problems: Problem[] = []
  if (length < min) problems.push({ path, message: `needs at least ${min}` })
  if (max !== undefined && length > max) problems.push({ path, message: `takes at most ${max}` })
  return problems
}

// Fields that nobody asked for are problems, so that a misspelt name is seen.
export function form<F extends Fields>(fields: F): Check<Valued<F>> {
  return (input, path = []) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return bad(path, 'must be a form')
    const given = new Map<string, unknown>(Object.entries(input))
    const problems: Problem[] = []
    const values: Record<string, unknown> = {}
    for (const [name, check] of Object.entries(fields)) {
      const checked = check(given.get(name), [...path, name])
      if (checked.is === 'bad') problems.push(...checked.problems)
      else values[name] = checked.value
      given.delete(name)
    }
    for (const name of given.keys()) problems.push({ path: [...path, name], message: 'is unknown' })
    return finish(values as Valued<F>, problems)
  }
}

// Rules between fields are asked only when each field is right by itself.
export function withRules<T>(check: Check<T>, rules: readonly Rule<T>[]): Check<T> {
  return (input, path = []) => {
    const checked = check(input, path)
    if (checked.is === 'bad') return checked
    const broken = rules.filter((rule) => !rule.holds(checked.value))
    const problems = broken.map(({ field, message }) => ({ path: [...path, field], message }))
    return finish(checked.value, problems)
  }
}

function finish<T>(value: T, problems: Problem[]): Checked<T> {
  return problems.length === 0 ? ok(value) : { is: 'bad', problems }
}
