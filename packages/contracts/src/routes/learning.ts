// What a run is shown of what is known, what it taught, and how lessons do on trial.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { RunId } from '../ids.ts'
import {
  BuildRetrospective,
  IdeaRetrospective,
  type Planning,
  PlanningRetrospective,
  SpecRetrospective,
} from '../planning-retrospective.ts'
import { RunRecall, RunRecalled } from '../recall.ts'
import { Retrospective } from '../retrospective.ts'
import { page, route } from '../route.ts'

const runPath = z.strictObject({ id: RunId })
const slugPath = z.strictObject({ id: Slug })
const limit = z.coerce.number().int().min(1).max(100).default(20)

const PLANNED = ['idea', 'spec', 'build'] as const satisfies readonly Planning['is'][]

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
      limit,
    }),
    response: page(Retrospective),
  }),
  listPlanningRetrospectives: route({
    method: 'GET',
    path: '/api/planning-retrospectives',
    key: 'crew',
    summary:
      'Retrospectives of ideas, specifications and builds, the newest first; of each specification and its builds the last one',
    query: z.strictObject({ of: z.enum(PLANNED).optional(), limit }),
    response: page(PlanningRetrospective),
  }),
  ideaRetrospective: route({
    method: 'GET',
    path: '/api/ideation/sessions/:id/retrospective',
    key: 'crew',
    summary: 'What a finished talk about an idea left open or unsure, what took long, and what was learned',
    params: slugPath,
    problems: { 404: 'There is no such idea, or the talk is not finished' },
    response: IdeaRetrospective,
  }),
  specificationRetrospective: route({
    method: 'GET',
    path: '/api/specifications/:id/retrospective',
    key: 'crew',
    summary: 'How good a specification is: its shares, and what it leaves to be wished for',
    params: slugPath,
    query: z.strictObject({
      /** Left out: the last one that was looked at. */
      revision: z.coerce.number().int().min(1).optional(),
    }),
    problems: { 404: 'There is no such specification, or that revision has no retrospective yet' },
    response: SpecRetrospective,
  }),
  buildRetrospective: route({
    method: 'GET',
    path: '/api/builds/:id/retrospective',
    key: 'crew',
    summary:
      'How a build went that is over: tasks, attempts, what went wrong, time and money against what was foreseen',
    params: slugPath,
    problems: { 404: 'There is no such build, or it is not over' },
    response: BuildRetrospective,
  }),
} as const
