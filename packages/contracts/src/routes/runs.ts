// Runs: what agents report, and what became of it.
import { z } from 'zod'
import { Explanation } from '../escalation.ts'
import { RunReport } from '../event.ts'
import { EventId, RunId } from '../ids.ts'
import { LoopState } from '../loop-state.ts'
import { route, waitMs } from '../route.ts'
import { Run } from '../run.ts'

export const Reported = z.strictObject({
  is: z.enum(['advanced', 'recorded', 'duplicate']),
  state: z.string().nullable(),
})

export const runRoutes = {
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
  watchClaim: route({
    method: 'GET',
    path: '/api/runs/:id/claim',
    summary: 'Whether the claim of a run still stands; with waitMs, as soon as it does not',
    params: z.strictObject({ id: RunId }),
    query: z.strictObject({ waitMs }),
    problems: { 404: 'There is no such run' },
    response: z.strictObject({ stands: z.boolean() }),
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
} as const
