import { expect, test } from 'vitest'
import { decideTrial, LOOKS } from './decide.ts'
import { isWithheld, randomFrom } from './draw.ts'
import { probabilityOfUplift, type TrialCounts, upliftOf } from './posterior.ts'

const counts = (shown: [number, number], withheld: [number, number]): TrialCounts => ({
  shown: { good: shown[0], bad: shown[1] },
  withheld: { good: withheld[0], bad: withheld[1] },
})

/** Draws from Beta(good + 1, bad + 1) as the rank of uniform numbers: slow, and certainly right. */
function drawn(good: number, bad: number, random: () => number): number {
  const numbers = new Float64Array(good + bad + 1)
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = random()
  return numbers.sort()[good] ?? 0
}

test.each([
  [counts([0, 0], [0, 0])],
  [counts([1, 0], [0, 1])],
  [counts([25, 10], [7, 8])],
  [counts([12, 23], [8, 7])],
  [counts([90, 50], [30, 30])],
])('the probability of an uplift and its interval agree with drawing it: %j', (given) => {
  const random = randomFrom(7)
  const draws = Array.from(
    { length: 20_000 },
    () =>
      drawn(given.shown.good, given.shown.bad, random) -
      drawn(given.withheld.good, given.withheld.bad, random),
  ).sort((a, b) => a - b)
  const better = draws.filter((draw) => draw > 0).length / draws.length
  expect(probabilityOfUplift(given)).toBeCloseTo(better, 1)
  expect(Math.abs(probabilityOfUplift(given) - better)).toBeLessThan(0.015)
  const { low, middle, high } = upliftOf(given)
  for (const [found, share] of [
    [low, 0.1],
    [middle, 0.5],
    [high, 0.9],
  ] as const)
    expect(Math.abs(found - (draws[Math.floor(draws.length * share)] ?? 0))).toBeLessThan(0.02)
})

test('what is the same with and without says nothing; more runs say more', () => {
  expect(probabilityOfUplift(counts([35, 35], [15, 15]))).toBeCloseTo(0.5, 2)
  const few = probabilityOfUplift(counts([7, 3], [5, 5]))
  const many = probabilityOfUplift(counts([70, 30], [50, 50]))
  expect(many).toBeGreaterThan(few)
  expect(probabilityOfUplift(counts([1_400, 600], [1_000, 1_000]))).toBeCloseTo(1, 5)
})

test.each<[string, TrialCounts, number, string]>([
  ['before the first look', counts([34, 0], [0, 15]), 0, 'wait'],
  ['helps, at the first look', counts([30, 5], [5, 10]), 0, 'promote'],
  ['harms, at the first look', counts([10, 25], [12, 3]), 0, 'retire'],
  ['says nothing yet', counts([18, 17], [7, 8]), 0, 'go_on'],
  ['looked at already', counts([30, 5], [5, 10]), 1, 'wait'],
  ['helps a little, at the last look', counts([75, 65], [29, 31]), 2, 'unproven'],
  ['helps, at the last look', counts([95, 45], [27, 33]), 2, 'promote'],
  ['after the last look', counts([1_000, 0], [0, 400]), 3, 'wait'],
  ['went well, and was never kept back', counts([50, 0], [0, 0]), 0, 'wait'],
  ['went badly, and was never kept back', counts([3, 47], [0, 0]), 0, 'wait'],
  ['was hardly ever kept back', counts([90, 1], [0, 9]), 0, 'wait'],
  ['was hardly ever shown', counts([9, 0], [0, 91]), 0, 'wait'],
  ['has just enough on both sides', counts([88, 2], [0, 10]), 0, 'promote'],
])('a lesson that %s', (_, given, looks, is) => {
  expect(decideTrial({ counts: given, looks }).is).toBe(is)
})

test('in every stratum three of ten runs are without the lesson, at places that nobody can foresee', () => {
  const places = new Set<string>()
  for (const lessonId of ['one', 'two', 'three']) {
    for (const stratum of ['shop fix', 'shop feature']) {
      const draws = Array.from({ length: 200 }, (_, nth) =>
        isWithheld({ lessonId, stratum, nth, withheldShare: 0.3 }),
      )
      for (let block = 0; block < 200; block += 10)
        expect(draws.slice(block, block + 10).filter(Boolean)).toHaveLength(3)
      places.add(draws.join())
      expect(draws).toEqual(
        Array.from({ length: 200 }, (_, nth) => isWithheld({ lessonId, stratum, nth, withheldShare: 0.3 })),
      )
    }
  }
  expect(places.size).toBe(6)
})

test('a share that is no whole number of ten is kept over the blocks; none and all are possible', () => {
  const withheld = (withheldShare: number) =>
    Array.from({ length: 200 }, (_, nth) =>
      isWithheld({ lessonId: 'one', stratum: 'shop', nth, withheldShare }),
    ).filter(Boolean).length
  expect(withheld(0.25)).toBe(50)
  expect(withheld(0)).toBe(0)
  expect(withheld(1)).toBe(200)
})

test('looks are planned, and few', () => {
  expect(LOOKS).toEqual([50, 100, 200])
})
