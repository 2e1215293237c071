import type { Lesson, NewLesson } from '@treadle/contracts/lesson'
import type { lessonRoutes } from '@treadle/contracts/routes/lessons'
import { CONFIRMED } from '@treadle/flow/learn/confirm'
import { runTrials } from '@treadle/flow/learn/trial.run'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

/** Two are enough to know that an id is not whole. */
const NAMED_MAX = 2
const COUNTED: ReadonlySet<string> = new Set(['op', 'family', 'shape', 'place', 'difference', 'missed'])

export const lessonHandlers = {
  async recallLessons(world, { query }) {
    return { items: await world.lessons.recall(query) }
  },

  /** Only an owner's words are a person's; what comes with the crew's key may be a model's. */
  recordLesson(world, { body, caller }) {
    const unconfirmed = caller.key !== 'owner' && !isCount(body)
    return world.store.lessons.record({ ...body, unconfirmed }, world.now())
  },

  async listLessons(world, { query }) {
    const lessons = await world.store.lessons.list(query)
    const trials = await runTrials(world.store, lessons)
    return { items: lessons.map((lesson) => ({ lesson, trial: trials.get(lesson.id) ?? null })) }
  },

  restoreLessons(world, { body }) {
    return world.store.lessons.restore(body.lessons)
  },

  async showLesson(world, { params }) {
    const lesson = await find(world, params.id)
    const trials = await runTrials(world.store, [lesson])
    return { lesson, trial: trials.get(lesson.id) ?? null }
  },

  async confirmLesson(world, { params }) {
    const lesson = await find(world, params.id)
    const { confidence } = lesson
    const changes = {
      why: 'a person confirmed it',
      confirmed: true,
      confidence: Math.max(confidence, CONFIRMED),
    } as const
    return (await world.store.lessons.reconsider(lesson.id, changes, world.now())) ?? lesson
  },

  async supersedeLesson(world, { params, body }) {
    const { id } = await find(world, params.id)
    const by = body.by === null ? null : (await find(world, body.by)).id
    const { store, now } = world
    const superseded = await store.lessons.supersede(id, { by, why: body.why }, now())
    if (superseded !== null) return superseded
    throw new ProblemError(409, {
      code: 'refused',
      message: `Lesson ${by} cannot take the place of ${id}: it is superseded, or the same one.`,
      hint: 'treadle lessons --all shows which ones still hold.',
    })
  },
} satisfies HandlersOf<typeof lessonRoutes>

/** A count that the repair search keeps of its own edits: no words, and nothing that a prompt has. */
function isCount({ content, payload }: NewLesson): boolean {
  return content.trim() === '' && Object.keys(payload).every((key) => COUNTED.has(key))
}

async function find(world: World, id: string): Promise<Lesson> {
  const found = await world.store.lessons.named(id, NAMED_MAX)
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
