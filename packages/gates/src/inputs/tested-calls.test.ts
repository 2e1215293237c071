import { expect, test } from 'vitest'
import { testedCalls } from './tested-calls.ts'

const argsIn = (text: string) => testedCalls('a.test.ts', text).map(({ name, args }) => [name, ...args])

test('calls with arguments that are written out, by import and by require', () => {
  const text = `import { half, other as third } from './a'
import whole from './b'
import * as all from './c'
test('x', () => {
  const n: number = -4
  expect(half(n)).toBe(2)
  expect(third([1, { a: 'b' }], \`x\${2}\`)).toBe(1)
  expect(whole('y'.repeat(3))).toBe(1)
  expect(all.sum(2 + 3, undefined)).toBe(1)
  expect(half(Math.random())).toBe(1)
  expect(unknown(3)).toBe(1)
})`
  expect(argsIn(text)).toEqual([
    ['half', -4],
    ['other', [1, { a: 'b' }], 'x2'],
    ['default', 'yyy'],
    ['sum', 5, undefined],
  ])
  const required = `const { half } = require('./a')\nconst whole = require('./b')\nassert.equal(half(4), whole(5))\nassert.equal(whole.part(6), 1)`
  expect(testedCalls('a.test.cjs', required)).toEqual([
    { from: './a', name: 'half', args: [4] },
    { from: './b', name: 'default', args: [5] },
    { from: './b', name: 'part', args: [6] },
  ])
})

test('rows of a table, in each, forEach and loops', () => {
  const text = `import { half } from './a'
const rows = [{ n: 1, wanted: 2 }, { n: 3, wanted: 4 }]
test.each([[4, 2], [10, 5]])('half of %i', (n, wanted) => expect(half(n)).toBe(wanted))
it.each([6, 7])('half of %i', (n) => expect(half(n)).toBe(1))
rows.forEach(({ n, wanted }) => test('x', () => expect(half(n)).toBe(wanted)))
for (const row of rows) test('y', () => expect(half(row.wanted)).toBe(1))
for (const [n] of [[8], [9]]) test('z', () => expect(half(n)).toBe(1))`
  expect(argsIn(text).map(([, n]) => n)).toEqual([4, 10, 6, 7, 1, 3, 2, 4, 8, 9])
})

test('a name that is declared twice is not known, and a file that does not parse has no calls', () => {
  const text = `import { half } from './a'\ntest('x', () => { const n = 4; half(n) })\ntest('y', () => { const n = 5; half(n) })`
  expect(argsIn(text)).toEqual([])
  expect(argsIn('import {')).toEqual([])
})

test('methods of a class, and of objects that are made with values that are written out', () => {
  const text = `import { Box } from './a'
import * as all from './c'
const box = new Box(3, 'x')
let twice = new Box(1)
const other = new Other(1)
test('x', () => {
  const twice = new Box(2)
  expect(Box.half(4)).toBe(2)
  expect(new Box(7).half(10)).toBe(5)
  expect(new all.Crate({ a: 1 }).size()).toBe(1)
  expect(box.half(6)).toBe(3)
  expect(twice.half(8)).toBe(4)
  expect(other.half(8)).toBe(4)
  expect(new Box(Math.random()).half(2)).toBe(1)
})`
  expect(testedCalls('a.test.ts', text)).toEqual([
    { from: './a', name: 'Box.half', args: [4] },
    { from: './a', name: 'Box.half', made: 1, args: [7, 10] },
    { from: './c', name: 'Crate.size', made: 1, args: [{ a: 1 }] },
    { from: './a', name: 'Box.half', made: 2, args: [3, 'x', 6] },
  ])
})
