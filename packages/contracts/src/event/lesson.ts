// What is told of a lesson.
import { z } from 'zod'
import { CommitId } from '../ids.ts'
import { LessonVerdict } from '../lesson.ts'
import { count, event, line, type Sentences, why } from './shape.ts'

const VERDICT_WORDS: Record<LessonVerdict, string> = {
  on_trial: 'on trial',
  promoted: 'proven to help',
  retired: 'retired, for it does not help',
  unproven: 'kept, though unproven',
}

/** Facts that move no item. */
const facts = [
  /** Its trial was looked at, and it is no longer on trial. */
  event('lesson.judged', {
    lessonId: z.uuid(),
    verdict: LessonVerdict,
    looks: z.int(),
    runs: z.int(),
    /** That it helps. */
    probability: z.number().min(0).max(1),
    topic: z.string().max(200).nullable(),
  }),
  event('lesson.reconsidered', {
    lessonId: z.uuid(),
    from: z.number().min(0).max(1),
    to: z.number().min(0).max(1),
    why,
  }),
  /** It stands on a branch of its own in the file that every agent reads. */
  event('lesson.promoted', {
    lessonId: z.uuid(),
    file: z.string().max(200),
    branch: z.string().max(300),
    commit: CommitId,
  }),
] as const

export const lessonEvents = {
  facts,
  sentences: {
    'lesson.judged': ({ lessonId, verdict, topic, runs, probability }) =>
      line(
        `The lesson ${topic ?? lessonId.slice(0, 8)} is ${VERDICT_WORDS[verdict]}`,
        `helps with a probability of ${Math.round(probability * 100)} % after ${count(runs, 'run')}`,
        verdict === 'promoted' ? 'good' : 'plain',
      ),
    'lesson.reconsidered': ({ lessonId, from, to, why }) =>
      line(
        `The lesson ${lessonId.slice(0, 8)} is ${to > from ? 'surer' : 'less sure'}: ${from} → ${to}`,
        why,
      ),
    'lesson.promoted': ({ lessonId, file, branch }) =>
      line(`The lesson ${lessonId.slice(0, 8)} stands in ${file}`, `on branch ${branch}`, 'good'),
  } satisfies Sentences<(typeof facts)[number]>,
}
