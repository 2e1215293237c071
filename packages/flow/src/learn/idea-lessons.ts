// What finished talks teach, in words of our own: nothing that a person or a model said gets into a lesson.
import { NewLesson } from '@treadle/contracts/lesson'
import type { Gap, IdeaRetrospective } from '@treadle/contracts/planning-retrospective'
import { FIELDS } from '../idea/interview.ts'
import { IDEATE } from '../idea/taught.ts'
import { DISCOVERED } from './confidence.ts'

const LESSONS_MAX = 10

/** What to avoid for each gap, once; where there is none, what has held. About the documents of ideas, and nothing else. */
export function lessonsOfIdea(
  { gaps }: Pick<IdeaRetrospective, 'gaps'>,
  dir: string,
): { readonly lesson: NewLesson; readonly why: string }[] {
  const glob = `${dir.replace(/\/+$/, '')}/*/ideas/**`
  const made = (type: 'gotcha' | 'pattern', content: string) =>
    NewLesson.parse({
      type,
      content,
      glob,
      action: IDEATE,
      topic: 'ideation',
      confidence: DISCOVERED,
      discoveredBy: 'sia',
    })
  if (gaps.length === 0)
    return [{ lesson: made('pattern', WELL), why: 'nothing was left open and nothing contradicted itself' }]
  const texts = new Map(gaps.flatMap((gap) => wordsOf(gap).map((words) => [words, gap.what] as const)))
  return [...texts].slice(0, LESSONS_MAX).map(([words, why]) => ({ lesson: made('gotcha', words), why }))
}

const WELL =
  'A talk that asks for each field once, in its order, ends with a brief that leaves nothing open: keep to the order.'

function wordsOf({ kind, about }: Gap): string[] {
  const field = (FIELDS as readonly string[]).includes(about) ? about.replaceAll('-', ' ') : 'a question'
  switch (kind) {
    case 'unanswered':
      return [`Talks about ideas end without an answer to ${field}: ask for it before the last phase.`]
    case 'unsure':
      return [`Answers about ${field} stay unsure: ask for an example or a number.`]
    case 'long_phase':
      return [`${about} takes more messages than it has questions: ask one thing at a time, with options.`]
    case 'contradiction':
      return ['Later answers contradict earlier ones: read back what was understood before going on.']
    default:
      return []
  }
}
