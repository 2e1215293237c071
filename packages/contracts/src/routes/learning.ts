// What a run is shown of what is known, what it taught, and how lessons do on trial.
import { z } from 'zod'
import { RunId } from '../ids.ts'
import { RunRecall, RunRecalled } from '../recall.ts'
import { Retrospective } from '../retrospective.ts'
import { page, route } from '../route.ts'

const runPath = z.strictObject({ id: RunId })

export const learningRoutes = {
  recallForRun: route({
    method: 'POST',
    path: '/api/runs/:id/recall',
    key: 'crew',
    summary:
      'Lessons for a run at work, without those that a trial keeps from it; the same run is answered the same',
    params: runPath,
    body: RunRecall,
    response: RunRecalled,
    problems: { 404: 'There is no such run' },
  }),
  showRetrospective: route({
    method: 'GET',
    path: '/api/runs/:id/retrospective',
    key: 'crew',
    summary: 'What was planned and what was done in a run, what failed, and what was learned from it',
    params: runPath,
    response: Retrospective,
    problems: { 404: 'There is no such run, or it has no retrospective yet' },
  }),
  listRetrospectives: route({
    method: 'GET',
    path: '/api/retrospectives',
    key: 'crew',
    summary: 'Retrospectives, the newest first',
    query: z.strictObject({
      outcome: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: page(Retrospective),
  }),
} as const
