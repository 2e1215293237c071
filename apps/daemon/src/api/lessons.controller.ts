import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Lesson } from '@treadle/contracts/lesson'
import { runTrials } from '@treadle/flow/learn/trial.run'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

/** Two are enough to know that an id is not whole. */
const NAMED_MAX = 2

@Controller()
export class LessonsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('recallLessons')
  async recall(@Given() { query }: GivenOf<'recallLessons'>): Promise<Answer<'recallLessons'>> {
    return { items: await this.world.lessons.recall(query) }
  }

  @Serve('recordLesson')
  record(@Given() { body }: GivenOf<'recordLesson'>): Promise<Answer<'recordLesson'>> {
    return this.world.store.lessons.record(body, this.world.now())
  }

  @Serve('listLessons')
  async list(@Given() { query }: GivenOf<'listLessons'>): Promise<Answer<'listLessons'>> {
    const lessons = await this.world.store.lessons.list(query)
    const trials = await runTrials(this.world.store, lessons)
    return { items: lessons.map((lesson) => ({ lesson, trial: trials.get(lesson.id) ?? null })) }
  }

  @Serve('restoreLessons')
  restore(@Given() { body }: GivenOf<'restoreLessons'>): Promise<Answer<'restoreLessons'>> {
    return this.world.store.lessons.restore(body.lessons)
  }

  @Serve('showLesson')
  async show(@Given() { params }: GivenOf<'showLesson'>): Promise<Answer<'showLesson'>> {
    const lesson = await this.find(params.id)
    const trials = await runTrials(this.world.store, [lesson])
    return { lesson, trial: trials.get(lesson.id) ?? null }
  }

  @Serve('supersedeLesson')
  async supersede(@Given() { params, body }: GivenOf<'supersedeLesson'>): Promise<Answer<'supersedeLesson'>> {
    const { id } = await this.find(params.id)
    const by = body.by === null ? null : (await this.find(body.by)).id
    const { store, now } = this.world
    const superseded = await store.lessons.supersede(id, { by, why: body.why }, now())
    if (superseded !== null) return superseded
    throw new ProblemError(409, {
      code: 'refused',
      message: `Lesson ${by} cannot take the place of ${id}: it is superseded, or the same one.`,
      hint: 'treadle lessons --all shows which ones still hold.',
    })
  }

  private async find(id: string): Promise<Lesson> {
    const found = await this.world.store.lessons.named(id, NAMED_MAX)
    const [lesson] = found
    if (lesson !== undefined && found.length === 1) return lesson
    if (lesson !== undefined)
      throw new ProblemError(409, {
        code: 'refused',
        message: `Several lessons have an id that begins with ${id}.`,
        hint: 'Give more of the id.',
      })
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no lesson ${id}.`,
      hint: 'treadle lessons --all shows all of them.',
    })
  }
}
