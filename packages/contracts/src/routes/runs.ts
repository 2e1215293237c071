// Runs: what agents report, and what became of it.
import { z } from 'zod'
import { Explanation } from '../escalation.ts'
import { CURSOR_START, Cursor, RunReport, StoredEvent } from '../event.ts'
import { EventId, Instant, RunId } from '../ids.ts'
import { Item, NewItem } from '../item.ts'
import { CallerName } from '../order.ts'
import { Guidance, Question } from '../paor.ts'
import { decision, route, waitMs } from '../route.ts'
import { Run } from '../run.ts'

export const Reported = z.strictObject({
  is: z.enum(['advanced', 'recorded', 'duplicate']),
  state: z.string().nullable(),
})

export const NewRun = z.strictObject({
  /** What is to be reached; its first line becomes the title of the item. */
  goal: z.string().trim().min(1).max(8_000),
  engine: NewItem.shape.engine,
  /** Exit code 0: reached. Nothing that this contradicts counts as reached. */
  verify: NewItem.shape.testCommand,
  priority: NewItem.shape.priority,
  projectNumber: NewItem.shape.projectNumber,
  mayChangeTests: NewItem.shape.mayChangeTests,
})
export type NewRun = z.infer<typeof NewRun>

/** Words to a run, and where they stand in the feed. */
export const SaidGuidance = z.strictObject({ cursor: Cursor, at: Instant, guidance: Guidance })
export type SaidGuidance = z.infer<typeof SaidGuidance>

/** A longer diff is cut between two lines. */
export const CHANGE_CHARS_MAX = 400_000
const CHANGE_FILES_MAX = 1_000

/** The change of a run as it stands now. */
export const RunChange = z.strictObject({
  /** worktree: it may still grow; attempts: as history keeps it; none: nothing is known of one. */
  from: z.enum(['worktree', 'attempts', 'none']),
  files: z.array(z.string().max(1_000)).max(CHANGE_FILES_MAX),
  diff: z.string().max(CHANGE_CHARS_MAX),
  /** There is more than is shown. */
  isCut: z.boolean(),
})
export type RunChange = z.infer<typeof RunChange>

const runPath = z.strictObject({ id: RunId })
const NO_RUN = { 404: 'There is no such run' }

export const runRoutes = {
  startRun: route({
    method: 'POST',
    path: '/api/runs',
    key: 'crew',
    summary:
      'Start on a goal: an item that is planned, acted on, observed and reflected upon until it is reached',
    body: NewRun.extend({ by: CallerName.optional() }),
    response: z.strictObject({ item: Item }),
    status: 201,
  }),
  guideRun: route({
    method: 'POST',
    path: '/api/runs/:id/guidance',
    key: 'owner',
    decides: true,
    summary: 'Say something to a run at work, or answer its question; the next plan contains it',
    params: runPath,
    problems: { ...NO_RUN, 409: 'The run is over, or has not asked that question' },
    body: decision.extend({
      /** The same id twice says it once. */
      id: z.uuid().optional(),
      text: Guidance.shape.text,
      answers: Guidance.shape.answers,
    }),
    response: SaidGuidance,
  }),
  listGuidance: route({
    method: 'GET',
    path: '/api/runs/:id/guidance',
    key: 'crew',
    summary: 'What people said about the item of a run, oldest first; with waitMs, as soon as there is more',
    params: runPath,
    query: z.strictObject({ after: Cursor.default(CURSOR_START), waitMs }),
    problems: NO_RUN,
    response: z.strictObject({
      items: z.array(SaidGuidance),
      /** What the run waits for an answer to. */
      question: Question.nullable(),
      over: z.boolean(),
    }),
  }),
  runHistory: route({
    method: 'GET',
    path: '/api/runs/:id/history',
    key: 'crew',
    summary: 'Every event of a run, oldest first, page by page: ask again with the cursor',
    params: runPath,
    query: z.strictObject({
      after: Cursor.default(CURSOR_START),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
    problems: NO_RUN,
    response: z.strictObject({ items: z.array(StoredEvent), cursor: Cursor }),
  }),
  runChange: route({
    method: 'GET',
    path: '/api/runs/:id/change',
    key: 'crew',
    summary: 'What a run has changed so far: its worktree against its base, or what it has delivered',
    params: runPath,
    problems: NO_RUN,
    response: RunChange,
  }),
  reportRun: route({
    method: 'POST',
    path: '/api/runs/:id/events',
    key: 'crew',
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
    key: 'crew',
    summary: 'One run with its history and gates',
    params: z.strictObject({ id: RunId }),
    problems: { 404: 'There is no such run' },
    response: Run,
  }),
  watchClaim: route({
    method: 'GET',
    path: '/api/runs/:id/claim',
    key: 'crew',
    summary: 'Whether the claim of a run still stands; with waitMs, as soon as it does not',
    params: z.strictObject({ id: RunId }),
    query: z.strictObject({ waitMs }),
    problems: { 404: 'There is no such run' },
    response: z.strictObject({ stands: z.boolean() }),
  }),
  explainRun: route({
    method: 'GET',
    path: '/api/runs/:id/explanation',
    key: 'crew',
    summary: 'What one attempt did and why it went as it did; without an attempt, the escalation report',
    params: z.strictObject({ id: RunId }),
    query: z.strictObject({ attempt: z.coerce.number().int().min(1).max(1_000).optional() }),
    problems: { 404: 'There is no such run, or no such attempt in it' },
    response: Explanation,
  }),
} as const
