import { refused } from '@treadle/repair/result'
import { expect, test } from 'vitest'
import { describeDryRun, dryRunJson } from './dry-run.ts'

test('a suspicious line is named once, with its highest score', () => {
  const at = (line: number, score: number) => ({ file: 'a.ts', line, score })
  const found = { ...refused('nothing found'), suspicious: [at(3, 0.9), at(3, 0.7), at(4, 0.5), at(3, 0.1)] }
  expect(dryRunJson(found, ['a note'])).toMatchObject({
    suspicious: [at(3, 0.9), at(4, 0.5)],
    notes: ['a note'],
  })
  expect(describeDryRun(found).match(/a\.ts:3/g)).toHaveLength(1)
})

test('the search is told in figures', () => {
  const found = {
    ...refused('nothing found'),
    candidates: 300,
    cpuSeconds: 1.5,
    sameFailures: false,
    leftOut: 0,
    path: 'fast' as const,
  }
  expect(dryRunJson(found, []).search).toEqual({
    sameFailures: false,
    leftOut: 0,
    candidates: 300,
    candidatesPerCpuSecond: 200,
    path: 'fast',
  })
})
