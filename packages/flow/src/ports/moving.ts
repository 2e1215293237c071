// What a stage is handed to move an item, bound to the whole store at the composition root: a stage sees the nouns that
// it uses, and the move writes to any.
import type { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import type { Run } from '@treadle/contracts/run'
import type { ClaimFound } from './claims.ts'

export interface AdvanceRequest {
  readonly item: ItemRef
  readonly eventId: EventId
  /** The fencing token of the claim under which this is said; null for the daemon's own moves. */
  readonly fence: number | null
  readonly agentId: AgentId | null
  readonly move: ItemMove
}

export type Advanced =
  | { readonly is: 'advanced'; readonly item: Item }
  | { readonly is: 'duplicate'; readonly item: Item }
  | { readonly is: 'fenced'; readonly item: Item }
  | { readonly is: 'refused'; readonly item: Item; readonly why: string }
  | { readonly is: 'missing' }

export interface ClaimRequest {
  readonly found: Extract<ClaimFound, { is: 'free' }>
  readonly agentId: AgentId
  readonly runId: RunId
  readonly requestId: EventId | null
}

/** What a claim leads to; `fence` is the token under which the agent speaks from now on. */
export type ClaimStep =
  | { readonly is: 'claimed'; readonly item: Item; readonly run: Run; readonly fence: number }
  | { readonly is: 'overtaken' }
  /** Another item of the same build has one of its files. */
  | { readonly is: 'locked'; readonly item: Item; readonly lock: FileLock }

/** Moves an item: advance() of advance.ts. */
export type Advance = (request: AdvanceRequest) => Promise<Advanced>
export type AdvanceClaim = (request: ClaimRequest) => Promise<ClaimStep>

/** What a stage that moves items has of the world, besides the nouns that it uses. */
export interface MovingWorld {
  readonly advance: Advance
  readonly now: () => Date
  readonly config: () => Config
}
