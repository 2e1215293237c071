// The screens in the order of the navigation, what each is called, and the key that leads there.
import { itemLabel } from '@treadle/contracts/ids'
import { DAYS, PERIOD, type Route, type ScreenName } from '../parts/route.model.ts'

export interface ScreenEntry {
  readonly to: ScreenName
  readonly words: string
  /** The key that leads here, after g. */
  readonly key: string
}

export const SCREENS: readonly ScreenEntry[] = [
  { to: 'crew', words: 'Crew', key: 'c' },
  { to: 'board', words: 'Board', key: 'b' },
  { to: 'inbox', words: 'Inbox', key: 'i' },
  { to: 'loops', words: 'Loops', key: 'l' },
  { to: 'activity', words: 'Activity', key: 'a' },
  { to: 'costs', words: 'Costs', key: 'o' },
  { to: 'metrics', words: 'Metrics', key: 'm' },
  { to: 'lessons', words: 'Lessons', key: 'e' },
  { to: 'health', words: 'Health', key: 'h' },
  { to: 'maintenance', words: 'Maintenance', key: 'u' },
]

export function routeTo(screen: ScreenName): Route {
  if (screen === 'loops') return { is: 'loops', item: null }
  if (screen === 'costs') return { is: 'costs', days: DAYS }
  if (screen === 'metrics') return { is: 'metrics', period: PERIOD }
  return screen === 'activity' ? { is: 'activity', agentId: null } : { is: screen }
}

/** True if a route belongs to a screen: an item to the board, a review or a conflict to the inbox. */
export function isAt(at: Route, screen: ScreenName): boolean {
  if (at.is === 'item') return screen === 'board'
  return at.is === screen || ((at.is === 'conflicts' || at.is === 'review') && screen === 'inbox')
}

/** The name of a screen, for the title of the window. */
export function nameOf(route: Route): string {
  if (route.is === 'item') return itemLabel(route.item)
  if (route.is === 'conflicts') return 'Conflicts'
  if (route.is === 'review') return route.item === null ? 'Review' : `Review ${itemLabel(route.item)}`
  return SCREENS.find(({ to }) => to === route.is)?.words ?? ''
}

/** A key for a screen that stays the same while the reader only chooses another agent or another time. */
export function screenKey(route: Route): string {
  if (route.is === 'item') return `item ${itemLabel(route.item)}`
  return route.is === 'conflicts' ? `conflict ${route.id}` : route.is
}
