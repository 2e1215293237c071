// Routes: the part of the address behind the #, so that the same files work under any path.
import { AgentId, ItemRef, Positive } from '@treadle/contracts/ids'
import { MetricsPeriod } from '@treadle/contracts/metrics'

/** The spans of time that costs are shown for, in days. */
export const COST_SPANS = [7, 30, 90] as const
/** The number of days that the costs screen looks at. */
export type CostSpan = (typeof COST_SPANS)[number]

/** The screens that the navigation leads to. */
export type ScreenName =
  | 'crew'
  | 'board'
  | 'inbox'
  | 'loops'
  | 'activity'
  | 'costs'
  | 'metrics'
  | 'lessons'
  | 'health'
  | 'maintenance'

export type Route =
  | { readonly is: Exclude<ScreenName, 'activity' | 'loops' | 'costs' | 'metrics'> }
  | { readonly is: 'loops'; readonly item: ItemRef | null }
  | { readonly is: 'activity'; readonly agentId: AgentId | null }
  | { readonly is: 'item'; readonly item: ItemRef }
  /** The delivery of an item, to be read and decided; null stands for all that wait. */
  | { readonly is: 'review'; readonly item: ItemRef | null }
  | { readonly is: 'costs'; readonly days: CostSpan }
  | { readonly is: 'metrics'; readonly period: MetricsPeriod }
  /** A conflict by its id; null stands for all that wait. */
  | { readonly is: 'conflicts'; readonly id: number | null }

const PLAIN: readonly Route[] = [
  { is: 'board' },
  { is: 'inbox' },
  { is: 'lessons' },
  { is: 'health' },
  { is: 'maintenance' },
]
/** Screens by a name they had before; a kept link still leads there. */
const RENAMED: ReadonlyMap<string | undefined, ScreenName> = new Map([['upkeep', 'maintenance']])
export const HOME: Route = { is: 'crew' }
/** The days and the period that are shown if the address does not say. */
export const DAYS: CostSpan = 30
export const PERIOD: MetricsPeriod = '7d'

/** An address that names nothing leads home. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [screen, ...rest] = path.split('/')
  const read = ItemRef.safeParse({ projectNumber: Number(rest[0]), number: Number(rest[1]) })
  const item = read.success ? read.data : null
  if (screen === 'item') return item === null ? HOME : { is: 'item', item }
  if (screen === 'loops' || screen === 'review') return { is: screen, item }
  if (screen === 'conflicts') {
    const id = Positive.safeParse(Number(rest[0]))
    return { is: 'conflicts', id: id.success ? id.data : null }
  }
  if (screen === 'activity') {
    const agent = AgentId.safeParse(new URLSearchParams(query).get('agent'))
    return { is: 'activity', agentId: agent.success ? agent.data : null }
  }
  if (screen === 'costs') return costsOf(query)
  if (screen === 'metrics') return metricsOf(query)
  return PLAIN.find(({ is }) => is === (RENAMED.get(screen) ?? screen)) ?? HOME
}

function costsOf(query: string): Route {
  const days = Number(new URLSearchParams(query).get('days'))
  return { is: 'costs', days: COST_SPANS.find((span) => span === days) ?? DAYS }
}

function metricsOf(query: string): Route {
  const period = MetricsPeriod.safeParse(new URLSearchParams(query).get('period'))
  return { is: 'metrics', period: period.success ? period.data : PERIOD }
}

/** True for an address that names nothing; the crew is shown all the same. */
export function isLost(hash: string): boolean {
  const [path = ''] = hash.replace(/^#\/?/, '').split('?')
  return !['', 'crew'].includes(path) && !hash.startsWith('#token=') && routeOf(hash).is === 'crew'
}

export function hrefOf(route: Route): string {
  switch (route.is) {
    case 'item':
      return `#/item/${route.item.projectNumber}/${route.item.number}`
    case 'loops':
    case 'review':
      return route.item === null
        ? `#/${route.is}`
        : `#/${route.is}/${route.item.projectNumber}/${route.item.number}`
    case 'activity':
      return route.agentId === null ? '#/activity' : `#/activity?agent=${encodeURIComponent(route.agentId)}`
    case 'conflicts':
      return route.id === null ? '#/conflicts' : `#/conflicts/${route.id}`
    case 'costs':
      return route.days === DAYS ? '#/costs' : `#/costs?days=${route.days}`
    case 'metrics':
      return route.period === PERIOD ? '#/metrics' : `#/metrics?period=${route.period}`
    default:
      return `#/${route.is}`
  }
}
