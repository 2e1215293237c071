// The route of the address, as a hook.
import { useSyncExternalStore } from 'react'
import { type Route, routeOf } from '../parts/route.model.ts'

let seen = ''
let route = routeOf(seen)

export function useRoute(): Route {
  return useSyncExternalStore(onMove, current)
}

/** The route of the address: the same object as long as the address is the same. */
function current(): Route {
  if (location.hash === seen) return route
  seen = location.hash
  route = routeOf(seen)
  return route
}

function onMove(tell: () => void): () => void {
  addEventListener('hashchange', tell)
  return () => removeEventListener('hashchange', tell)
}
