// The one controller: a method for each route of the contracts. Nest's decorators are applied as functions, so that
// no file needs decorator syntax and the daemon runs from source.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  RequestMapping,
  RequestMethod,
} from '@nestjs/common'
import { type RouteName, routes } from '@treadle/contracts/api'
import type { KeyName, Route } from '@treadle/contracts/route'
import { WORLD, type World } from '../world.ts'
import { checkedRequest } from './checked-request.ts'
import { admitDecision, isDecision } from './decisions.ts'
import type { Handler, RequestOf } from './handler.ts'
import { handlers } from './handlers.ts'
import { cookieText } from './page-sessions.ts'

export class ApiController {
  readonly world: World
  constructor(world: World) {
    this.world = world
  }
}

type AnyRequest = RequestOf<RouteName>
type AnyHandler = (world: World, request: AnyRequest) => ReturnType<Handler<RouteName>>

function serveRoute(name: RouteName, route: Route, handler: AnyHandler): void {
  const method = {
    value(this: ApiController, request: AnyRequest) {
      const restsOn = admitDecision(this.world, name, request)
      return handler(this.world, { ...request, caller: { key: request.caller.key, restsOn } })
    },
  }
  Object.defineProperty(ApiController.prototype, name, method)
  const verb = route.method === 'GET' ? RequestMethod.GET : RequestMethod.POST
  RequestMapping({ path: route.path, method: verb })(ApiController.prototype, name, method)
  HttpCode(route.status)(ApiController.prototype, name, method)
  Checked(name)(ApiController.prototype, name, 0)
}

interface Incoming {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** As the door has found it; nobody without one comes this far, except where no key is wanted. */
  readonly treadleKey: KeyName | null
  readonly socket: Pick<Socket, 'localPort'>
}

interface Outgoing {
  readonly raw: ServerResponse
  header(name: string, value: string): unknown
}

/** The request, once its params, query and body have passed the schemas of the route. */
const Checked = createParamDecorator((name: RouteName, context: ExecutionContext): AnyRequest => {
  const http = context.switchToHttp()
  const request = http.getRequest<Incoming>()
  const response = http.getResponse<Outgoing>()
  const key = request.treadleKey ?? 'crew'
  return {
    ...checkedRequest(name, request, key),
    caller: { key, restsOn: 'nothing' },
    hungUp: () => closing(response.raw),
    setCookie: (value: string | null) =>
      response.header('set-cookie', cookieText(request.socket.localPort ?? 0, value)),
  } as AnyRequest
})

function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

Controller()(ApiController)
Inject(WORLD)(ApiController, undefined, 0)
for (const name of Object.keys(routes) as RouteName[]) {
  if (routes[name].decides !== isDecision(name)) throw new Error(`${name}: does it want a code or not?`)
  serveRoute(name, routes[name], handlers[name] as AnyHandler)
}
