// What an agent that asks for work is told.
import type { AgentWanted } from '@treadle/contracts/agent'
import type { ItemRef } from '@treadle/contracts/ids'

export interface NextFacts {
  readonly wanted: AgentWanted
  /** Nobody here has ever started it: of a daemon before this one, with another database. */
  readonly orphaned?: boolean
  /** The item it already holds. */
  readonly held: ItemRef | null
  /** First of the queue. */
  readonly first: ItemRef | null
  /** Why nothing new is claimed at present. */
  readonly holds: readonly string[]
  readonly pollMs: number
}

export type NextChoice =
  | { readonly is: 'resume'; readonly item: ItemRef }
  | { readonly is: 'claim'; readonly item: ItemRef }
  | { readonly is: 'wait'; readonly why: string; readonly pollMs: number }
  | { readonly is: 'stop'; readonly why: string }

export function decideNext({ wanted, orphaned, held, first, holds, pollMs }: NextFacts): NextChoice {
  // Somebody has to decide what becomes of it.
  if (orphaned && wanted === 'stopped') return { is: 'wait', why: 'nobody asked for this agent', pollMs }
  if (wanted === 'stopped') return { is: 'stop', why: 'this agent was told to stop' }
  if (wanted === 'paused') return { is: 'wait', why: 'this agent is paused', pollMs }
  // Work in hand is finished before anything else.
  if (held !== null) return { is: 'resume', item: held }
  if (holds.length > 0) return { is: 'wait', why: holds.join('; '), pollMs }
  if (first !== null) return { is: 'claim', item: first }
  return { is: 'wait', why: 'the queue is empty', pollMs }
}
