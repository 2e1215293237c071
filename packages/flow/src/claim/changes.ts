// What a claim changes of its item: the statement that takes it writes this and leaves the rest of the row alone.
import { Item } from '@treadle/contracts/item'

const CHANGES = [
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
export type ClaimChanges = Pick<Item, (typeof CHANGES)[number]>

/** Written from the claim itself; the status is not stored, it follows from the state. */
const GIVEN: readonly (keyof Item)[] = ['claimedByAgentId', 'claimedAt', 'fence', 'runId', 'status']

const written: ReadonlySet<keyof Item> = new Set([...CHANGES, ...GIVEN])
const KEPT = Item.keyof().options.filter((key) => !written.has(key))

/** A field that the step has changed and the claim would not write; null if there is none. */
export function lostInClaim(before: Item, after: Item): keyof Item | null {
  return KEPT.find((key) => before[key] !== after[key]) ?? null
}
