// What time does to questions: a reminder once, the default when nobody answers, and an end when nobody waits.
import type { QuestionAnswer } from '@treadle/contracts/question'
import type { KeptQuestion } from '../ports/questions.ts'
import { decideDue, FAILED_REPEATEDLY } from './decide.ts'
import { forEach } from './for-each.run.ts'
import { type QuestionWorld, tellRun } from './question.run.ts'
import { about, answerQuestion, withdrawQuestion } from './settle.run.ts'
import { openQuestion, WAIT_EVENTS } from './waiting.ts'

const BATCH = 100
const EVENTS_MAX = 1_000

/** How many were reminded of, settled or withdrawn. */
export async function runDue(world: QuestionWorld, now: Date): Promise<number> {
  const { questions } = world.store
  const due = await questions.due(now, BATCH)
  const settled = await forEach(due, ({ id }) => open(world, id, (kept) => settleDue(world, kept, now)))
  const waiting = await questions.waiting(BATCH)
  const withdrawn = await forEach(waiting, ({ record }) =>
    open(world, record.id, (kept) => withdrawNeedless(world, kept, now)),
  )
  return settled + withdrawn
}

/** Locked, and looked at again: somebody may answer at this moment. */
function open(
  { store }: QuestionWorld,
  id: string,
  act: (kept: KeptQuestion) => Promise<boolean>,
): Promise<boolean> {
  return store.tx(async () => {
    const found = await store.questions.find(id)
    if (found?.record.item != null) await store.items.lock(found.record.item)
    const kept = await store.questions.lock(id)
    return kept?.record.status === 'open' ? act(kept) : false
  })
}

async function settleDue(world: QuestionWorld, kept: KeptQuestion, now: Date): Promise<boolean> {
  const { store } = world
  const { record } = kept
  const choice = decideDue(record, now)
  switch (choice.is) {
    case 'nothing':
      return false
    case 'expire':
      await withdrawQuestion(store, record, { why: 'nobody answered, and it has no default', now })
      return true
    case 'default': {
      const { text, option } = choice
      const why = 'Nobody answered in time, and it is the default of whoever asked.'
      const answer: QuestionAnswer = {
        text,
        option,
        by: 'treadle',
        at: now.toISOString(),
        how: 'default',
        why,
      }
      const settled = await answerQuestion(store, kept, answer)
      await tellRun(world, settled, answer, kept.askedAs)
      return true
    }
    case 'remind': {
      const { id, number, blocking, text } = record
      await store.questions.remind(id, now)
      await store.events.append({
        ...about(record, now.toISOString()),
        id: `question:${id}:reminded`,
        event: { type: 'question.reminded', questionId: id, number, blocking, text },
      })
      return true
    }
  }
}

/** The run that asked is over or has gone on, or the item it is about is no longer a person's to decide. */
async function withdrawNeedless(world: QuestionWorld, kept: KeptQuestion, now: Date): Promise<boolean> {
  const why = await whyNeedless(world, kept)
  if (why === null) return false
  await withdrawQuestion(world.store, kept.record, { why, now })
  return true
}

async function whyNeedless({ store }: QuestionWorld, kept: KeptQuestion): Promise<string | null> {
  const { item: ref, runId, event } = kept.record
  const item = ref === null ? null : await store.items.find(ref)
  if (ref === null || item === null) return null
  if (event === FAILED_REPEATEDLY && (item.state !== 'escalated' || item.runId !== runId))
    return `#${item.number} is ${item.state} by now`
  if (kept.askedAs === null || runId === null) return null
  const run = await store.runs.find(runId)
  if (run === null || run.endedAt !== null || item.runId !== runId) return 'the run that asked is over'
  const waits = openQuestion(await store.events.ofItem(ref, EVENTS_MAX, WAIT_EVENTS), runId)
  return waits?.question.id === kept.askedAs ? null : 'the run that asked has gone on'
}
