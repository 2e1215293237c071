// What was learned.
import { z } from 'zod'
import {
  Lesson,
  LessonQuery,
  LessonTrial,
  LessonType,
  LessonVerdict,
  NewLesson,
  Recorded,
} from '../lesson.ts'
import { page, route } from '../route.ts'

/** The whole id, or enough of its beginning. */
const lessonPath = z.strictObject({
  id: z.string().regex(/^[0-9a-f-]{4,36}$/i, 'must be the id of a lesson, or its first characters'),
})
const NO_LESSON = { 404: 'There is no such lesson', 409: 'Several lessons begin like that' }
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A lesson, and how its trial stands; null if it was never met in one. */
const Known = z.strictObject({ lesson: Lesson, trial: LessonTrial.nullable() })

export const lessonRoutes = {
  recallLessons: route({
    method: 'GET',
    path: '/api/knowledge',
    key: 'crew',
    summary: 'Lessons that fit a query',
    query: LessonQuery,
    response: page(Lesson),
  }),
  recordLesson: route({
    method: 'POST',
    path: '/api/knowledge',
    key: 'crew',
    summary: 'Record a lesson; what is known already is counted instead',
    body: NewLesson,
    response: Recorded,
    status: 201,
  }),
  listLessons: route({
    method: 'GET',
    path: '/api/knowledge/list',
    key: 'crew',
    summary: 'What is known, the newest first, with how it did on trial',
    query: z.strictObject({
      type: LessonType.optional(),
      verdict: LessonVerdict.optional(),
      /** Also what is superseded or retired. */
      all: flag.optional(),
      topic: LessonQuery.shape.topic,
      path: LessonQuery.shape.path,
      text: LessonQuery.shape.text,
      after: z.uuid().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: page(Known),
  }),
  restoreLessons: route({
    method: 'POST',
    path: '/api/knowledge/restore',
    key: 'owner',
    summary: 'Take in exported lessons: all or none, and what is known already is left alone',
    body: z.strictObject({ lessons: z.array(Lesson).min(1).max(200) }),
    response: z.strictObject({ restored: z.int(), known: z.int() }),
  }),
  showLesson: route({
    method: 'GET',
    path: '/api/knowledge/:id',
    key: 'crew',
    summary: 'One lesson',
    params: lessonPath,
    response: Known,
    problems: NO_LESSON,
  }),
  confirmLesson: route({
    method: 'POST',
    path: '/api/knowledge/:id/confirm',
    key: 'owner',
    summary: 'A person says that a lesson holds: what only a model said may be told from then on',
    params: lessonPath,
    body: z.strictObject({}),
    response: Lesson,
    problems: NO_LESSON,
  }),
  supersedeLesson: route({
    method: 'POST',
    path: '/api/knowledge/:id/supersede',
    key: 'owner',
    summary: 'A lesson no longer holds, or another one says it better',
    params: lessonPath,
    body: z.strictObject({
      by: lessonPath.shape.id.nullable().default(null),
      why: z.string().min(1).max(1_000),
    }),
    response: Lesson,
    problems: NO_LESSON,
  }),
} as const
