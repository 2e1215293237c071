// One request to the daemon, past the network: its handler is called with what the schemas make of the request.
import type { RouteName } from '@treadle/contracts/api'
import type { Answer } from '@treadle/contracts/client'
import type { Handler, RequestOf } from '@treadle/daemon/http/handler'
import { handlers } from '@treadle/daemon/http/handlers'
import type { World } from '@treadle/daemon/world'

type Asked<N extends RouteName> = Partial<Pick<RequestOf<N>, 'params' | 'query' | 'body'>>
const NEVER = new AbortController().signal

export async function ask<N extends RouteName>(world: World, name: N, asked: Asked<N>): Promise<Answer<N>> {
  const request = {
    params: {},
    query: {},
    body: {},
    ...asked,
    caller: { key: 'owner', restsOn: 'nothing' },
    hungUp: () => NEVER,
    setCookie: () => undefined,
  } as unknown as RequestOf<N>
  const handle = handlers[name] as unknown as Handler<N>
  return handle(world, request)
}
