// May a claim stand? It falls only when it is old and its holder is not well.
import type { AgentHealth } from '@treadle/contracts/agent'

export interface LeaseFacts {
  readonly now: number
  readonly claimedAt: number
  /** Null if nothing is known of the holder. */
  readonly holder: AgentHealth | null
  readonly claimMs: number
}
export type LeaseChoice =
  | { readonly is: 'keep' }
  | { readonly is: 'release'; readonly because: 'silent_and_old' }

export function decideLease({ now, claimedAt, holder, claimMs }: LeaseFacts): LeaseChoice {
  const old = now - claimedAt > claimMs
  return old && holder !== 'healthy' ? { is: 'release', because: 'silent_and_old' } : { is: 'keep' }
}
