// People are asked about lessons that begin to show, and nobody waits: their answers only change how sure we are.
import type { LearnedNote } from '@treadle/contracts/retrospective'
import { type QuestionWorld, runTrigger } from '../question/run.ts'
import { adjustedBy, questionAbout } from './decide.ts'

const ASKED_MAX = 3
const ANSWERS_MAX = 50
/** Answers older than this have been seen to. */
const RECENT_MS = 24 * 3_600_000
const SUBJECT = 'lesson '

/** About what a run taught, each lesson once and never again. */
export async function runConfirm(world: QuestionWorld, learned: readonly LearnedNote[]): Promise<number> {
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
export async function runConfirmed({ store, now }: QuestionWorld): Promise<number> {
  let changed = 0
  for (const event of ['pattern_detected', 'gotcha_candidate'])
    for (const { id, subject, answer } of await store.questions.list({
      event,
      status: 'answered',
      limit: ANSWERS_MAX,
    })) {
      if (answer === null || subject === null) continue
      if (now().getTime() - Date.parse(answer.at) > RECENT_MS) continue
      const given = { questionId: id, lessonId: subject.slice(SUBJECT.length), option: answer.option }
      if (await apply({ store, now }, given)) changed += 1
    }
  return changed
}

function apply(
  { store, now }: Pick<QuestionWorld, 'store' | 'now'>,
  { questionId, lessonId, option }: { questionId: string; lessonId: string; option: string | null },
): Promise<boolean> {
  return store.tx(async () => {
    const eventId = `confirmed:${questionId}`
    if (await store.events.seen(eventId)) return false
    const lesson = await store.lessons.find(lessonId)
    const adjusted = lesson === null ? null : adjustedBy(option, lesson.confidence)
    if (lesson === null || adjusted === null) return false
    const { confidence: to, why } = adjusted
    const first = await store.events.append({
      id: eventId,
      at: now(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'lesson.reconsidered', lessonId, from: lesson.confidence, to, why },
    })
    if (first) await store.lessons.reconsider(lessonId, { confidence: to, why }, now())
    return first
  })
}
