// An item that takes back the merge of another one.
import { z } from 'zod'
import { CommitId, Positive } from './ids.ts'
import { Item, ItemState } from './item.ts'

/** The item that takes a merge back, as the merged item tells of it. */
export const RevertedBy = z.strictObject({
  number: Positive,
  state: ItemState,
  mergeCommit: CommitId.nullable(),
})
export type RevertedBy = z.infer<typeof RevertedBy>

/** What came of the order to take a merge back. */
export const RevertOrdered = z.strictObject({
  item: Item,
  /** `open`: it was ordered before, and this is that item. */
  is: z.enum(['added', 'open']),
  /** Files in which later work stands in the way, as things are now. */
  conflicts: z.array(z.string()),
})
export type RevertOrdered = z.infer<typeof RevertOrdered>
