// Joins a controller's method to a route of the contracts: path, status and validation come from there.
import type { ServerResponse } from 'node:http'
import {
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common'
import { type RouteName, routes } from '@treadle/contracts/api'
import type { z } from 'zod'
import { ProblemError } from './problem.ts'

const ROUTE = 'treadle:route'
type Routes = typeof routes
export interface GivenOf<N extends RouteName> {
  readonly params: z.output<Routes[N]['params']>
  readonly query: z.output<Routes[N]['query']>
  readonly body: z.output<Routes[N]['body']>
}

/** Serves one route of the contracts. */
export function Serve(name: RouteName): MethodDecorator {
  const route = routes[name]
  const method = route.method === 'GET' ? RequestMethod.GET : RequestMethod.POST
  const decorators = [
    RequestMapping({ path: route.path, method }),
    HttpCode(route.status),
    SetMetadata(ROUTE, name),
  ]
  return (target, key, descriptor) => {
    for (const decorate of decorators)
      decorate(target, key as string, descriptor as TypedPropertyDescriptor<unknown>)
  }
}

/** Aborts when the caller has hung up, and when it has been answered. */
export const Hangup = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const gone = new AbortController()
  const reply = context.switchToHttp().getResponse<{ raw: ServerResponse }>()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
})

interface Incoming {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The checked input of the route: params, query, body. */
export const Given = createParamDecorator((_: unknown, context: ExecutionContext): GivenOf<RouteName> => {
  const name = Reflect.getMetadata(ROUTE, context.getHandler()) as RouteName
  const route = routes[name]
  const request = context.switchToHttp().getRequest<Incoming>()
  return {
    params: check(route.params, request.params, 'path'),
    query: check(route.query, request.query ?? {}, 'query'),
    body: check(route.body, route.method === 'POST' ? (request.body ?? {}) : {}, 'body'),
  } as GivenOf<RouteName>
})

function check(schema: z.ZodType, value: unknown, where: string): unknown {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.map((issue) => ({
    at: [where, ...issue.path].join('.'),
    fault: issue.message,
  }))
  const [first] = faults
  throw new ProblemError(400, {
    code: 'bad_request',
    message: first === undefined ? `The ${where} is not well-formed.` : `${first.at}: ${first.fault}`,
    hint: 'Correct the request; the routes are described at /docs.',
    details: faults,
  })
}
