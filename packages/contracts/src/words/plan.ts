// What an item has to do with others, in words.
import type { ItemRef } from '../ids.ts'
import type { Item, ItemChanges, RankMove } from '../item.ts'
import { clearanceWords } from './clearance.ts'

const numbers = (of: readonly number[]): string => of.map((number) => `#${number}`).join(', ')

/** What keeps an item from being begun; `withdrawn`: items that nobody works on any more, as far as they are known. */
export function blockedWords(
  { blockedBy, projectNumber, clearance }: Pick<Item, 'blockedBy' | 'projectNumber' | 'clearance'>,
  withdrawn: readonly ItemRef[] = [],
): string | null {
  if (blockedBy.length === 0)
    return clearance?.is === 'owned' || clearance?.is === 'locked' ? clearanceWords(clearance) : null
  const isWithdrawn = (number: number) =>
    withdrawn.some((item) => item.number === number && item.projectNumber === projectNumber)
  const named = blockedBy.map((number) => `#${number}${isWithdrawn(number) ? ' (withdrawn)' : ''}`)
  return `Blocked by ${named.join(', ')}`
}

const LIST = new Intl.ListFormat('en-GB')

/** For whoever has withdrawn an item: what waits for it, and how that can go on; null: nothing does. */
export function waitingWords(waiting: readonly number[]): string | null {
  const [first] = waiting
  if (first === undefined) return null
  const named = LIST.format(waiting.map((number) => `#${number}`))
  return `${named} ${waiting.length === 1 ? 'waits' : 'wait'} for it: treadle edit ${first} --no-after`
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
  return [...told, ...queueWords(plan)].join('; ')
}

/** When it has its turn, and with whom. */
function queueWords({ priority, engine, rank, requiresCoordination }: ItemChanges): string[] {
  const told: string[] = []
  if (priority !== undefined) told.push(`priority ${priority ?? 'none'}`)
  if (engine !== undefined) told.push(`engine ${engine ?? 'as the settings say'}`)
  if (requiresCoordination === false) told.push('agreed with the owner of its files')
  return [...told, ...rankWords(rank)]
}

function rankWords(move: RankMove | undefined): string[] {
  if (move === undefined) return []
  const [side, number] = move.split(':')
  return [number === undefined ? `${side} of its priority` : `${side} #${number}`]
}
