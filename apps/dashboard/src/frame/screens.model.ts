// The four places of the page and what stands behind the gear: what each is called, its screens, and the key that leads there.
import { itemLabel } from '@treadle/contracts/ids'
import {
  BUILDS,
  DAYS,
  IDEAS,
  PERIOD,
  type Route,
  type ScreenName,
  SPECIFICATIONS,
} from '../parts/route.model.ts'

export interface ScreenEntry {
  readonly to: ScreenName
  readonly words: string
  /** The key that leads here, after g. */
  readonly key: string
}

export type PlaceName = 'now' | 'work' | 'review' | 'insights' | 'gear'

export interface PlaceEntry {
  readonly name: PlaceName
  readonly words: string
  /** The key that leads to the first screen, after g. */
  readonly key: string
  /** The screens of the place; the first is where one arrives. */
  readonly screens: readonly [ScreenEntry, ...ScreenEntry[]]
}

const alone = (to: ScreenName, words: string, key: string) =>
  ({ words, key, screens: [{ to, words, key }] }) as const

export const PLACES: readonly PlaceEntry[] = [
  { name: 'now', ...alone('now', 'Now', 'n') },
  { name: 'work', ...alone('work', 'Work', 'w') },
  { name: 'review', ...alone('review', 'Review', 'r') },
  {
    name: 'insights',
    words: 'Insights',
    key: 'i',
    screens: [
      { to: 'costs', words: 'Costs', key: 'o' },
      { to: 'metrics', words: 'Metrics', key: 'm' },
      { to: 'lessons', words: 'Lessons', key: 'e' },
      { to: 'health', words: 'Health', key: 'h' },
      { to: 'activity', words: 'Activity', key: 'a' },
      { to: 'loops', words: 'Loops', key: 'l' },
    ],
  },
  {
    name: 'gear',
    words: 'Maintenance and settings',
    key: 'u',
    screens: [
      { to: 'maintenance', words: 'Maintenance', key: 'u' },
      { to: 'settings', words: 'Settings', key: 's' },
      { to: 'audit', words: 'Audit log', key: 't' },
    ],
  },
]

const SCREENS: readonly ScreenEntry[] = PLACES.flatMap(({ screens }) => screens)

/** The keys that lead somewhere, after g: every screen, Insights by its own, and the views of the work that are no items. */
export const JUMPS: readonly ScreenEntry[] = [
  ...SCREENS.slice(0, 3),
  { to: 'costs', words: 'Insights', key: 'i' },
  ...SCREENS.slice(3),
  { to: 'ideas', words: 'Ideas', key: 'd' },
  { to: 'specifications', words: 'Specifications', key: 'p' },
  { to: 'builds', words: 'Builds', key: 'b' },
]

export function routeTo(screen: ScreenName): Route {
  if (screen === 'loops' || screen === 'review') return { is: screen, item: null }
  if (screen === 'ideas') return IDEAS
  if (screen === 'specifications') return SPECIFICATIONS
  if (screen === 'builds') return BUILDS
  if (screen === 'costs') return { is: 'costs', days: DAYS }
  if (screen === 'metrics') return { is: 'metrics', period: PERIOD }
  return screen === 'activity' ? { is: 'activity', agentId: null } : { is: screen }
}

const AT_WORK: readonly Route['is'][] = ['item', 'ideas', 'specifications', 'builds']

/** The screen that a route belongs to: an item, an idea, a specification and a build to the work, a conflict to the review. */
function screenOf(route: Route): ScreenName {
  if (route.is === 'item' || AT_WORK.includes(route.is)) return 'work'
  return route.is === 'conflicts' ? 'review' : route.is
}

export function isAt(at: Route, screen: ScreenName): boolean {
  return screenOf(at) === screen
}

export function placeOf(route: Route): PlaceEntry {
  const screen = screenOf(route)
  const found = PLACES.find(({ screens }) => screens.some(({ to }) => to === screen))
  if (found === undefined) throw new Error(`no place has the screen ${screen}`)
  return found
}

/** The name of a screen, for the title of the window. */
export function nameOf(route: Route): string {
  if (route.is === 'item') return itemLabel(route.item)
  if (route.is === 'conflicts') return 'Conflict'
  if (route.is === 'review' && route.item !== null) return `Review ${itemLabel(route.item)}`
  return JUMPS.find(({ to, words }) => to === route.is && words !== 'Insights')?.words ?? ''
}

/** A key for a screen that stays the same while the reader only chooses another agent or another time. */
export function screenKey(route: Route): string {
  if (route.is === 'item') return `item ${itemLabel(route.item)}`
  if (route.is === 'ideas' || route.is === 'specifications') return `${route.is} ${route.idea ?? ''}`
  if (route.is === 'builds') return `builds ${route.build ?? ''}`
  // One after the other: what was said of the last one is still read at the next.
  if (route.is === 'review' && route.item !== null) return 'a review'
  return route.is === 'conflicts' ? `conflict ${route.id}` : route.is
}
