// Inputs near one that a test has: one thing in it is another, and the order is always the same.
import { spell } from './written-value.ts'

const perCallMax = 16
const depthMax = 3

/** Lists of arguments, each with one place changed; the places take turns. */
export function nearInputs(args: readonly unknown[]): unknown[][] {
  const byPlace = args.map((arg, at) => othersOf(arg, 0).map((other) => args.with(at, other)))
  const own = key(args)
  const others = new Map(inTurns(byPlace).map((each) => [key(each), each]))
  return [...others].flatMap(([other, each]) => (other === own ? [] : [each])).slice(0, perCallMax)
}

const key = (args: readonly unknown[]): string => args.map(spell).join(', ')

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => (round < list.length ? [list[round] as T] : [])),
  ).flat()
}

function othersOf(value: unknown, depth: number): unknown[] {
  if (depth > depthMax) return []
  switch (typeof value) {
    case 'number':
      return distinct(otherNumbers(value), value)
    case 'string':
      return distinct(otherTexts(value), value)
    case 'boolean':
      return [!value]
    case 'object':
      if (value === null) return []
      return Array.isArray(value) ? otherLists(value, depth) : otherRecords(value, depth)
    default:
      return []
  }
}

function distinct(all: readonly unknown[], value: unknown): unknown[] {
  return [...new Set(all)].filter((other) => other !== value)
}

function otherNumbers(value: number): number[] {
  if (!Number.isFinite(value)) return [0, 1]
  return [
    value + 1,
    value - 1,
    value * 2,
    -value,
    value + 10,
    0,
    value * 10,
    value + 100,
    value + 2,
    value + 0.5,
  ]
}

function otherTexts(value: string): string[] {
  const swapped = value.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return [
    value.replace(/[a-y]/i, nextLetter),
    value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    `${value}a`,
    value.slice(1),
    value.slice(0, -1),
    `x${value}`,
    value.replace(/(\d)(?!.*\d)/s, (digit) => String((Number(digit) + 1) % 10)),
    value.split('').reverse().join(''),
    swapped,
    value + value,
    '',
  ]
}

function nextLetter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1)
}

function otherLists(value: readonly unknown[], depth: number): unknown[] {
  if (value.length === 0) return [[0], ['a']]
  const first = value[0]
  const inside = value.slice(0, 3).map((item, at) =>
    othersOf(item, depth + 1)
      .slice(0, 3)
      .map((other) => value.with(at, other)),
  )
  const shapes = [[...value, first], value.slice(0, -1), value.toReversed(), value.slice(1), []]
  return inTurns([inTurns(inside), shapes])
}

function otherRecords(value: object, depth: number): unknown[] {
  const fields = Object.entries(value)
  const [first] = fields
  // A value of another language: what is inside is changed, the mark stays.
  if (fields.length === 1 && first?.[0].startsWith('$'))
    return othersOf(first[1], depth).map((other) => ({ [first[0]]: other }))
  const inside = fields.slice(0, 6).map(([key, item]) =>
    othersOf(item, depth + 1)
      .slice(0, 3)
      .map((other) => ({ ...value, [key]: other })),
  )
  const without = fields.slice(-1).map(([key]) => Object.fromEntries(fields.filter(([name]) => name !== key)))
  return inTurns([...inside, without])
}
