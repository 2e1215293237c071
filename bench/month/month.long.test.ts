// A short month holds all its rules, the same seed is the same month, and every planted fault is found.
import { expect, test } from 'vitest'
import { FAULTS } from './faults.ts'
import { findFaults } from './find-faults.ts'
import { playMonth } from './month.ts'
import { SHORT } from './settings.ts'

const SEED = 7

test('a day with every mood of the model breaks no rule, and brings improvements that are merged', async () => {
  const { rules, books, figures } = await playMonth({ seed: SEED, days: 1, scale: SHORT })
  expect(rules.broken).toEqual([])
  expect([...books.items.values()].filter(({ state }) => state === 'done').length).toBeGreaterThan(5)
  const verdicts = new Set([...books.looks.values()].flatMap(({ said }) => said?.verdict ?? []))
  expect(verdicts.size).toBeGreaterThan(1)
  expect(figures?.filter(({ projectsGenerated }) => projectsGenerated > 0)).toHaveLength(4)
})

test('the same seed is the same month, and another seed is another', async () => {
  const play = (seed: number) => playMonth({ seed, days: 0.15, scale: SHORT })
  const [one, again, other] = [await play(SEED), await play(SEED), await play(SEED + 1)]
  expect(one.digest).toBe(again.digest)
  expect(one.digest).not.toBe(other.digest)
})

test('each of the planted faults is found by a rule that it breaks', async () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(10)
  const found = await findFaults(SEED)
  expect(found.filter((each) => each.found === null).map(({ fault }) => fault.name)).toEqual([])
  expect(found).toHaveLength(FAULTS.length)
})
