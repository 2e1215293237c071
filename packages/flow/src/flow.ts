// The stages in order, as data: who wakes an item in each state, and by when it must have moved. Read this first.
import type { Config } from '@treadle/contracts/config'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { ItemJobName } from './ports/jobs.ts'

const STAGES = [
  'idea',
  'spec',
  'claim',
  'build',
  'verify',
  'review',
  'merge',
  'learn',
  'supervise',
  'ask',
] as const
type Stage = (typeof STAGES)[number]

type Limits = Config['limits']
type LimitMs = 'queueWaitMs' | 'executionMs' | 'reviewWaitMs' | 'mergeMs' | 'humanReminderMs'

interface StateRow {
  readonly stage: Stage
  /** Who makes the item leave this state. */
  readonly waker: 'agent' | 'job' | 'person' | null
  /** The daemon's job for this state, where it has one. */
  readonly job: ItemJobName | null
  /** How long it may stay before the supervisor acts; null only where the item has ended. */
  readonly deadline: LimitMs | null
  /** Counted from the claim, so that moving between working states buys no time. */
  readonly fromClaim: boolean
}

const queued: StateRow = {
  stage: 'claim',
  waker: 'agent',
  job: null,
  deadline: 'queueWaitMs',
  fromClaim: false,
}
const working = (stage: Stage): StateRow => ({
  stage,
  waker: 'agent',
  job: null,
  deadline: 'executionMs',
  fromClaim: true,
})
const human: StateRow = {
  stage: 'ask',
  waker: 'person',
  job: null,
  deadline: 'humanReminderMs',
  fromClaim: false,
}
const ended: StateRow = { stage: 'learn', waker: null, job: null, deadline: null, fromClaim: false }

export const STATES: Readonly<Record<ItemState, StateRow>> = {
  todo: queued,
  backlog: queued,
  rework: queued,
  claimed: working('claim'),
  building: working('build'),
  verifying: working('verify'),
  improving: working('build'),
  in_review: { stage: 'review', waker: 'job', job: 'review', deadline: 'reviewWaitMs', fromClaim: false },
  merging: { stage: 'merge', waker: 'job', job: 'merge', deadline: 'mergeMs', fromClaim: false },
  escalated: human,
  conflicted: human,
  done: ended,
  withdrawn: ended,
}

/** States in which the item waits for an agent to claim it. */
export function isQueued(state: ItemState): boolean {
  return STATES[state] === queued
}

/** States in which an agent holds the item. */
export function isHeld(state: ItemState): boolean {
  return STATES[state].fromClaim
}

export function deadlineOf(
  item: Pick<Item, 'state' | 'claimedAt'>,
  limits: Limits,
  now: Date,
): string | null {
  const row = STATES[item.state]
  if (row.deadline === null) return null
  const from = row.fromClaim && item.claimedAt !== null ? Date.parse(item.claimedAt) : now.getTime()
  return new Date(from + limits[row.deadline]).toISOString()
}
