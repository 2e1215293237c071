// What keeps an item from being begun, in a few words.
import { itemLabel } from '../ids.ts'
import type { Clearance } from '../lock.ts'

export function clearanceWords(clearance: Clearance): string {
  switch (clearance.is) {
    case 'ready':
      return 'Ready'
    case 'blocked':
      return `Blocked by ${clearance.by.map((number) => `#${number}`).join(', ')}`
    case 'owned':
      return `Owned by ${clearance.by}`
    case 'locked':
      return `Locked by ${clearance.by} for ${itemLabel(clearance.item)}`
  }
}
