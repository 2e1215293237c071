// Routes: the part of the address behind the #, so that the same files work under any path.
import { Slug } from '@treadle/contracts/idea'
import { AgentId, ItemRef, Positive } from '@treadle/contracts/ids'
import { MetricsPeriod } from '@treadle/contracts/metrics'
import { TaskId } from '@treadle/contracts/specification'

/** The spans of time that costs are shown for, in days. */
export const COST_SPANS = [7, 30, 90] as const
/** The number of days that the costs screen looks at. */
export type CostSpan = (typeof COST_SPANS)[number]

/** The screens that have an address of their own. */
export type ScreenName =
  | 'now'
  | 'work'
  | 'ideas'
  | 'specifications'
  | 'builds'
  | 'review'
  | 'loops'
  | 'activity'
  | 'costs'
  | 'metrics'
  | 'lessons'
  | 'health'
  | 'maintenance'
  | 'settings'
  | 'audit'

/** What is shown of a specification: its text, its tasks one by one, or what waits for what. */
const SPECIFICATION_VIEWS = ['document', 'tasks', 'graph'] as const
export type SpecificationView = (typeof SPECIFICATION_VIEWS)[number]

type PlainRoute<Name> = Name extends unknown ? { readonly is: Name } : never

export type Route =
  | PlainRoute<
      Exclude<
        ScreenName,
        'work' | 'ideas' | 'specifications' | 'builds' | 'review' | 'activity' | 'loops' | 'costs' | 'metrics'
      >
    >
  /** The view and the filters of the work as the address says them; absent: everything, as a board. */
  | { readonly is: 'work'; readonly query?: string }
  /** The talk about one idea; null stands for the list of ideas. */
  | { readonly is: 'ideas'; readonly idea: Slug | null }
  /** The specification of one idea; null stands for the list of them. */
  | {
      readonly is: 'specifications'
      readonly idea: Slug | null
      readonly view: SpecificationView
      readonly task?: TaskId
    }
  /** A build by its id, or the newest one of an idea; null stands for the list of them. */
  | { readonly is: 'builds'; readonly build: Slug | null }
  /** The delivery of one item; null stands for the queue of all that needs a person. */
  | { readonly is: 'review'; readonly item: ItemRef | null }
  | { readonly is: 'loops'; readonly item: ItemRef | null }
  | { readonly is: 'activity'; readonly agentId: AgentId | null }
  | { readonly is: 'item'; readonly item: ItemRef }
  | { readonly is: 'costs'; readonly days: CostSpan }
  | { readonly is: 'metrics'; readonly period: MetricsPeriod }
  /** A conflict by its id. */
  | { readonly is: 'conflicts'; readonly id: number }

const PLAIN: readonly Route[] = [
  { is: 'lessons' },
  { is: 'health' },
  { is: 'maintenance' },
  { is: 'settings' },
  { is: 'audit' },
]
/** Screens by a name they had before, or by that of their place; a kept link still leads there. */
const RENEWED: ReadonlyMap<string, ScreenName> = new Map([
  ['board', 'work'],
  ['inbox', 'review'],
  ['upkeep', 'maintenance'],
  ['insights', 'costs'],
])
/** Addresses of the first screen. */
const AT_HOME: readonly string[] = ['', 'now', 'crew']
export const HOME: Route = { is: 'now' }
export const QUEUE: Route = { is: 'review', item: null }
/** The days and the period that are shown if the address does not say. */
export const DAYS: CostSpan = 30
export const PERIOD: MetricsPeriod = '7d'
export const IDEAS: Route = { is: 'ideas', idea: null }
export const SPECIFICATIONS: Route = { is: 'specifications', idea: null, view: 'document' }
export const BUILDS: Route = { is: 'builds', build: null }

