import { expect, test } from 'vitest'
import { parseSource } from '../tree/parse.ts'
import { lower } from './lower.ts'
import { render } from './render.ts'
import { Spliced } from './splice.ts'
import { stripTypes } from './strip.ts'

function rendered(source: string): string {
  const parsed = parseSource('a.ts', source)
  if (parsed.is !== 'parsed') throw new Error('no syntax')
  const lowered = lower(parsed.file.program, source)
  const stripped = stripTypes('a.ts', lowered.text)
  if (stripped.is !== 'stripped') throw new Error('no syntax')
  return render(parsed.file, stripped.text, lowered).code.text
}

/** Runs a rendered module with one dependency. */
function load(source: string, dependency: Record<string, unknown> = {}): Record<string, unknown> {
  const exports = {}
  const define = (target: object, getters: Record<string, () => unknown>) => {
    for (const [name, get] of Object.entries(getters))
      Object.defineProperty(target, name, { get, enumerable: true })
  }
  const star = (target: object, from: object) => {
    for (const [name, value] of Object.entries(from))
      if (!(name in target)) Object.assign(target, { [name]: value })
  }
  const body = new Function('exports', '$import', '$export', '$star', '$fuel', rendered(source))
  body(exports, () => dependency, define, star, { left: 1_000, out: () => undefined })
  return exports
}

test('imports stay live, also under another name, in shorthands and where they are shadowed', () => {
  const dependency = { count: 1, default: () => 'd' }
  const made = load(
    `import d, { count as n } from './b.ts'
export const read = () => ({ n, m: n + 1 })
export const shadow = (n: number) => n
export const call = () => d()
`,
    dependency,
  ) as { read(): unknown; shadow(n: number): unknown; call(): unknown }
  dependency.count = 5
  expect(made.read()).toEqual({ n: 5, m: 6 })
  expect(made.shadow(9)).toBe(9)
  expect(made.call()).toBe('d')
})

test('every form of export', () => {
  const made = load(
    `import { x } from './b.ts'
export const { a, ...rest } = { a: 1, b: 2 }
export function f() { return 3 }
export class C {}
const local = 4
export { local as renamed, x as again }
export { x } from './b.ts'
export * from './b.ts'
export default local + 1
export type T = number
export interface I { a: T }
`,
    { x: 7, y: 8 },
  )
  expect(made).toMatchObject({ a: 1, rest: { b: 2 }, renamed: 4, again: 7, x: 7, y: 8, default: 5 })
  expect((made.f as () => number)()).toBe(3)
})

test('a call of an imported name does not go on with the line before', () => {
  const made = load(
    'import { f } from "./b.ts"\nexport const out: number[] = []\nconst g = 1\nf(out)\nif (g) f(out)\n',
    {
      f: (out: number[]) => out.push(1),
    },
  )
  expect(made.out).toEqual([1, 1])
})

test('a callee that is cast or in brackets is called all the same', () => {
  const source = `import { f } from './b.ts'
export const cast = (f as unknown as (n: number) => number)(1)
export const bare = (f)(2)
`
  const made = load(source, {
    f(this: unknown, n: number) {
      return this === undefined ? n : 'this'
    },
  })
  expect([made.cast, made.bare]).toEqual([1, 2])
})

test('lines stay where they are', () => {
  const source =
    'import {\n  a,\n  b,\n} from "./b.ts"\n\nexport function f(x: number) {\n  for (;;) return a(x)\n}\n'
  expect(rendered(source).split('\n').length).toBe(source.split('\n').length)
  expect(rendered(source).split('\n')[6]).toContain('return')
})

test('places are mapped there and back', () => {
  const spliced = new Spliced('abcdef', [
    { start: 1, end: 2, text: 'BBB' },
    { start: 4, end: 4, text: '+' },
  ])
  expect(spliced.text).toBe('aBBBcd+ef')
  expect(spliced.range(1, 2)).toBe('BBB')
  // What is inserted at the edge of a range belongs to its surroundings.
  expect(spliced.range(2, 4)).toBe('cd')
  expect(spliced.range(4, 6)).toBe('ef')
  for (const offset of [0, 2, 3, 5]) expect(spliced.unmap(spliced.map(offset, true))).toBe(offset)
})

test.each([
  ['JSX', 'export const a = <b />', 'JSX'],
  ['await', 'export const a = await f()', 'await at the top of a module'],
])('%s is an obstacle for the fast path', (_, source, obstacle) => {
  const parsed = parseSource('a.tsx', source)
  expect(parsed).toMatchObject({ is: 'parsed', file: { obstacle } })
})

test('enums and parameters that are fields are written out', () => {
  const source = `export enum Size { Small, Large = 10, Huge, Both = Small | Large, Name = 'n' }
const enum Own { A = 1 }
class Base { constructor(protected kind: string) {} }
export class Box extends Base {
  extra = 1
  constructor(public readonly size: Size, private count = 2) {
    super('box')
    this.extra = this.size + this.count
  }
  all() { return [this.size, this.count, this.kind, this.extra, Own.A] }
}
`
  const made = load(source)
  expect(made.Size).toEqual({
    ...{ Small: 0, Large: 10, Huge: 11, Both: 10, Name: 'n' },
    ...{ 0: 'Small', 10: 'Both', 11: 'Huge' },
  })
  const Box = made.Box as new (size: number) => { all(): unknown[] }
  expect(new Box(10).all()).toEqual([10, 2, 'box', 12, 1])
})

test.each(['export default half as Half', 'export default half satisfies Half', 'export default half!'])(
  'a default with a type after it is exported: %s',
  (line) => {
    const made = load(`type Half = (n: number) => number\nconst half = (n: number) => n / 2\n${line}\n`)
    expect((made.default as (n: number) => number)(8)).toBe(4)
  },
)

test('an interface that is the default of a module is nothing', () => {
  expect(load('export default interface Half { n: number }\nexport const one = 1\n')).toMatchObject({
    one: 1,
  })
})
