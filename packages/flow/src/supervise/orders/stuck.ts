// Is a claim stuck? It is when it is too old, or when its holder is dead and nobody will start it again.
import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'

export interface StuckFacts {
  readonly now: number
  readonly claimedAt: number
  readonly claimMs: number
  /** Null: there is no such agent. */
  readonly holder: {
    readonly status: AgentStatus
    readonly wanted: AgentWanted
    readonly alive: boolean
  } | null
}
export type StuckChoice =
  | { readonly is: 'fine' }
  | { readonly is: 'stuck'; readonly because: 'old' | 'holder_dead' }

export function judgeStuck({ now, claimedAt, claimMs, holder }: StuckFacts): StuckChoice {
  if (now - claimedAt > claimMs) return { is: 'stuck', because: 'old' }
  // An agent that is to run is started again and takes its work up itself.
  const left = holder === null || holder.wanted === 'stopped' || holder.status === 'failed'
  return left && holder?.alive !== true ? { is: 'stuck', because: 'holder_dead' } : { is: 'fine' }
}
