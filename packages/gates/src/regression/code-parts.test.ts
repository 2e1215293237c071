import { expect, test } from 'vitest'
import { codeParts, type RanTest } from './code-parts.ts'

type Range = [number, number, number, number, boolean]
const ranTest = (name: string, ...ran: RanTest['ran']): RanTest => ({ file: 'a.test.ts', name, ran })
const whole: Range = [0, 0, 9, 1, true]
const fine = (name: string, path = 'src/a.ts') =>
  ranTest(
    name,
    [path, [['plan', [whole, [2, 10, 4, 2, false]]]]],
    ['a.test.ts', [['', [[0, 0, 3, 3, true]]]]],
  )
const deep = (name: string) => ranTest(name, ['src/a.ts', [['plan', [whole]]]])
const shown = (tests: RanTest[], ...failed: string[]) =>
  codeParts(tests, new Set(failed.map((name) => `a.test.ts > ${name}`))).map(
    ({ fn, failing, passing }) =>
      `${fn} ${[...failing].map((id) => id.split(' > ')[1]).join('+')} ${passing}`,
  )

test('a branch that only one of the tests took is a part of its own', () => {
  expect(shown([fine('one'), fine('two'), deep('bad')], 'bad')).toEqual([
    'src/a.ts#plan bad 2',
    'src/a.ts#plan bad 0',
  ])
})

test('parts that no failing test ran, tests themselves and what a compiler put in are left out', () => {
  const empty = ranTest('odd', ['src/b.ts', [['', [[0, 0, 0, 0, true]]]]])
  expect(shown([fine('bad'), deep('good'), empty], 'bad', 'odd')).toEqual(['src/a.ts#plan bad 1'])
})

test('a function without a name belongs to the one around it, an accessor to its name', () => {
  const inner = ranTest('bad', [
    'src/a.ts',
    [
      ['plan', [whole]],
      ['', [[3, 4, 3, 20, true]]],
      ['get size', [[20, 0, 22, 1, true]]],
      ['', [[30, 0, 31, 1, true]]],
    ],
  ])
  expect(shown([inner], 'bad')).toEqual([
    'src/a.ts#plan bad 0',
    'src/a.ts#plan bad 0',
    'src/a.ts#size bad 0',
    'src/a.ts#line 31 bad 0',
  ])
})
