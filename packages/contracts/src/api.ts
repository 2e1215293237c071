// Every route as data: the daemon serves it, the client calls it, the OpenAPI document describes it.
import { z } from 'zod'
import { Agent, Heartbeat } from './agent.ts'
import { Config } from './config.ts'
import { Explanation } from './escalation.ts'
import { CURSOR_START, Cursor, RunReport, StoredEvent } from './event.ts'
import { AgentId, EventId, ItemRef, Positive, RunId, Sha256 } from './ids.ts'
import { Item, ItemStatus, NewItem } from './item.ts'
import { Lesson, LessonQuery, NewLesson } from './lesson.ts'
import { LoopState } from './loop-state.ts'
import { Run } from './run.ts'

export type Method = 'GET' | 'POST'
export interface Route {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodType
  readonly response: z.ZodType
  /** Status of success. */
  readonly status: 200 | 201 | 202
  /** Other statuses it answers with, and when. */
  readonly problems: Readonly<Record<number, string>>
  /** Answers without a token. */
  readonly open: boolean
}

const nothing = z.strictObject({})
const page = <T extends z.ZodType>(of: T) => z.strictObject({ items: z.array(of) })

type Defaults = {
  params: typeof nothing
  query: typeof nothing
  body: typeof nothing
  status: 200
  problems: Record<never, never>
  open: false
}
function route<const R extends Partial<Route> & Pick<Route, 'method' | 'path' | 'summary' | 'response'>>(
  given: R,
): Omit<Defaults, keyof R> & R {
  return {
    params: nothing,
    query: nothing,
    body: nothing,
    status: 200,
    problems: {},
    open: false,
    ...given,
  } as never
}

const inPath = z.coerce.number().pipe(Positive)
const itemPath = z.strictObject({ projectNumber: inPath, issueNumber: inPath })
const agentPath = z.strictObject({ id: AgentId })
const by = z.strictObject({ by: z.string().trim().min(1).max(200).default('owner') })
const NO_ITEM = { 404: 'There is no such item' }
const MOVED = { ...NO_ITEM, 409: 'The item is in a state that does not allow this' }

export const Claim = z.strictObject({ item: Item, run: Run, fence: z.int() })
export type Claim = z.infer<typeof Claim>

/** What an agent may do next: go on with what it holds, claim something, or wait. */
export const Offer = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('resume'), item: Item, run: Run, fence: z.int() }),
  z.strictObject({ is: z.literal('claim'), item: ItemRef }),
  z.strictObject({ is: z.literal('wait'), why: z.string(), pollMs: z.int() }),
  z.strictObject({ is: z.literal('stop'), why: z.string() }),
])
export type Offer = z.infer<typeof Offer>

export const Health = z.strictObject({
  ok: z.boolean(),
  version: z.string(),
  pid: z.int(),
  workspace: z.string(),
  store: z.strictObject({
    driver: z.enum(['embedded', 'server']),
    ok: z.boolean(),
    durability: z.enum(['full', 'process_crash_only', 'server']),
  }),
  uptimeMs: z.number(),
})
export type Health = z.infer<typeof Health>

export const Reported = z.strictObject({
  is: z.enum(['advanced', 'recorded', 'duplicate']),
  state: z.string().nullable(),
})

