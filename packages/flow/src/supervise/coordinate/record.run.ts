// Writes a decision down: as an event, once by its fingerprint, and with the alert that it is about.
import type { EventId } from '@treadle/contracts/ids'
import { alertDecision } from '@treadle/contracts/question'
import type { FactJob } from '../../ports/jobs.ts'
import type { Decision } from './decide.ts'
import { PM, type PmWorld } from './pm-world.ts'

/** The alert that a decision is about, and how often that was told. */
export interface AlertRef {
  readonly alert: number
  readonly count: number
}

/** Within a transaction. False: the same was decided about the same before. */
export async function recordDecision(
  { store, now }: Pick<PmWorld, 'store' | 'now'>,
  { job, about }: { readonly job: FactJob; readonly about: AlertRef | null },
  { action, target, reason, followUp, checkAgainMs, options, facts }: Decision,
): Promise<boolean> {
  const at = now()
  const isNew = await store.events.append({
    ...placeOf(job),
    id: fingerprintOf(job, about, action),
    at,
    event: {
      type: 'pm.decided',
      about: job.type,
      eventId: job.eventId,
      alert: about?.alert ?? null,
      action,
      target,
      reason,
      followUp,
      checkAgainMs,
      options: [...options],
      facts: { ...facts },
    },
  })
  // What was decided before keeps its moment: whoever carries it out goes by that.
  if (about !== null && (isNew || checkAgainMs !== null)) {
    const checkAgainAt = checkAgainMs === null ? null : new Date(at.getTime() + checkAgainMs).toISOString()
    await store.notifications.decide(about.alert, {
      action,
      target,
      reason,
      at: at.toISOString(),
      checkAgainAt,
    })
  }
  return isNew
}

/** Within the transaction of the decision: a person is to be asked, whoever asks. */
export async function requestDecision(
  { store, now }: Pick<PmWorld, 'store' | 'now'>,
  { job, about }: { readonly job: FactJob; readonly about: AlertRef },
  { reason, options }: Pick<Decision, 'reason' | 'options'>,
  context: string,
): Promise<void> {
  const decision = alertDecision(about.alert, about.count)
  await store.events.append({
    ...placeOf(job),
    id: `decision:${decision}:requested`,
    at: now(),
    event: {
      type: 'decision.requested',
      decisionId: decision,
      by: PM,
      text: reason,
      context,
      options: [...options],
      alert: about.alert,
    },
  })
}

function fingerprintOf(job: FactJob, about: AlertRef | null, action: Decision['action']): EventId {
  return about === null ? `pm:${job.eventId}`.slice(0, 128) : `pm:${about.alert}:${about.count}:${action}`
}

/** Told of the item, if it is about one; by nobody, so that it counts for no agent's progress. */
export function placeOf({ item, runId }: FactJob) {
  return { item, agentId: null, runId, state: null }
}
