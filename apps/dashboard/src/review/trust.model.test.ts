import type { GateResult } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { criteriaBeside, criteriaWords, trustLines } from './trust.model.ts'

const evidence = {
  command: 'node --test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  outputBytes: 0,
  tail: '',
  report: null,
}
const linesOf = (checks: GateResult[]) =>
  Object.fromEntries(trustLines({ checks }).map(({ name, tone, words }) => [name, [tone, words]]))

test('what nobody has checked is never said to be good', () => {
  const tones = trustLines({ checks: [] }).map(({ tone }) => tone)
  expect(new Set(tones)).toEqual(new Set(['plain']))
  expect(linesOf([{ is: 'skipped', gate: 'witness', why: 'no test' }])['Was red, is green now']).toEqual([
    'plain',
    'not checked: no test',
  ])
})

test('a suite without a report, and faults that tests notice, are told in numbers', () => {
  const strength = { noticed: 14, planted: 14, ran: true }
  const lines = linesOf([
    { is: 'passed', gate: 'tests_pass', evidence },
    { is: 'passed', gate: 'mutation', evidence: { ...evidence, strength } },
    { is: 'passed_with_warnings', gate: 'secrets', evidence, warnings: ['one file could not be read'] },
  ])
  expect(lines['Test suite']).toEqual(['good', 'ended well, but no test report could be read'])
  expect(lines['Planted faults']).toEqual(['good', '14 of 14 noticed'])
  expect(lines.Secrets).toEqual(['attention', 'none found; one file could not be read'])
})

test('a comment on a line is not a criterion a second time', () => {
  const criterion = { id: 'R1.1', status: 'pending', note: null, askedIn: 1 } as const
  const criteria = [
    { ...criterion, description: 'a.ts:2: Say two' },
    { ...criterion, id: 'R1.2', description: 'Nearly there' },
  ]
  const beside = criteriaBeside({ criteria }, [{ text: 'Say\ntwo', line: 2 }])
  expect(beside.map(({ id }) => id)).toEqual(['R1.2'])
  expect(criteriaWords(beside)).toBe('0 of 1 shown to be met')
})