/** An address that names nothing leads home. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [named = '', ...rest] = path.split('/')
  const screen = RENEWED.get(named) ?? named
  const read = ItemRef.safeParse({ projectNumber: Number(rest[0]), number: Number(rest[1]) })
  const item = read.success ? read.data : null
  switch (screen) {
    case 'item':
      return item === null ? HOME : { is: 'item', item }
    case 'review':
    case 'loops':
      return { is: screen, item }
    case 'conflicts': {
      const id = Positive.safeParse(Number(rest[0]))
      return id.success ? { is: 'conflicts', id: id.data } : QUEUE
    }
    case 'activity': {
      const agent = AgentId.safeParse(new URLSearchParams(query).get('agent'))
      return { is: 'activity', agentId: agent.success ? agent.data : null }
    }
    case 'work':
      return workOf(query)
    case 'ideas':
      return { is: screen, idea: slugIn(rest[0]) }
    case 'builds':
      return { is: screen, build: slugIn(rest[0]) }
    case 'specifications':
      return specificationOf(slugIn(rest[0]), query)
    case 'costs':
      return costsOf(query)
    case 'metrics':
      return metricsOf(query)
  }
  return PLAIN.find(({ is }) => is === screen) ?? HOME
}

function workOf(query: string): Route {
  return query === '' ? { is: 'work' } : { is: 'work', query }
}

function slugIn(text: string | undefined): Slug | null {
  return Slug.safeParse(text).data ?? null
}

function specificationOf(idea: Slug | null, query: string): Route {
  if (idea === null) return SPECIFICATIONS
  const said = new URLSearchParams(query)
  const view = SPECIFICATION_VIEWS.find((each) => each === said.get('view')) ?? 'document'
  const task = view === 'tasks' ? TaskId.safeParse(said.get('task')).data : undefined
  return { is: 'specifications', idea, view, ...(task === undefined ? {} : { task }) }
}

function costsOf(query: string): Route {
  const days = Number(new URLSearchParams(query).get('days'))
  return { is: 'costs', days: COST_SPANS.find((span) => span === days) ?? DAYS }
}

function metricsOf(query: string): Route {
  const period = MetricsPeriod.safeParse(new URLSearchParams(query).get('period'))
  return { is: 'metrics', period: period.success ? period.data : PERIOD }
}

function specificationHref({ idea, view, task }: Extract<Route, { is: 'specifications' }>): string {
  if (idea === null) return '#/specifications'
  const shown = view === 'document' ? '' : `?view=${view}`
  return `#/specifications/${idea}${shown}${task === undefined ? '' : `&task=${task}`}`
}

/** True for an address that names nothing; the first screen is shown all the same. */
export function isLost(hash: string): boolean {
  const [path = ''] = hash.replace(/^#\/?/, '').split('?')
  return !AT_HOME.includes(path) && !hash.startsWith('#token=') && routeOf(hash).is === 'now'
}

function named(screen: 'ideas' | 'builds', name: Slug | null): string {
  return name === null ? `#/${screen}` : `#/${screen}/${name}`
}

export function hrefOf(route: Route): string {
  switch (route.is) {
    case 'item':
      return `#/item/${route.item.projectNumber}/${route.item.number}`
    case 'review':
    case 'loops':
      return route.item === null
        ? `#/${route.is}`
        : `#/${route.is}/${route.item.projectNumber}/${route.item.number}`
    case 'activity':
      return route.agentId === null ? '#/activity' : `#/activity?agent=${encodeURIComponent(route.agentId)}`
    case 'conflicts':
      return `#/conflicts/${route.id}`
    case 'work':
      return route.query === undefined || route.query === '' ? '#/work' : `#/work?${route.query}`
    case 'ideas':
      return named('ideas', route.idea)
    case 'builds':
      return named('builds', route.build)
    case 'specifications':
      return specificationHref(route)
    case 'costs':
      return route.days === DAYS ? '#/costs' : `#/costs?days=${route.days}`
    case 'metrics':
      return route.period === PERIOD ? '#/metrics' : `#/metrics?period=${route.period}`
    default:
      return `#/${route.is}`
  }
}
