import type { Review, ReviewCriterion } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { sampleItem } from '../work/testing/sample.ts'
import { newReview } from './new-review.ts'

const item = sampleItem({
  branch: 'agent-1/project-1',
  headCommit: 'a'.repeat(40),
  runId: '0b7c5a52-0f0a-4f39-9a3c-5a1f1d0a7a11',
  reviewCycles: 2,
  acceptance: [{ id: null, text: 'It adds', status: 'pending' }],
})
const asked = (id: string, description: string, status: ReviewCriterion['status']): ReviewCriterion => ({
  id,
  description,
  status,
  note: null,
  askedIn: 1,
})
const sentBack = {
  status: 'rejected',
  cycle: 2,
  criteria: [asked('R1.1', 'Use Math.ceil', 'met'), asked('R1.2', 'Add a test', 'not_met')],
  requested: ['Add a test', 'Say it in the README'],
} as unknown as Review

function criteriaAfter(latest: Review | null) {
  return newReview(item, { agentId: 'agent-1', latest })?.criteria.map(
    ({ id, description, status, askedIn }) => ({
      id,
      description,
      status,
      askedIn,
    }),
  )
}
const own = { id: 'C1', description: 'It adds', status: 'pending', askedIn: undefined }

test('what was asked for stays on the list of the next delivery until it is done', () => {
  expect(criteriaAfter(sentBack)).toEqual([
    own,
    { id: 'R1.2', description: 'Add a test', status: 'pending', askedIn: 1 },
    { id: 'R2.1', description: 'Say it in the README', status: 'pending', askedIn: 2 },
  ])
})

test('what was not sent back asks for nothing', () => {
  expect(criteriaAfter(null)).toEqual([own])
  expect(criteriaAfter({ ...sentBack, status: 'approved' })).toEqual([own])
})
