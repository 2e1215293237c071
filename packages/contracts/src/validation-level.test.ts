import { expect, test } from 'vitest'
import { GateName } from './gate.ts'
import { checksTasksInFull, LEVEL_WORDS, leftOutAt, ValidationLevel } from './validation-level.ts'

const levels = ValidationLevel.options
const runs = (level: ValidationLevel | null) =>
  GateName.options.filter((gate) => leftOutAt(gate, level) === null)

/** Written by hand: what comes with each level. */
const ADDS: Readonly<Record<ValidationLevel, readonly GateName[]>> = {
  quick: ['linter_pass'],
  standard: ['coverage_pass', 'documentation'],
  thorough: ['other_inputs', 'other_conditions'],
  comprehensive: ['security', 'mutation'],
  release: [],
}
const ALWAYS: readonly GateName[] = [
  'tests_pass',
  'no_regression',
  'build_pass',
  'secrets',
  'tasks_kept',
  'new_packages',
  'test_integrity',
  'capabilities',
  'witness',
  'loads',
  'assertions',
]

test('tests, secrets, integrity and witness run at every level, and each level adds to the one before', () => {
  let known: GateName[] = [...ALWAYS]
  for (const level of levels) {
    known = [...known, ...ADDS[level]]
    expect(runs(level).toSorted()).toEqual(known.toSorted())
  }
  expect(runs('release').toSorted()).toEqual([...GateName.options].toSorted())
  expect(runs(null)).toEqual(GateName.options)
  expect(levels.filter(checksTasksInFull)).toEqual(['release'])
})

test('what is left out says from which level on it runs', () => {
  expect(leftOutAt('mutation', 'quick')).toBe(
    'not looked at by the validation level quick; from comprehensive on it is',
  )
})

test('the levels take as long as they say', () => {
  expect(levels.map((level) => LEVEL_WORDS[level].takes)).toEqual(['30s', '2m', '10m', '30m', '2h'])
})
