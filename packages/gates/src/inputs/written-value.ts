// The values of expressions that are written out in a source, without running anything.
import { bare, field, list, nameOf, type Syntax } from '../integrity/source.ts'

/** Names whose values are known at a place. */
export type Known = ReadonlyMap<string, unknown>

/** Null: it is not written out. */
export type Read = { readonly value: unknown } | null

const itemsMax = 200
const charsMax = 10_000

export function writtenValue(given: Syntax | null, known: Known): Read {
  if (given === null) return null
  const node = bare(given)
  return readers.get(node.type)?.(node, known) ?? null
}

type Reader = (node: Syntax, known: Known) => Read

const constants: Known = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Literal', readLiteral],
  ['Identifier', readName],
  ['TemplateLiteral', readTemplate],
  ['UnaryExpression', readUnary],
  ['BinaryExpression', readBinary],
  ['ArrayExpression', readArray],
  ['ObjectExpression', readObject],
  ['MemberExpression', readPart],
  ['CallExpression', readRepeat],
])

function readLiteral({ value, regex, bigint }: Syntax): Read {
  return regex || bigint ? null : { value }
}

function readName(node: Syntax, known: Known): Read {
  const name = nameOf(node)
  const found = known.has(name) ? known : constants
  return found.has(name) ? { value: found.get(name) } : null
}

function readTemplate(node: Syntax, known: Known): Read {
  const values = list(node, 'expressions').map((each) => writtenValue(each, known))
  const texts = list(node, 'quasis').map((each) => (each.value as { cooked?: string }).cooked ?? '')
  if (values.some((each) => each === null || typeof each.value === 'object')) return null
  return bounded(
    texts.map((text, at) => text + (at < values.length ? String(values[at]?.value) : '')).join(''),
  )
}

function readUnary(node: Syntax, known: Known): Read {
  const read = writtenValue(field(node, 'argument'), known)
  if (read === null) return null
  if (node.operator === '-' && typeof read.value === 'number') return { value: -read.value }
  if (node.operator === '+' && typeof read.value === 'number') return read
  return node.operator === '!' ? { value: !read.value } : null
}

function readBinary(node: Syntax, known: Known): Read {
  const [left, right] = [
    writtenValue(field(node, 'left'), known)?.value,
    writtenValue(field(node, 'right'), known)?.value,
  ]
  if (typeof left === 'string' && typeof right === 'string' && node.operator === '+')
    return bounded(left + right)
  if (typeof left !== 'number' || typeof right !== 'number') return null
  const made: Readonly<Record<string, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '**': left ** right,
    '%': left % right,
  }
  const value = made[String(node.operator)]
  return value === undefined ? null : { value }
}

function readArray(node: Syntax, known: Known): Read {
  const value: unknown[] = []
  for (const each of Array.isArray(node.elements) ? (node.elements as (Syntax | null)[]) : []) {
    const isSpread = each?.type === 'SpreadElement'
    const read = isSpread ? writtenValue(field(each, 'argument'), known) : writtenValue(each, known)
    if (read === null || (isSpread && !Array.isArray(read.value))) return null
    value.push(...(isSpread ? (read.value as unknown[]) : [read.value]))
    if (value.length > itemsMax) return null
  }
  return { value }
}

function readObject(node: Syntax, known: Known): Read {
  const value: Record<string, unknown> = {}
  for (const each of list(node, 'properties')) {
    const key = field(each, 'key')
    const read =
      each.type === 'Property' && each.kind === 'init' ? writtenValue(field(each, 'value'), known) : null
    if (read === null || key === null || each.computed === true) return null
    const name = key.type === 'Identifier' ? nameOf(key) : String(key.value)
    if (name === '__proto__') return null
    value[name] = read.value
  }
  return { value }
}

function readPart(node: Syntax, known: Known): Read {
  const object = writtenValue(field(node, 'object'), known)?.value
  const property = field(node, 'property')
  if (typeof object !== 'object' || object === null || property === null) return null
  const key = node.computed === true ? writtenValue(property, known)?.value : nameOf(property)
  if (typeof key !== 'string' && typeof key !== 'number') return null
  return Object.hasOwn(object, key) ? { value: (object as Record<string, unknown>)[key] } : null
}

/** `'a'.repeat(3)`. */
function readRepeat(node: Syntax, known: Known): Read {
  const callee = field(node, 'callee')
  if (callee?.type !== 'MemberExpression' || nameOf(field(callee, 'property')) !== 'repeat') return null
  const text = writtenValue(field(callee, 'object'), known)?.value
  const count = writtenValue(list(node, 'arguments')[0] ?? null, known)?.value
  if (
    typeof text !== 'string' ||
    typeof count !== 'number' ||
    !(count >= 0 && count * text.length <= charsMax)
  )
    return null
  return { value: text.repeat(count) }
}

function bounded(value: string): Read {
  return value.length <= charsMax ? { value } : null
}

/** A value as source text. */
export function spell(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `[${value.map(spell).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spell(each)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
