import { expect, test } from 'vitest'
import { coreList, coresIn, notKeptWords, ownCores } from './own-cores.ts'

const cores = (count: number) => Array.from({ length: count }, (_, nth) => nth)

test.each<[count: number, agents: number, each: (number[] | null)[]]>([
  [2, 3, [null, null, null]],
  [3, 3, [[0], [1], [2]]],
  [4, 3, [[0], [1], [2, 3]]],
  [10, 10, cores(10).map((core) => [core])],
  [9, 10, cores(10).map(() => null)],
  [8, 2, [cores(4), [4, 5, 6, 7]]],
  [8, 1, [null]],
])('%d cores and %d agents', (count, agents, each) => {
  expect(each.map((_, nth) => ownCores(cores(count), agents, nth))).toEqual(each)
  // Nobody shares one, and none is left over.
  const all = each.flatMap((own) => own ?? [])
  if (each[0] !== null) expect(all).toEqual(cores(count))
})

test.each<[cores: number, agents: number, why: string | null]>([
  [8, 0, 'with one agent all cores are its own'],
  [8, 1, 'with one agent all cores are its own'],
  [1, 2, 'there is 1 core for 2 agents'],
  [3, 4, 'there are 3 cores for 4 agents'],
  [4, 4, null],
  [5, 4, null],
])('%d cores and %d agents: %s', (count, agents, why) => {
  expect(notKeptWords(count, agents)).toBe(why)
})

test.each<[list: string, read: number[]]>([
  ['0', [0]],
  ['0-3', [0, 1, 2, 3]],
  ['0-1,4,6-7', [0, 1, 4, 6, 7]],
  ['', []],
])('%j is read and written back', (list, read) => {
  expect(coresIn(`${list}\n`)).toEqual(read)
  expect(coreList(read)).toBe(list)
})
