import { expect, test } from 'vitest'
import { meets, scoreOf } from './score.ts'

const a = new Set(['a'])
const b = new Set(['b'])
const both = new Set(['a', 'b'])

test('perfect groups', () => {
  const score = scoreOf([{ causes: [a, a, b], groups: [1, 1, 2], faults: 2 }])
  expect(score).toMatchObject({ precision: 1, recall: 1, jobs: 2, jobsPerFault: 1 })
  expect(meets(score)).toBe(true)
})

test('one job per test has no pair to be wrong about and finds none', () => {
  const score = scoreOf([{ causes: [a, a, b], groups: [1, 2, 3], faults: 2 }])
  expect(score).toMatchObject({ precision: null, recall: 0, jobsPerFault: 1.5 })
  expect(meets(score)).toBe(false)
})

test('one group for all', () => {
  const score = scoreOf([{ causes: [a, a, b], groups: [1, 1, 1], faults: 2 }])
  expect(score).toMatchObject({ precision: 1 / 3, recall: 1, jobsPerFault: 0.5 })
  expect(meets(score)).toBe(false)
})

test('a test with two causes belongs with either; pairs of different scenarios do not count', () => {
  const one = { causes: [a, both, b], groups: ['x', 'x', 'y'], faults: 2 }
  expect(scoreOf([one])).toMatchObject({ precision: 1, recall: 0.5 })
  expect(scoreOf([one, { causes: [a], groups: ['x'], faults: 1 }])).toMatchObject({
    precision: 1,
    recall: 0.5,
  })
})
