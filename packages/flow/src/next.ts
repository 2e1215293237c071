// What an agent that asks for work is told.
import type { AgentWanted } from '@treadle/contracts/agent'
import type { ItemRef } from '@treadle/contracts/ids'

export interface NextFacts {
  readonly wanted: AgentWanted
  /** The item it already holds. */
  readonly held: ItemRef | null
  /** First of the queue. */
  readonly first: ItemRef | null
  readonly pollMs: number
}

export type NextChoice =
  | { readonly is: 'resume'; readonly item: ItemRef }
  | { readonly is: 'claim'; readonly item: ItemRef }
  | { readonly is: 'wait'; readonly why: string; readonly pollMs: number }
  | { readonly is: 'stop'; readonly why: string }

export function decideNext({ wanted, held, first, pollMs }: NextFacts): NextChoice {
  if (wanted === 'stopped') return { is: 'stop', why: 'this agent was told to stop' }
  // Work in hand is finished before anything else, also by an agent that is to pause afterwards.
  if (held !== null) return { is: 'resume', item: held }
  if (wanted === 'paused') return { is: 'wait', why: 'this agent is paused', pollMs }
  if (first !== null) return { is: 'claim', item: first }
  return { is: 'wait', why: 'the queue is empty', pollMs }
}
