import type { learningRoutes } from '@treadle/contracts/routes/learning'
import { runShow } from '@treadle/flow/learn/trial.run'
import { trialWorld } from '../jobs/learning.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const learningHandlers = {
  async recallForRun(world, { params, body }) {
    const shown = await runShow(trialWorld(world), { runId: params.id, asked: body })
    if (shown !== null) return shown
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no run ${params.id}.`,
      hint: 'treadle show <number> lists the runs of an item.',
    })
  },

  async showRetrospective(world, { params }) {
    const { runs, retrospectives } = world.store
    const found = await retrospectives.find(params.id)
    if (found !== null) return found
    const run = await runs.find(params.id)
    throw new ProblemError(404, {
      code: 'not_found',
      message: run === null ? `There is no run ${params.id}.` : `Run ${params.id} has no retrospective yet.`,
      hint:
        run !== null && run.endedAt === null
          ? 'It is still at work; one looks back when it has ended.'
          : 'treadle history <number> shows what a run did.',
    })
  },

  async listRetrospectives(world, { query }) {
    return { items: await world.store.retrospectives.list(query) }
  },
} satisfies HandlersOf<typeof learningRoutes>
