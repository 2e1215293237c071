// What a goal has behind it when its loop begins again: after a restart, or after the checks refused what was achieved.
import type { StoredEvent } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import type { RunId } from '@treadle/contracts/ids'
import type { Plan, Reflection } from '@treadle/contracts/paor'
import { gatesWords } from '@treadle/contracts/words/gates'
import type { GoalPast } from '../ports/guidance.ts'
import { failuresIn } from '../verify/failure/evidence.ts'

export const NO_PAST: GoalPast = { plans: [], reflections: [] }

/** Of what is recorded of a run: what it did for its goal, and the run before it that it went on from. */
export function goalPastIn(events: readonly Pick<StoredEvent, 'event'>[]): {
  readonly past: GoalPast
  readonly continues: RunId | null
} {
  const plans: Plan[] = []
  const reflections: Reflection[] = []
  let continues: RunId | null = null
  for (const { event } of events) {
    if (event.type === 'run.planned') plans.push(event.plan)
    if (event.type === 'run.reflected') reflections.push(event.reflection)
    if (event.type === 'run.resumed') continues ??= event.continues ?? null
  }
  return { past: { plans, reflections }, continues }
}

export function joinPasts(first: GoalPast, second: GoalPast): GoalPast {
  return {
    plans: [...first.plans, ...second.plans],
    reflections: [...first.reflections, ...second.reflections],
  }
}

const REMAINING_MAX = 50

/** A goal that was held to be reached and was sent back has not been reached; its iterations count on. */
export function pastAfter(past: GoalPast, evidence: readonly GateResult[]): GoalPast {
  const last = past.reflections.at(-1)
  const refused = evidence.filter(({ is }) => is === 'failed')
  if (last?.verdict !== 'achieved' || refused.length === 0) return past
  const remaining = failuresIn(refused).map(({ id, message }) => `${id}: ${message}`.slice(0, 1_000))
  const sentBack: Reflection = {
    ...last,
    verdict: 'not_yet',
    why: `The checks refused it: ${gatesWords(refused)}`.slice(0, 4_000),
    remaining: remaining.slice(0, REMAINING_MAX),
  }
  return { plans: past.plans, reflections: [...past.reflections.slice(0, -1), sentBack] }
}