export const routes = {
  health: route({
    method: 'GET',
    path: '/health',
    summary: 'Is the daemon well',
    response: Health,
    open: true,
  }),
  workspace: route({
    method: 'GET',
    path: '/api/workspace',
    summary: 'Settings in force, and what was wrong with the given ones',
    response: z.strictObject({
      root: z.string(),
      target: z.string(),
      testCommand: z.string().nullable(),
      config: Config,
      warnings: z.array(z.string()),
    }),
  }),
  listItems: route({
    method: 'GET',
    path: '/api/items',
    summary: 'Items, by number',
    query: z.strictObject({
      status: ItemStatus.optional(),
      projectNumber: inPath.optional(),
      limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    }),
    response: page(Item),
  }),
  addItem: route({
    method: 'POST',
    path: '/api/items',
    summary: 'Add an item',
    body: NewItem,
    response: Item,
    status: 201,
  }),
  queue: route({
    method: 'GET',
    path: '/api/projects/queue',
    summary: 'Unclaimed items, next first',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    response: page(Item),
  }),
  showItem: route({
    method: 'GET',
    path: '/api/projects/:projectNumber/issues/:issueNumber',
    summary: 'One item with its runs and events',
    params: itemPath,
    problems: NO_ITEM,
    response: z.strictObject({ item: Item, runs: z.array(Run), events: z.array(StoredEvent) }),
  }),
  claimItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/claim',
    summary: 'Claim an item',
    params: itemPath,
    problems: { ...NO_ITEM, 409: 'Already claimed; the holder is named' },
    body: z.strictObject({ agentId: AgentId, requestId: EventId.optional() }),
    response: Claim,
  }),
  releaseItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/release',
    summary: 'Take an item from its holder and put it back in the queue',
    params: itemPath,
    problems: MOVED,
    body: z.strictObject({ why: z.string().trim().min(1).max(1_000).default('released by the owner') }),
    response: Item,
  }),
  approveItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/approve',
    summary: 'Approve the delivered change; it is merged',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
  rejectItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reject',
    summary: 'Send the delivered change back with feedback',
    params: itemPath,
    problems: MOVED,
    body: by.extend({ feedback: z.string().trim().min(1).max(4_000) }),
    response: Item,
  }),
  withdrawItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/withdraw',
    summary: 'Take an item out of the flow (reversible)',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
  reopenItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reopen',
    summary: 'Put an escalated, conflicting or withdrawn item back in the queue',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
  listAgents: route({ method: 'GET', path: '/api/agents', summary: 'The crew', response: page(Agent) }),
  startAgents: route({
    method: 'POST',
    path: '/api/agents',
    summary: 'Have this many agents running',
    body: z.strictObject({ count: z.int().min(0).max(10) }),
    response: page(Agent),
  }),
  nextForAgent: route({
    method: 'GET',
    path: '/api/agents/:id/next',
    summary: 'What this agent may do next',
    params: agentPath,
    response: Offer,
  }),
  heartbeat: route({
    method: 'POST',
    path: '/api/agents/:id/heartbeat',
    summary: 'Sign of life',
    params: agentPath,
    body: Heartbeat,
    response: z.strictObject({
      wanted: z.enum(['running', 'paused', 'stopped']),
      /** The run that this agent holds a claim for, as the daemon sees it. */
      runId: RunId.nullable(),
    }),
  }),
  wantAgent: route({
    method: 'POST',
    path: '/api/agents/:id/:order',
    summary: 'Start, stop, pause, resume or restart one agent',
    params: z.strictObject({ id: AgentId, order: z.enum(['start', 'stop', 'pause', 'resume', 'restart']) }),
    response: Agent,
  }),
  reportRun: route({
    method: 'POST',
    path: '/api/runs/:id/events',
    summary: 'An agent reports what happened in its run',
    params: z.strictObject({ id: RunId }),
    problems: {
      404: 'There is no such run',
      409: 'Fenced off: the claim was lost; or the move is not allowed in this state',
    },
    body: z.strictObject({ eventId: EventId, fence: z.int().min(0), event: RunReport }),
    response: Reported,
  }),
  showRun: route({
    method: 'GET',
    path: '/api/runs/:id',
    summary: 'One run with its history and gates',
    params: z.strictObject({ id: RunId }),
    problems: { 404: 'There is no such run' },
    response: Run,
  }),
  showLoop: route({
    method: 'GET',
    path: '/api/runs/:id/loop',
    summary: "The state of a run's build-test-improve loop",
    params: z.strictObject({ id: RunId }),
    problems: { 404: 'There is no such run' },
    response: LoopState,
  }),
  explainRun: route({
    method: 'GET',
    path: '/api/runs/:id/explanation',
    summary: 'What one attempt did and why it went as it did; without an attempt, the escalation report',
    params: z.strictObject({ id: RunId }),
    query: z.strictObject({ attempt: z.coerce.number().int().min(1).max(1_000).optional() }),
    problems: { 404: 'There is no such run, or no such attempt in it' },
    response: Explanation,
  }),
  events: route({
    method: 'GET',
    path: '/api/events',
    summary: 'Recorded events after a cursor, oldest first (live: WebSocket on /api/events/stream)',
    query: z.strictObject({
      after: Cursor.default(CURSOR_START),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      type: z.string().max(100).optional(),
      correlationId: z.string().max(200).optional(),
    }),
    response: z.strictObject({ items: z.array(StoredEvent), cursor: Cursor }),
  }),
  evidence: route({
    method: 'GET',
    path: '/api/evidence/:sha256',
    summary: 'A stored output, by content hash',
    params: z.strictObject({ sha256: Sha256 }),
    problems: { 404: 'Nothing is stored under that hash' },
    response: z.strictObject({ sha256: Sha256, bytes: z.int(), text: z.string(), truncated: z.boolean() }),
  }),
  recallLessons: route({
    method: 'GET',
    path: '/api/knowledge',
    summary: 'Lessons that fit a query',
    query: LessonQuery,
    response: page(Lesson),
  }),
  recordLesson: route({
    method: 'POST',
    path: '/api/knowledge',
    summary: 'Record a lesson',
    body: NewLesson,
    response: Lesson,
    status: 201,
  }),
  shutdown: route({
    method: 'POST',
    path: '/api/shutdown',
    summary: 'Stop the agents and the daemon',
    response: z.strictObject({ stopping: z.literal(true) }),
    status: 202,
  }),
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export const EVENT_STREAM_PATH = '/api/events/stream'
