// What the supervisor does about one agent's process. The one place that decides restarts.
import type { AgentWanted } from '@treadle/contracts/agent'

export interface ProcessFacts {
  readonly wanted: AgentWanted
  readonly alive: boolean
  readonly restartsLastHour: number
  readonly restartsMax: number
  readonly msSinceRestart: number | null
}
export type ProcessChoice =
  | { readonly is: 'leave' }
  | { readonly is: 'start' }
  | { readonly is: 'wait'; readonly why: string }
  | { readonly is: 'stop' }
  | { readonly is: 'give_up'; readonly why: string }

/** The last is short enough for work to be taken up again within a minute of its holder's death. */
const BACKOFF_MS = [0, 200, 1_000, 2_000, 5_000, 15_000, 45_000]

export function decideProcess(facts: ProcessFacts): ProcessChoice {
  if (facts.wanted === 'stopped') return facts.alive ? { is: 'stop' } : { is: 'leave' }
  // Who is paused and dead is started when it may go on.
  if (facts.alive || facts.wanted === 'paused') return { is: 'leave' }
  if (facts.restartsLastHour >= facts.restartsMax) {
    return { is: 'give_up', why: `restarted ${facts.restartsLastHour} times within an hour` }
  }
  const backoff = BACKOFF_MS[Math.min(facts.restartsLastHour, BACKOFF_MS.length - 1)] ?? 0
  if (facts.msSinceRestart !== null && facts.msSinceRestart < backoff) {
    return { is: 'wait', why: `next start ${backoff} ms after the last` }
  }
  return { is: 'start' }
}
