// People are asked about lessons that begin to show, and nobody waits: their answers change how sure we are, or the words.
import type { Lesson } from '@treadle/contracts/lesson'
import type { QuestionAnswer } from '@treadle/contracts/question'
import type { LearnedNote } from '@treadle/contracts/retrospective'
import { type QuestionWorld, runTrigger } from '../ask/question.run.ts'
import type { Store } from '../ports/store.ts'
import { adjustedBy, questionAbout, reworded, rewordedBy } from './confirm.ts'

const ASKED_MAX = 3
const ANSWERS_MAX = 50
/** Answers older than this have been seen to. */
const RECENT_MS = 24 * 3_600_000
const SUBJECT = 'lesson '

export type ConfirmWorld = QuestionWorld & { readonly store: Pick<Store, 'lessons'> }
type Confirming = Pick<ConfirmWorld, 'store' | 'now'>

/** About what a run taught, each lesson once and never again. */
export async function runConfirm(world: ConfirmWorld, learned: readonly LearnedNote[]): Promise<number> {
  const ids = learned.flatMap(({ lessonId, how }) =>
    lessonId === null || how === 'not_worth' ? [] : [lessonId],
  )
  let asked = 0
  for (const lesson of await world.store.lessons.some([...new Set(ids)])) {
    const question = questionAbout(lesson)
    if (question === null || asked >= ASKED_MAX) continue
    const about = { subject: `${SUBJECT}${lesson.id}` }
    const told = await runTrigger(world, { agent: 'sia', ...question, about })
    asked += told.filter(({ is }) => is === 'asked').length
  }
  return asked
}

/** Part of every sweep; each answer counts once. */
export async function runConfirmed({ store, now }: Confirming): Promise<number> {
  let changed = 0
  for (const event of ['pattern_detected', 'gotcha_candidate'])
    for (const { id, subject, answer } of await store.questions.list({
      event,
      status: 'answered',
      limit: ANSWERS_MAX,
    })) {
      if (answer === null || subject === null) continue
      if (now().getTime() - Date.parse(answer.at) > RECENT_MS) continue
      const given = { questionId: id, lessonId: subject.slice(SUBJECT.length), answer }
      if (await apply({ store, now }, given)) changed += 1
    }
  return changed
}

interface AnsweredConfirmation {
  readonly questionId: string
  readonly lessonId: string
  readonly answer: QuestionAnswer
}

function apply(world: Confirming, { questionId, lessonId, answer }: AnsweredConfirmation): Promise<boolean> {
  const { store, now } = world
  return store.tx(async () => {
    const eventId = `confirmed:${questionId}`
    if (await store.events.seen(eventId)) return false
    const lesson = await store.lessons.find(lessonId)
    if (lesson === null) return false
    const changed = await change(world, lesson, answer)
    if (changed === null) return false
    return store.events.append({
      id: eventId,
      at: now(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'lesson.reconsidered', from: lesson.confidence, ...changed },
    })
  })
}

/** Null: the answer changes nothing. */
async function change({ store, now }: Confirming, lesson: Lesson, answer: QuestionAnswer) {
  const words = rewordedBy(answer)
  if (words !== null) {
    const why = 'a person reworded it'
    const given = reworded(lesson, { words, by: answer.by })
    let { lesson: successor } = await store.lessons.record(given, now())
    if (successor.id === lesson.id && successor.content !== given.content) {
      // Too like it to be kept beside it: it has to go first.
      await store.lessons.supersede(lesson.id, { by: null, why }, now())
      successor = (await store.lessons.record(given, now())).lesson
    }
    const old = await store.lessons.find(lesson.id)
    if (old?.supersededBy === null && successor.id !== lesson.id)
      await store.lessons.supersede(lesson.id, { by: successor.id, why }, now())
    return { lessonId: successor.id, to: successor.confidence, why }
  }
  const adjusted = adjustedBy(answer.option, lesson.confidence)
  if (adjusted === null) return null
  // Only a person's own answer lets the words of a model into prompts.
  const { confirmed, ...rest } = adjusted
  const isPerson = confirmed === true && answer.how === 'person'
  await store.lessons.reconsider(lesson.id, isPerson ? adjusted : rest, now())
  return { lessonId: lesson.id, to: adjusted.confidence, why: adjusted.why }
}
