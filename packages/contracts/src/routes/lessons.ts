// What was learned.
import { Lesson, LessonQuery, NewLesson } from '../lesson.ts'
import { page, route } from '../route.ts'

export const lessonRoutes = {
  recallLessons: route({
    method: 'GET',
    path: '/api/knowledge',
    summary: 'Lessons that fit a query',
    query: LessonQuery,
    response: page(Lesson),
  }),
  recordLesson: route({
    method: 'POST',
    path: '/api/knowledge',
    summary: 'Record a lesson',
    body: NewLesson,
    response: Lesson,
    status: 201,
  }),
} as const
