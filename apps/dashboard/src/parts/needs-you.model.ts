// Items that only a person can move on.
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Item } from '@treadle/contracts/item'

export function needsYou(item: Item, approval: MergeApproval): boolean {
  if (item.needsHuman || item.state === 'escalated') return true
  return item.state === 'in_review' && approval === 'human'
}
