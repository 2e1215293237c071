// The screens in the order of the navigation, what each is called, and the key that leads there.
import { itemLabel } from '@treadle/contracts/ids'
import { DAYS, PERIOD, type Route, type Screen } from './route.model.ts'

export interface Way {
  readonly to: Screen
  readonly words: string
  /** After g. */
  readonly key: string
}

export const WAYS: readonly Way[] = [
  { to: 'crew', words: 'Crew', key: 'c' },
  { to: 'board', words: 'Board', key: 'b' },
  { to: 'inbox', words: 'Inbox', key: 'i' },
  { to: 'loops', words: 'Loops', key: 'l' },
  { to: 'activity', words: 'Activity', key: 'a' },
  { to: 'costs', words: 'Costs', key: 'o' },
  { to: 'metrics', words: 'Metrics', key: 'm' },
  { to: 'lessons', words: 'Lessons', key: 'e' },
  { to: 'health', words: 'Health', key: 'h' },
  { to: 'upkeep', words: 'Upkeep', key: 'u' },
]

export function routeTo(screen: Screen): Route {
  if (screen === 'loops') return { is: 'loops', item: null }
  if (screen === 'costs') return { is: 'costs', days: DAYS }
  if (screen === 'metrics') return { is: 'metrics', period: PERIOD }
  return screen === 'activity' ? { is: 'activity', agentId: null } : { is: screen }
}

/** An item belongs to the board, a conflict to what waits. */
export function isAt(at: Route, screen: Screen): boolean {
  if (at.is === 'item') return screen === 'board'
  return at.is === screen || (at.is === 'conflicts' && screen === 'inbox')
}

/** What the window is called there. */
export function nameOf(route: Route): string {
  if (route.is === 'item') return itemLabel(route.item)
  if (route.is === 'conflicts') return 'Conflicts'
  return WAYS.find(({ to }) => to === route.is)?.words ?? ''
}

/** The same while a reader only looks at it in another way: by another agent, over another time. */
export function placeOf(route: Route): string {
  if (route.is === 'item') return `item ${itemLabel(route.item)}`
  return route.is === 'conflicts' ? `conflict ${route.id}` : route.is
}
