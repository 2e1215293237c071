// Other inputs in the place of one that is written out: values near it, and those that the code, its types and other
// tests name.
import { isSyntax, type Syntax } from '../tree/convert.ts'

export interface OtherValue {
  readonly text: string
  /** How strange it would look in a question; 0 is ordinary. */
  readonly oddness: number
}

/** Values that stand in the code or in its types, as source text. */
export interface NamedValues {
  readonly numbers: readonly number[]
  readonly texts: readonly string[]
}

const NAMED_MAX = 6

export function otherValues(node: Syntax, source: string, named: NamedValues): OtherValue[] {
  const all = othersOf(node, source, named)
  const own = source.slice(node.start, node.end)
  const known = new Set<string>([own])
  return all.filter(({ text }) => !known.has(text) && known.add(text))
}

function othersOf(node: Syntax, source: string, named: NamedValues): OtherValue[] {
  if (node.type === 'ArrayExpression') return otherLists(node, source)
  const value = literalOf(node)
  if (typeof value === 'number') return otherNumbers(value, named)
  if (typeof value === 'string') return otherTexts(value, named, source[node.start] ?? "'")
  return typeof value === 'boolean' ? [{ text: String(!value), oddness: 0 }] : []
}

/** The value of a literal, also of one with a sign; undefined: it is none. */
export function literalOf(node: Syntax): unknown {
  if (node.type === 'Literal') return node.regex || node.bigint ? undefined : node.value
  const { argument } = node
  if (node.type !== 'UnaryExpression' || node.operator !== '-' || !isSyntax(argument)) return undefined
  const value = literalOf(argument)
  return typeof value === 'number' ? -value : undefined
}

function otherNumbers(value: number, { numbers }: NamedValues): OtherValue[] {
  const isWhole = Number.isInteger(value)
  const near = [
    value + 1,
    value - 1,
    value * 2,
    value + 2,
    value + 10,
    Math.floor(value / 2),
    value * 10,
    0,
    -value,
  ]
  const limits = numbers.flatMap((number) => [number, number + 1, number - 1]).slice(0, NAMED_MAX * 3)
  const more = isWhole ? [value + 0.5] : [Math.round(value), value + 0.01]
  return [...near, ...limits, ...more].map((other) => {
    const rounded = Number(other.toPrecision(12))
    const odd = (value >= 0 && rounded < 0 ? 2 : 0) + (isWhole && !Number.isInteger(rounded) ? 2 : 0)
    return { text: String(rounded), oddness: odd + (rounded === 0 ? 1 : 0) }
  })
}

function otherTexts(value: string, { texts }: NamedValues, quote: string): OtherValue[] {
  const written = (text: string, oddness: number) => ({ text: quoted(text, quote), oddness })
  const swapped = value.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return [
    ...texts.slice(0, NAMED_MAX).map((text) => written(text, 0)),
    written(
      value.replace(/[a-y]/i, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1)),
      0,
    ),
    written(
      value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
      0,
    ),
    written(`${value}a`, 0),
    written(value.slice(1), 1),
    written(value.slice(0, -1), 1),
    written(value + value, 1),
    written([...value].reverse().join(''), 1),
    written(swapped, 1),
    written(` ${value}`, 2),
    written(`${value} ${value}`, 1),
    written('', 2),
  ]
}

function quoted(text: string, quote: string): string {
  const plain = JSON.stringify(text)
  return quote === "'" ? `'${plain.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : plain
}

function otherLists(node: Syntax, source: string): OtherValue[] {
  const items = (node.elements as readonly (Syntax | null)[]).map((item) =>
    item === null ? '' : source.slice(item.start, item.end),
  )
  if (items.length === 0) return []
  const lists = [
    items.slice(0, -1),
    [...items, items[0] ?? ''],
    items.toReversed(),
    items.slice(1),
    items.slice(0, 1),
  ]
  const written = lists.map((list) => ({ text: `[${list.join(', ')}]`, oddness: list.length === 0 ? 2 : 0 }))
  return [...written, { text: '[]', oddness: 2 }]
}
