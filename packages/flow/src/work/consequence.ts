// What follows a move, as data: the after.ts of each stage returns effects, and advance() applies them in its transaction.
import type { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import type { Store } from '../ports/store.ts'

/** A move that was made: the item before and after it, and its run as it was before. */
export interface Moved {
  readonly item: ItemRef
  readonly eventId: EventId
  readonly agentId: AgentId | null
  readonly move: ItemMove
  readonly before: Item
  readonly after: Item
  readonly run: Run | null
  readonly now: Date
  readonly config: Config
}

type Noun = Exclude<keyof Store, 'tx'>
type Verb<N extends Noun> = keyof Store[N] & string
type Arguments<F> = F extends (...args: infer A) => unknown ? A : never

/** One write to the store: which noun, which of its verbs, with what. */
export interface Effect {
  readonly noun: Noun
  readonly verb: string
  readonly args: readonly unknown[]
}

export function effect<N extends Noun, V extends Verb<N>>(
  noun: N,
  verb: V,
  ...args: Arguments<Store[N][V]>
): Effect {
  return { noun, verb, args }
}

/** What one stage makes of a move. `read` looks up what the choice depends on; `after` is pure. */
export interface Consequence<Facts = undefined> {
  read?(store: Store, moved: Moved): Promise<Facts>
  after(moved: Moved, facts: Facts): readonly Effect[]
}
/** A consequence whose facts only itself knows. */
export type AnyConsequence = Consequence<unknown>
