// A request that has passed the schemas of its route; what does not is answered with the first fault.
import { type RouteName, routes } from '@treadle/contracts/api'
import type { KeyName, Route } from '@treadle/contracts/route'
import type { z } from 'zod'
import { inOwnName } from './decisions.ts'
import type { RequestOf } from './handler.ts'
import { ProblemError } from './problem.ts'

interface Unchecked {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}
type Checked<N extends RouteName> = Pick<RequestOf<N>, 'params' | 'query' | 'body'>

export function checkedRequest<N extends RouteName>(name: N, given: Unchecked, key: KeyName): Checked<N> {
  const route: Route = routes[name]
  return {
    params: check(route.params, given.params, 'path'),
    query: check(route.query, given.query ?? {}, 'query'),
    body: inOwnName(key, check(route.body, route.method === 'POST' ? (given.body ?? {}) : {}, 'body')),
  } as Checked<N>
}

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
