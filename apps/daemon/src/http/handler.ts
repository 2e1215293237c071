// What answers a route of the contracts: a function of the daemon's world and the checked request.
import type { RouteName, routes } from '@treadle/contracts/api'
import type { Answer } from '@treadle/contracts/client'
import type { RestsOn } from '@treadle/contracts/item'
import type { KeyName } from '@treadle/contracts/route'
import type { z } from 'zod'
import type { World } from '../world.ts'

type Routes = typeof routes

/** Who asks, as the key says, and what keeps anybody else from asking the same. */
interface Caller {
  readonly key: KeyName
  readonly restsOn: RestsOn
}

/** Params, query and body have passed the schemas of the route. */
export interface RequestOf<N extends RouteName> {
  readonly params: z.output<Routes[N]['params']>
  readonly query: z.output<Routes[N]['query']>
  readonly body: z.output<Routes[N]['body']>
  readonly caller: Caller
  /** Aborts when the caller has hung up, and when it has been answered. */
  hungUp(): AbortSignal
  /** Sets the cookie of this browser's session; null takes it away. */
  setCookie(value: string | null): void
}

export type Handler<N extends RouteName> = (
  world: World,
  request: RequestOf<N>,
) => Promise<Answer<N>> | Answer<N>

/** One handler for each route of a feature; the compiler misses what is missing. */
export type HandlersOf<FeatureRoutes> = {
  readonly [N in keyof FeatureRoutes & RouteName]: Handler<N>
}

/** What a feature remembers as long as its daemon lives: made at the first use, one for each daemon. */
export function perDaemon<Kept>(make: () => Kept): (world: World) => Kept {
  const kept = new WeakMap<World, Kept>()
  return (world) => {
    const found = kept.get(world) ?? make()
    kept.set(world, found)
    return found
  }
}
