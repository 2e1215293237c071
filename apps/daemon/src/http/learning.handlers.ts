import type { Build } from '@treadle/contracts/build'
import type { BuildRetrospective } from '@treadle/contracts/planning-retrospective'
import type { learningRoutes } from '@treadle/contracts/routes/learning'
import { findBuild } from '@treadle/flow/build/builds/orders.run'
import { runShow } from '@treadle/flow/learn/trial.run'
import { trialWorld } from '../jobs/learning.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

/** The last look at one build, or at any of the builds of its specification. */
async function lookOf(
  { store }: Pick<World, 'store'>,
  { id, spec }: Build,
  isNamed: boolean,
): Promise<BuildRetrospective | null> {
  const { planningRetrospectives } = store
  let found = await planningRetrospectives.latest('build', spec)
  while (found?.is === 'build' && isNamed && found.build !== id)
    found = await planningRetrospectives.find({ is: 'build', slug: spec, look: found.look - 1 })
  return found?.is === 'build' ? found : null
}

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

  async listPlanningRetrospectives(world, { query }) {
    const { of: is, limit } = query
    return { items: await world.store.planningRetrospectives.list({ is, limit }) }
  },

  async ideaRetrospective(world, { params }) {
    const found = await world.store.planningRetrospectives.latest('idea', params.id)
    if (found?.is === 'idea') return found
    const idea = await world.store.ideas.find(params.id)
    throw new ProblemError(404, {
      code: 'not_found',
      message:
        idea === null ? `There is no idea ${params.id}.` : `The idea ${params.id} has no retrospective yet.`,
      hint:
        idea === null
          ? 'treadle idea list shows what there is.'
          : 'One looks back when the talk is finished: treadle idea show says what it lacks.',
    })
  },

  async specificationRetrospective(world, { params, query }) {
    const { planningRetrospectives, specifications } = world.store
    const { revision } = query
    const { id: slug } = params
    const found =
      revision === undefined
        ? await planningRetrospectives.latest('spec', slug)
        : await planningRetrospectives.find({ is: 'spec', slug, revision })
    if (found?.is === 'spec') return found
    const isThere = (await specifications.find(slug)) !== null
    throw new ProblemError(404, {
      code: 'not_found',
      message: isThere
        ? `${revision === undefined ? 'The specification' : `Revision ${revision}`} of ${slug} has no retrospective yet.`
        : `There is no specification ${slug}.`,
      hint: isThere
        ? 'Each revision that is generated gets one within seconds.'
        : `Make it: treadle spec generate ${slug}`,
    })
  },

  async buildRetrospective(world, { params }) {
    const build = await findBuild(world, params.id)
    const found = build === null ? null : await lookOf(world, build, params.id === build.id)
    if (found !== null) return found
    throw new ProblemError(404, {
      code: 'not_found',
      message:
        build === null
          ? `There is no build of ${params.id}.`
          : `The build of ${build.spec} has no retrospective yet.`,
      hint:
        build === null
          ? 'treadle build list shows what there is.'
          : 'One looks back when it is merged or has failed: treadle build show says where it stands.',
    })
  },
} satisfies HandlersOf<typeof learningRoutes>
