// What an agent that asks for work is told.
import type { AgentWanted } from '@treadle/contracts/agent'
import type { ItemRef } from '@treadle/contracts/ids'

export interface NextFacts<T = never> {
  readonly wanted: AgentWanted
  /** Nobody here has ever started it: of a daemon before this one, with another database. */
  readonly orphaned?: boolean
  /** The item it already holds. */
  readonly held: ItemRef | null
  /** Somebody waits for a reply that it can give; left out or null: nobody. */
  readonly thought?: T | null
  /** First of the queue. */
  readonly first: ItemRef | null
  /** Why nothing new is claimed at present. */
  readonly holds: readonly string[]
  readonly pollMs: number
}

export type NextChoice<T = never> =
  | { readonly is: 'resume'; readonly item: ItemRef }
  | { readonly is: 'think'; readonly thought: T }
  | { readonly is: 'claim'; readonly item: ItemRef }
  | { readonly is: 'wait'; readonly why: string; readonly pollMs: number }
  | { readonly is: 'stop'; readonly why: string }

export function decideNext<T = never>({
  wanted,
  orphaned,
  held,
  thought = null,
  first,
  holds,
  pollMs,
}: NextFacts<T>): NextChoice<T> {
  // Somebody has to decide what becomes of it.
  if (orphaned && wanted === 'stopped') return { is: 'wait', why: 'nobody asked for this agent', pollMs }
  if (wanted === 'stopped') return { is: 'stop', why: 'this agent was told to stop' }
  if (wanted === 'paused') return { is: 'wait', why: 'this agent is paused', pollMs }
  // Work in hand is finished before anything else.
  if (held !== null) return { is: 'resume', item: held }
  // A person waits for it, and it needs neither tests nor a free place in the train.
  if (thought !== null) return { is: 'think', thought }
  if (holds.length > 0) return { is: 'wait', why: holds.join('; '), pollMs }
  if (first !== null) return { is: 'claim', item: first }
  return { is: 'wait', why: 'the queue is empty', pollMs }
}
