// What an item has to do with others, in words.
import type { Item, ItemChanges } from '../item.ts'

const numbers = (of: readonly number[]): string => of.map((number) => `#${number}`).join(', ')

export function blockedWords({ blockedBy }: Pick<Item, 'blockedBy'>): string | null {
  return blockedBy.length === 0 ? null : `Blocked by ${numbers(blockedBy)}`
}

/** Each field that was given, with its value. */
export function planWords(plan: ItemChanges): string {
  const told: string[] = []
  if (plan.dependsOn !== undefined)
    told.push(plan.dependsOn.length === 0 ? 'waits for nothing' : `waits for ${numbers(plan.dependsOn)}`)
  if (plan.parent !== undefined)
    told.push(plan.parent === null ? 'part of nothing' : `part of #${plan.parent}`)
  if (plan.files !== undefined)
    told.push(`files ${plan.files.length === 0 ? 'not named' : plan.files.join(', ')}`)
  if (plan.phase !== undefined) told.push(`phase ${plan.phase ?? 'none'}`)
  if (plan.estimateHours !== undefined) told.push(`estimate ${plan.estimateHours ?? 'no'} h`)
  if (plan.priority !== undefined) told.push(`priority ${plan.priority ?? 'none'}`)
  return told.join('; ')
}
