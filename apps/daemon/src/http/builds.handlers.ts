import type { BuildView } from '@treadle/contracts/build'
import type { buildRoutes } from '@treadle/contracts/routes/builds'
import type { BuildRefusal } from '@treadle/flow/build/builds/build-world'
import { runForecast } from '@treadle/flow/build/builds/forecast.run'
import {
  findBuild,
  noBuild,
  type Ordered,
  runResume,
  runRetry,
  runStop,
} from '@treadle/flow/build/builds/orders.run'
import { viewBuild } from '@treadle/flow/build/builds/view.run'
import { buildWorld } from '../jobs/builds.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

const LIST_MAX = 200

export const buildHandlers = {
  async listBuilds(world) {
    return { items: await world.store.builds.list(LIST_MAX) }
  },

  async showBuild(world, { params }) {
    const build = await findBuild(world, params.id)
    if (build === null) throw problemOf(noBuild(params.id))
    return viewBuild(world, build)
  },

  async forecastBuild(world, { params }) {
    const kept = await world.store.specifications.find(params.id)
    if (kept === null)
      throw problemOf({
        is: 'unknown',
        message: `There is no specification ${params.id}.`,
        hint: `Make it: treadle spec generate ${params.id}`,
      })
    return runForecast(buildWorld(world), kept.spec.tasks.length)
  },

  async stopBuild(world, { params, body }) {
    return viewOf(world, await runStop(buildWorld(world), { slug: params.id, by: body.by }))
  },

  async resumeBuild(world, { params, body }) {
    const { by, leavesSkipped } = body
    return viewOf(world, await runResume(buildWorld(world), { slug: params.id, by, leavesSkipped }))
  },

  async retryTask(world, { params, body }) {
    const { by, task } = body
    return viewOf(world, await runRetry(buildWorld(world), { slug: params.id, by, task }))
  },
} satisfies HandlersOf<typeof buildRoutes>

function viewOf(world: World, ordered: Ordered): Promise<BuildView> {
  if (ordered.is !== 'done') throw problemOf(ordered)
  return viewBuild(world, ordered.build)
}

function problemOf({ is, message, hint }: BuildRefusal): ProblemError {
  return is === 'unknown'
    ? new ProblemError(404, { code: 'not_found', message, hint })
    : new ProblemError(409, { code: 'refused', message, hint })
}
