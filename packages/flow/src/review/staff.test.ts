import type { GateResult } from '@treadle/contracts/gate'
import type { Review } from '@treadle/contracts/review'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { reviewersFor } from './staff.ts'
import { judgeStandards } from './standards.ts'

test.each([
  [0, 1],
  [1, 1],
  [4, 1],
  [5, 2],
  [8, 2],
  [9, 3],
  [100, 3],
])('with %d deliveries open there are %d reviewers', (open, reviewers) => {
  expect(reviewersFor({ open, reviewersMax: 3, waitingPerReviewer: 4 })).toBe(reviewers)
})

test('who wants one reviewer has one, however much waits', () => {
  expect(reviewersFor({ open: 1_000, reviewersMax: 1, waitingPerReviewer: 1 })).toBe(1)
})

type Decided = Pick<Review, 'status' | 'checks' | 'criteria'>
const lint = { is: 'failed', gate: 'linter_pass' } as unknown as GateResult
const good: Decided = { status: 'approved', checks: [], criteria: [] }
const unclean: Decided = { status: 'rejected', checks: [lint], criteria: [] }
const unmet: Decided = {
  status: 'rejected',
  checks: [],
  criteria: [{ id: 'AC-1', description: 'It adds', status: 'not_met', note: null }],
}
const many = (count: number, of: Decided) => Array.from({ length: count }, () => of)

verifies('ORCH-S5-4', 'more rejections than wanted are told once, with what they were for', () => {
  const crossed = judgeStandards([unmet, ...many(6, unclean), ...many(14, good)], 30)
  expect(crossed).toEqual({
    is: 'crossed',
    text: expect.stringMatching(
      /^7 of the last 20 deliveries were sent back \(35 %, wanted at most 30 %\): linter pass 6, criteria not met 1\./,
    ),
  })
  // One decision later it is known; and it is told again after it was better in between.
  expect(judgeStandards([unclean, unmet, ...many(6, unclean), ...many(13, good)], 30).is).toBe('kept')
  expect(judgeStandards([good, ...many(6, unclean), ...many(14, good)], 30).is).toBe('kept')
  expect(judgeStandards([unclean, good, ...many(6, unclean), ...many(13, good)], 30).is).toBe('crossed')
})

test('a few decisions say nothing about how it goes', () => {
  expect(judgeStandards(many(9, unclean), 30).is).toBe('kept')
  expect(judgeStandards(many(10, unclean), 30).is).toBe('crossed')
  expect(judgeStandards(many(11, unclean), 30).is).toBe('kept')
})
