// Where the reader is: the part of the address behind the #, so that the same files work under any path.
import { AgentId, ItemRef } from '@treadle/contracts/ids'

/** The screens that the navigation leads to. */
export type Screen = 'crew' | 'board' | 'inbox' | 'loops' | 'activity' | 'lessons' | 'health'

export type Route =
  | { readonly is: Exclude<Screen, 'activity' | 'loops'> }
  | { readonly is: 'loops'; readonly item: ItemRef | null }
  | { readonly is: 'activity'; readonly agentId: AgentId | null }
  | { readonly is: 'item'; readonly item: ItemRef }

const PLAIN: readonly Route[] = [{ is: 'board' }, { is: 'inbox' }, { is: 'lessons' }, { is: 'health' }]
export const HOME: Route = { is: 'crew' }

/** What is not known, or has been, leads home. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [screen, ...rest] = path.split('/')
  const read = ItemRef.safeParse({ projectNumber: Number(rest[0]), number: Number(rest[1]) })
  const item = read.success ? read.data : null
  if (screen === 'item') return item === null ? HOME : { is: 'item', item }
  if (screen === 'loops') return { is: 'loops', item }
  if (screen === 'activity') {
    const agent = AgentId.safeParse(new URLSearchParams(query).get('agent'))
    return { is: 'activity', agentId: agent.success ? agent.data : null }
  }
  return PLAIN.find(({ is }) => is === screen) ?? HOME
}

export function hrefOf(route: Route): string {
  switch (route.is) {
    case 'item':
      return `#/item/${route.item.projectNumber}/${route.item.number}`
    case 'loops':
      return route.item === null ? '#/loops' : `#/loops/${route.item.projectNumber}/${route.item.number}`
    case 'activity':
      return route.agentId === null ? '#/activity' : `#/activity?agent=${encodeURIComponent(route.agentId)}`
    default:
      return `#/${route.is}`
  }
}
