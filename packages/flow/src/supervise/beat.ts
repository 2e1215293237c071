// What a sign of life changes. An agent says what it is doing; what was ordered meanwhile stands.
import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import { type AgentSign, stepAgent } from './agent.machine.ts'

export interface BeatFacts {
  readonly status: AgentStatus
  readonly wanted: AgentWanted
  /** The process that the supervisor knows; null if it has started none. */
  readonly pid: number | null
  /** Whether the supervisor has ever started it. */
  readonly supervised: boolean
  readonly said: { readonly status: AgentStatus; readonly pid: number }
}

export type BeatChoice =
  | { readonly is: 'keep' }
  | { readonly is: 'change'; readonly to: AgentStatus }
  /** What it says does not follow from what it was; it lives, and its status stays. */
  | { readonly is: 'refuse'; readonly why: string }
  /** Of a process that has been replaced. */
  | { readonly is: 'stale' }

export function judgeBeat({ status, wanted, pid, supervised, said }: BeatFacts): BeatChoice {
  if (pid !== null && said.pid !== pid) return { is: 'stale' }
  if (said.status === status) return { is: 'keep' }
  // It has not heard of the order yet; only its end is news.
  const ended = said.status === 'stopped' || said.status === 'crashed'
  const ordered = wanted === 'paused' || (wanted === 'stopped' && supervised)
  if (ordered && !ended) return { is: 'keep' }
  // The order has been taken back, and it has not heard of that.
  if (said.status === 'paused') return { is: 'keep' }
  const to = stepAgent(status, signOf(status, said.status))
  if (to === said.status) return { is: 'change', to }
  return { is: 'refuse', why: `an agent that is ${status} does not become ${said.status}` }
}

/** The sign by which one status would lead to another, if the machine knows a way. */
function signOf(from: AgentStatus, to: AgentStatus): AgentSign {
  switch (to) {
    case 'idle':
      return ['stopped', 'crashed', 'failed'].includes(from) ? { type: 'start' } : { type: 'ends' }
    case 'paused':
      return { type: 'pause' }
    case 'stopped':
      return { type: 'stop' }
    case 'crashed':
      return { type: 'dies' }
    case 'failed':
      return { type: 'gives_up' }
    case 'working':
    case 'reviewing':
    case 'ideating':
      return { type: 'begins', what: to }
  }
}
