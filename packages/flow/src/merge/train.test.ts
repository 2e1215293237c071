import { expect, test } from 'vitest'
import { chooseBatch, groupsAfter, runsOf, type Together } from './train.ts'

const waiting = (number: number, minute: number) => ({
  projectNumber: 1,
  number,
  updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
})
const [a, b, c, d] = [waiting(4, 1), waiting(3, 2), waiting(2, 3), waiting(1, 3)]

test.each([
  ['the oldest first', a, 4, [4, 3, 1, 2]],
  ['no more than the limit', a, 2, [4, 3]],
  ['the one whose turn it is always', c, 2, [4, 2]],
  ['alone with a limit of one', c, 1, [2]],
])('a batch holds %s', (_, turn, max, numbers) => {
  const batch = chooseBatch([c, a, d, b], turn, max)
  expect(batch.map(({ number }) => number)).toEqual(numbers)
})

const rest = [['z']]
test.each<[string, readonly string[], Together<string>, number, string[][]]>([
  ['all landed', ['a', 'b'], { is: 'landed', left: [] }, 3, [['z']]],
  ['one did not stack', ['a', 'b', 'c'], { is: 'landed', left: ['b'] }, 3, [['b'], ['z']]],
  ['two are red', ['a', 'b'], { is: 'red', tried: ['a', 'b'], left: [] }, 3, [['a'], ['b'], ['z']]],
  [
    'five are red',
    ['a', 'b', 'c', 'd', 'e'],
    { is: 'red', tried: ['a', 'b', 'c', 'd', 'e'], left: [] },
    3,
    [['a', 'b', 'c'], ['d', 'e'], ['z']],
  ],
  [
    'two of three are red, and one did not stack',
    ['a', 'b', 'c'],
    { is: 'red', tried: ['a', 'c'], left: ['b'] },
    3,
    [['a'], ['c'], ['b'], ['z']],
  ],
  ['the target moved', ['a', 'b'], { is: 'moved' }, 1, [['a', 'b'], ['z']]],
  ['the target moved too often', ['a', 'b'], { is: 'moved' }, 0, [['a'], ['b'], ['z']]],
])('what is next when %s', (_, group, ...[together, triesLeft, expected]) => {
  expect(groupsAfter({ group, rest }, together, triesLeft)).toEqual(expected)
})

test('halving ends with everybody alone, and nobody is lost or comes twice', () => {
  for (let size = 2; size <= 32; size += 1) {
    const all = Array.from({ length: size }, (_, at) => at)
    let groups: (readonly number[])[] = [all]
    const ended: number[] = []
    let tests = 0
    while (groups.length > 0) {
      const [group = [], ...others] = groups
      tests += 1
      if (group.length === 1) {
        ended.push(...group)
        groups = others
      } else groups = groupsAfter({ group, rest: others }, { is: 'red', tried: group, left: [] }, 1)
    }
    expect(ended).toEqual(all)
    expect(tests).toBe(2 * size - 1)
  }
})

test('merges on one line are found as the runs in which they came', () => {
  const merge = (commit: string, parent: string) => ({ commit, parent })
  const runs = runsOf([merge('c', 'b'), merge('a', '0'), merge('b', 'a'), merge('x', 'w')])
  expect(runs.map((run) => run.map(({ commit }) => commit))).toEqual([['a', 'b', 'c'], ['x']])
})
