// A claim writes only some fields of its item; this sees to it that a step has changed no other.
import { Item } from '@treadle/contracts/item'
import { CLAIM_CHANGES } from '../ports/claims.ts'

/** Fields written from the claim itself; the status is not stored, it follows from the state. */
const FROM_CLAIM: readonly (keyof Item)[] = ['claimedByAgentId', 'claimedAt', 'fence', 'runId', 'status']

const written: ReadonlySet<keyof Item> = new Set([...CLAIM_CHANGES, ...FROM_CLAIM])
const KEPT = Item.keyof().options.filter((key) => !written.has(key))

/** A field that the step has changed and the claim would not write; null if there is none. */
export function lostInClaim(before: Item, after: Item): keyof Item | null {
  return KEPT.find((key) => before[key] !== after[key]) ?? null
}
