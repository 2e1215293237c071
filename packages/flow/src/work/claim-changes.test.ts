import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { step } from '../step.ts'
import { lostInClaim } from './claim-changes.ts'
import { COMMIT, NOW, RUN, sampleConfig, sampleItem } from './testing/sample.ts'

const waiting: Partial<Item>[] = [
  {
    state: 'todo',
    labels: ['bug'],
    priority: 3,
    acceptance: [{ id: null, text: 'works', status: 'pending' }],
  },
  { state: 'backlog', assignedAgentId: 'agent-1', attempts: 4, reminders: 2, reason: 'put back' },
  {
    state: 'rework',
    needsRework: true,
    reviewCycles: 1,
    branch: 'agent-2/project-7',
    headCommit: COMMIT,
    reason: 'too clever',
    approval: { kind: 'human', by: 'owner', at: NOW.toISOString() },
    confidence: { level: 'low', why: 'no test for it' },
  },
]

test.each(waiting)('a claim writes all that its step changes of %j', (given) => {
  const before = sampleItem(given)
  const claim = { type: 'claim.taken', agentId: 'agent-1', runId: RUN } as const
  const next = step(before, claim, { config: sampleConfig(), now: NOW })
  if (next.is !== 'moved') throw new Error(next.why)
  expect(next.item).not.toEqual(before)
  expect(lostInClaim(before, next.item)).toBeNull()
})

test('what a claim would not write is named', () => {
  const before = sampleItem()
  expect(lostInClaim(before, { ...before, fence: 9, state: 'claimed' })).toBeNull()
  expect(lostInClaim(before, { ...before, title: 'another' })).toBe('title')
  expect(lostInClaim(before, { ...before, labels: ['new'] })).toBe('labels')
})
