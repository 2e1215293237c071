import { expect, test } from 'vitest'
import { type Suspect, sharedCauses } from './explain.ts'

/** `101 2`: ran by the first and the third failure, and by two passing tests. */
function suspects(...lines: string[]): Suspect[] {
  return lines.map((line) => {
    const [ran = '', passing = '0'] = line.split(' ')
    return { passing: Number(passing), closeness: [...ran].map((each) => Number(each) / 9) }
  })
}

// What ran, a pair of failures, and whether they have one cause.
const table: [string, string[], [number, number], boolean][] = [
  ['one part that only failing tests ran', ['9999 0', '9900 6', '0099 6'], [0, 2], true],
  [
    'two parts, each of its own failures, under one that many pass',
    ['9900 0', '0099 0', '9999 9'],
    [0, 2],
    false,
  ],
  ['and each of the two explains its own', ['9900 0', '0099 0', '9999 9'], [0, 1], true],
  ['parts that passing tests run as often explain less', ['9990 8', '9900 0', '0090 0'], [0, 2], false],
  ['a part that is far from what failed explains less', ['1199 0', '9900 0', '0099 0'], [0, 2], false],
  ['nothing in common', ['9900 0', '0099 0'], [1, 2], false],
]

test.each(table)('%s', (_, lines, [a, b], same) => {
  const share = sharedCauses(4, suspects(...lines))(a, b) ?? -1
  expect(share >= 0 && share <= 1).toBe(true)
  expect(share > 0.6).toBe(same)
})

test('the same answer in both directions, and for suspects in another order', () => {
  const lines = ['9905 0', '0599 0', '9999 3', '0909 1']
  const one = sharedCauses(4, suspects(...lines))
  const other = sharedCauses(4, suspects(...lines.toReversed()))
  for (const [a, b] of [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ] as const) {
    expect(one(a, b)).toBe(one(b, a))
    expect(one(a, b)).toBeCloseTo(other(a, b) ?? -1, 9)
  }
})

test('too many failures that hang together are not compared', () => {
  const closeness = Array.from({ length: 200 }, () => 1)
  expect(sharedCauses(200, [{ passing: 0, closeness }])(0, 1)).toBeNull()
})
