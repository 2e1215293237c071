// What the PM agent decides about an alert: facts in, choice out. Pure; the tables are here and nowhere else.

import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import type { PmAction } from '@treadle/contracts/alert'
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'

export interface Decision {
  readonly action: PmAction
  /** An agent, a task, or `human`; null: nobody. */
  readonly target: string | null
  readonly reason: string
  readonly followUp: string | null
  readonly checkAgainMs: number | null
  /** What a person may answer. */
  readonly options: readonly string[]
  readonly facts: Readonly<Record<string, string | number | null>>
}

type Thresholds = Config['monitoring']

const MINUTE_MS = 60_000
const HUMAN = 'human'
export const STUCK_OPTIONS = ['wait', 'skip', 'retry'] as const
export const DOWN_OPTIONS = ['restart', 'leave'] as const
const minutes = (ms: number) => Math.floor(ms / MINUTE_MS)
const nothingMore = { followUp: null, checkAgainMs: null, options: [] } as const

export interface StuckTaskFacts {
  readonly task: string
  readonly agentId: AgentId
  readonly durationMs: number
}

/** A task that is stuck is watched, then a person is asked, then it is taken from its agent. */
export function decideStuck({ task, agentId, durationMs }: StuckTaskFacts, thresholds: Thresholds): Decision {
  const { watchMs, escalateMs, interruptMs } = thresholds
  const facts = { task, agent: agentId, duration_ms: durationMs }
  if (durationMs > interruptMs)
    return {
      ...nothingMore,
      action: 'INTERRUPT',
      target: agentId,
      reason: `Task exceeded ${minutes(interruptMs)} minute timeout`,
      followUp: 'SKIP_AND_CONTINUE',
      facts,
    }
  if (durationMs > escalateMs)
    return {
      action: 'ESCALATE',
      target: HUMAN,
      reason: `Task ${task} stuck for ${minutes(durationMs)} min. Skip or wait?`,
      followUp: null,
      checkAgainMs: watchMs,
      options: STUCK_OPTIONS,
      facts,
    }
  return {
    ...nothingMore,
    action: 'WATCH',
    target: null,
    reason: `Task ${task} is stuck for ${minutes(durationMs)} min; it is looked at again in ${minutes(watchMs)} min`,
    checkAgainMs: watchMs,
    facts,
  }
}

export interface ComponentDownFacts {
  readonly component: AgentId
  /** Null: nobody has ever started it. */
  readonly wanted: AgentWanted | null
  readonly status: AgentStatus | null
  /** How often it was restarted because it was down, within an hour. */
  readonly restarts: number
}

/** What is to run is restarted, so often and no more; what a person has stopped stays so. */
export function decideComponent(
  { component, wanted, status, restarts }: ComponentDownFacts,
  { componentRestarts }: Thresholds,
): Decision {
  const facts = { component, wanted, status, restarts }
  if (wanted === 'stopped' || wanted === 'paused')
    return {
      ...nothingMore,
      action: 'LEAVE',
      target: component,
      reason: `${component} was ${wanted} by an order`,
      facts,
    }
  if (restarts >= componentRestarts)
    return {
      ...nothingMore,
      action: 'ESCALATE',
      target: HUMAN,
      reason: `${component} is down again after ${restarts} restarts within an hour. Restart it once more?`,
      options: DOWN_OPTIONS,
      facts,
    }
  return {
    ...nothingMore,
    action: 'RESTART',
    target: component,
    reason: `${component} gives no sign of life`,
    facts,
  }
}

/** The person is told by the alert itself; what can be done about it is theirs. */
export function decideBuildFailed({
  build,
  why,
}: {
  readonly build: string
  readonly why: string
}): Decision {
  return {
    ...nothingMore,
    action: 'ESCALATE',
    target: HUMAN,
    reason: `The build ${build} failed: ${why}`.slice(0, 1_000),
    facts: { build },
  }
}

export interface Waiter {
  /** As it is in the circle: each waits for the next, the last for the first. */
  readonly name: string
  /** Smaller is sooner; none is last. */
  readonly priority: number | null
  /** Null: nobody has it in hand. */
  readonly claimedAt: string | null
  readonly number: number
}

/** The least urgent goes out of the circle; of those that are equal the one that has been at work for the shortest time. */
export function decideDeadlock(cycle: readonly Waiter[]): Decision {
  const [out] = cycle.toSorted(byLoss)
  const next = out === undefined ? undefined : cycle[(cycle.indexOf(out) + 1) % cycle.length]
  const edge = `${out?.name ?? 'nobody'} -> ${next?.name ?? 'nobody'}`
  return {
    ...nothingMore,
    action: 'BREAK',
    target: out?.name ?? null,
    reason: `${edge} is broken: of the ${cycle.length} that wait for each other it is the least urgent, and the last that was begun`,
    followUp: 'BACK_TO_QUEUE',
    facts: {
      edge,
      cycle: cycle
        .map(({ name }) => name)
        .join(' -> ')
        .slice(0, 2_000),
    },
  }
}

function byLoss(one: Waiter, other: Waiter): number {
  const urgency = ({ priority }: Waiter) => priority ?? Number.MAX_SAFE_INTEGER
  const begun = ({ claimedAt }: Waiter) =>
    claimedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(claimedAt)
  return urgency(other) - urgency(one) || begun(other) - begun(one) || other.number - one.number
}
