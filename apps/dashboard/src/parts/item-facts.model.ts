// An item's facts, as the board and its own screen show them.
import type { Item } from '@treadle/contracts/item'

/** The small facts beside an item, in words. */
export function factsOf(item: Item): string[] {
  const facts: string[] = []
  if (item.claimedByAgentId) facts.push(item.claimedByAgentId)
  if (item.attempts > 0) facts.push(item.attempts === 1 ? '1 attempt' : `${item.attempts} attempts`)
  if (item.needsRework) facts.push('to be reworked')
  return facts
}
