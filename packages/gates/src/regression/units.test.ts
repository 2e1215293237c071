import { expect, test } from 'vitest'
import { compareUnits, parseUnits, withInner } from './units.ts'

const base = `import { x } from './x.ts'
const limit = 3
export function first(a: number, b = limit) {
  const inner = (n: number) => n + 1
  return inner(a) * b
}
export class Box {
  size = 1
  get half() { return this.size / 2 }
  async grow(by: number) { this.size += by }
}
export const last = () => x
`
// The functions in order: first, inner, half, grow, last.
function changesOf(find: string, replace: string) {
  const before = parseUnits('a.ts', base)
  const after = parseUnits(
    'a.ts',
    base.replace(find, () => replace),
  )
  if (!before || !after || !base.includes(find)) throw new Error('the test is wrong')
  const { module, changed } = compareUnits(before, after)
  return { module, changed: [...changed].map((unit) => before.places[unit]?.name) }
}

const table: [string, string, boolean, string[]][] = [
  ['* b', '+ b', false, ['first']],
  ['n + 1', 'n - 1', false, ['inner']],
  ['b = limit', 'b = 4', false, ['first']],
  ['/ 2', '/ 3', false, ['half']],
  ['+= by', '-= by', false, ['grow']],
  ['=> x', '=> -x', false, ['last']],
  ['by: number', 'by: bigint', false, ['grow']],
  // What others see without a call: the number of parameters, the name, being asynchronous.
  ['by: number', 'by: number, twice: boolean', true, []],
  ['function first', 'function second', true, []],
  ['async grow', 'grow', true, []],
  ['limit = 3', 'limit = 4', true, []],
  ['size = 1', 'size = 2', true, []],
  ["'./x.ts'", "'./y.ts'", true, []],
  ['export const last', 'function added() {}\nexport const last', true, []],
  // A function that comes or goes inside another belongs to that one.
  ['return inner', 'const other = () => 1\n  return inner', false, ['first']],
]

test.each(table)('%s to %s: module %s, functions %j', (find, replace, module, changed) => {
  expect(changesOf(find, replace)).toEqual({ module, changed })
})

test('what cannot be parsed has no functions', () => {
  expect(parseUnits('a.ts', 'export const = 3')).toBeNull()
  expect(parseUnits('a.py', 'x = 3')).toBeNull()
  expect(parseUnits('a.d.ts', 'export const a: 3')).toBeNull()
})

test('a function holds all that lie inside it', () => {
  const parsed = parseUnits('a.ts', 'const a = () => () => [() => 1, function () {}]\nconst b = () => 1')
  expect(parsed && withInner(parsed, 0)).toEqual([0, 1, 2, 3])
})
