// Claims: how an item stands to one, and the statement that takes it.
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item, ItemStatus } from '@treadle/contracts/item'
import type { NewEvent } from './events.ts'
import type { NewRun } from './runs.ts'

/** The fields of an item that a claim writes; the statement that takes it leaves the rest of the row alone. */
export const CLAIM_CHANGES = [
  'state',
  'needsHuman',
  'attempts',
  'reminders',
  'assignedAgentId',
  'approval',
  'confidence',
  'reason',
  'deadlineAt',
  'updatedAt',
] as const satisfies readonly (keyof Item)[]
type ClaimChanges = Pick<Item, (typeof CLAIM_CHANGES)[number]>

export type ClaimFound =
  /** Nobody holds it; `version` changes with every write to the item. */
  | { readonly is: 'free'; readonly item: Item; readonly version: string }
  | { readonly is: 'repeated'; readonly fence: number; readonly runId: RunId }
  | { readonly is: 'held'; readonly by: AgentId | null; readonly status: ItemStatus }
  /** Nobody holds it, and these items of its project must be done first. */
  | { readonly is: 'blocked'; readonly by: readonly number[] }
  /** Nobody holds it, and one of its files belongs to somebody whom nobody has spoken with. */
  | { readonly is: 'owned'; readonly by: string }
  | { readonly is: 'missing' }

export interface Claims {
  /** How the item stands to a claim; nothing is locked by looking. */
  look(ref: ItemRef, by: { agentId: AgentId; requestId: EventId | null }): Promise<ClaimFound>
  /**
   * One conditional statement: the changes of the item, the claim, the run and the event are written only if the
   * item is still what was looked at. False: it is not.
   */
  take(claim: {
    changes: ClaimChanges
    version: string
    requestId: EventId | null
    run: NewRun
    event: Pick<NewEvent, 'id' | 'event'>
  }): Promise<boolean>
}
