// The one client of the API, made from the routes.
import type { z } from 'zod'
import { type RouteName, routes } from './api.ts'
import { Problem, type ProblemCode } from './problem.ts'
import type { Route } from './route.ts'

type Routes = typeof routes
type In<N extends RouteName, Part extends 'params' | 'query' | 'body'> = z.input<Routes[N][Part]>
type RouteInput<N extends RouteName> = Optional<'params', In<N, 'params'>> &
  Optional<'query', In<N, 'query'>> &
  Optional<'body', In<N, 'body'>> & {
    /** Gives up waiting for the answer. */
    signal?: AbortSignal
  }
type Optional<K extends string, T> = Record<string, never> extends T ? { [P in K]?: T } : { [P in K]: T }
type Arguments<N extends RouteName> =
  Record<string, never> extends RouteInput<N> ? [given?: RouteInput<N>] : [given: RouteInput<N>]

export type Answer<N extends RouteName> = z.output<Routes[N]['response']>
export type Client = { [N in RouteName]: (...given: Arguments<N>) => Promise<Answer<N>> }

export class ApiError extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly hint: string
  readonly details: unknown
  constructor(status: number, problem: Problem['error']) {
    super(problem.message)
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code
    this.hint = problem.hint
    this.details = problem.details
  }
}

export interface Request {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** As much of `fetch` as the client uses. */
export type Reach = (
  url: string,
  request: Request,
) => Promise<{ readonly status: number; text(): Promise<string> }>

export interface ClientOptions {
  readonly url: string
  readonly token: string
  readonly fetch?: Reach
  readonly timeoutMs?: number
}

export function createClient(options: ClientOptions): Client {
  const names = Object.keys(routes) as RouteName[]
  return Object.fromEntries(
    names.map((name) => [name, (given = {}) => call(options, routes[name], given)]),
  ) as unknown as Client
}

type Loose = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
}

export function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
}

async function call(options: ClientOptions, route: Route, given: Loose): Promise<unknown> {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given.query ?? {}))
    if (value !== undefined) query.set(key, String(value))
  const search = query.size > 0 ? `?${query}` : ''
  const patience = AbortSignal.timeout(options.timeoutMs ?? 30_000)
  const response = await reach(
    options,
    `${options.url}${fillPath(route.path, given.params ?? {})}${search}`,
    {
      method: route.method,
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(route.method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(route.method === 'POST' ? { body: JSON.stringify(given.body ?? {}) } : {}),
      signal: given.signal === undefined ? patience : AbortSignal.any([patience, given.signal]),
    },
  )
  const { status, text } = response
  if (status !== route.status) throw new ApiError(status, readProblem(status, text))
  const read = route.response.safeParse(safeJson(text))
  if (read.success) return read.data
  // Whoever that was, it was not our daemon: to be tried again, as if a gateway had answered.
  throw new ApiError(502, unexpected(`Unreadable answer ${status}`, read.error.issues[0]))
}

/** An answer that breaks off half way is no answer. */
async function reach(
  options: ClientOptions,
  url: string,
  request: Request,
): Promise<{ status: number; text: string }> {
  try {
    const response = await (options.fetch ?? fetch)(url, request)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ApiError(0, {
      code: 'unreachable',
      message: `The daemon does not answer at ${options.url} (${message}).`,
      hint: 'Start it with: treadle up',
    })
  }
}

function readProblem(status: number, text: string): Problem['error'] {
  const parsed = Problem.safeParse(safeJson(text))
  return parsed.success ? parsed.data.error : unexpected(`Unexpected answer ${status}`)
}

function unexpected(what: string, issue?: z.core.$ZodIssue): Problem['error'] {
  const where = issue === undefined ? '' : ` (${['answer', ...issue.path].join('.')}: ${issue.message})`
  return {
    code: 'internal',
    message: `${what}${where}.`,
    hint: 'Is something else listening there? See: treadle doctor',
  }
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
