import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import { runShow, runTrials } from '@treadle/flow/learn/trial.run'
import { trialWorld } from '../learning.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class LearningController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('recallForRun')
  async recall(@Given() { params, body }: GivenOf<'recallForRun'>): Promise<Answer<'recallForRun'>> {
    const shown = await runShow(trialWorld(this.world), { runId: params.id, asked: body })
    if (shown !== null) return shown
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no run ${params.id}.`,
      hint: 'treadle show <number> lists the runs of an item.',
    })
  }

  @Serve('showRetrospective')
  async retrospective(
    @Given() { params }: GivenOf<'showRetrospective'>,
  ): Promise<Answer<'showRetrospective'>> {
    const { runs, retrospectives } = this.world.store
    const found = await retrospectives.find(params.id)
    if (found !== null) return found
    const run = await runs.find(params.id)
    throw new ProblemError(404, {
      code: 'not_found',
      message:
        run === null ? `There is no run ${params.id}.` : `Nobody has looked back on run ${params.id} yet.`,
      hint:
        run !== null && run.endedAt === null
          ? 'It is still at work; one looks back when it has ended.'
          : 'treadle history <number> shows what a run did.',
    })
  }

  @Serve('listRetrospectives')
  async list(@Given() { query }: GivenOf<'listRetrospectives'>): Promise<Answer<'listRetrospectives'>> {
    return { items: await this.world.store.retrospectives.list(query) }
  }

  @Serve('lessonTrial')
  async trial(@Given() { params }: GivenOf<'lessonTrial'>): Promise<Answer<'lessonTrial'>> {
    const { store } = this.world
    const lesson = await store.lessons.find(params.id)
    const trial = lesson === null ? undefined : (await runTrials(store, [lesson])).get(lesson.id)
    if (trial !== undefined) return trial
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no lesson ${params.id}.`,
      hint: 'treadle lessons --all shows all of them.',
    })
  }
}
