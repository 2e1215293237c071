// One event of every kind about lessons, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type LessonEvent = Extract<EventType, `lesson.${string}` | 'run.recalled' | 'run.learned' | 'run.reviewed'>
const runId = '00000000-1111-4111-8111-000000000001'

export const LESSON_SAMPLES: {
  [T in LessonEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'run.recalled': [
    {
      type: 'run.recalled',
      attempt: 1,
      shown: [{ lessonId: runId, type: 'gotcha', topic: 'dates' }],
      withheld: [{ lessonId: runId, type: 'pattern', topic: 'routes' }],
      leftOut: [{ lessonId: runId, type: 'unresolved_error', topic: null, why: 'others fit better' }],
    },
    'agent-1 was shown 1 lesson for #4',
    `withheld for a trial: pattern routes; left out: unresolved error ${runId.slice(0, 8)}`,
  ],
  'run.learned': [
    {
      type: 'run.learned',
      note: { lessonId: runId, type: 'gotcha', how: 'seen_again', text: 'Avoid: an empty list', why: 'seen' },
    },
    'Something was learned from #4: seen again',
    'Avoid: an empty list',
  ],
  'run.reviewed': [
    { type: 'run.reviewed', divergences: 2, learned: 1, summary: 'It passed at the first attempt.' },
    'Retrospective for #4: 1 new lesson',
    'It passed at the first attempt.',
  ],
  'lesson.judged': [
    {
      type: 'lesson.judged',
      lessonId: runId,
      verdict: 'promoted',
      looks: 1,
      runs: 50,
      probability: 0.991,
      topic: 'dates',
    },
    'The lesson dates is proven to help',
    'helps with a probability of 99 % after 50 runs',
  ],
  'lesson.reconsidered': [
    { type: 'lesson.reconsidered', lessonId: runId, from: 0.7, to: 0.95, why: 'it prevented a failure' },
    `The lesson ${runId.slice(0, 8)} is surer: 0.7 → 0.95`,
    'it prevented a failure',
  ],
  'lesson.promoted': [
    {
      type: 'lesson.promoted',
      lessonId: runId,
      file: 'CLAUDE.md',
      branch: 'treadle/lessons-1',
      commit: 'a'.repeat(40),
    },
    `The lesson ${runId.slice(0, 8)} stands in CLAUDE.md`,
    'on branch treadle/lessons-1',
  ],
}
