// The end of a question: kept with its answer, told in the history of its run, and learned from.
import type { Guidance } from '@treadle/contracts/paor'
import {
  decisionAskedAbout,
  QuestionAnswer,
  type QuestionRecord,
  specAskedAbout,
} from '@treadle/contracts/question'
import type { NewEvent } from '../ports/events.ts'
import type { KeptQuestion } from '../ports/questions.ts'
import type { Store } from '../ports/store.ts'
import { decideLearning } from './decide.ts'
import { readReply } from './reply.ts'

type QuestionStore = Pick<Store, 'questions' | 'preferences' | 'events'>
const BY_MAX = 100
const UNREADABLE = '(nothing that can be read)'
const WHY_MAX = 4_000

/** Within the transaction that has looked whether it is open. */
export async function answerQuestion(
  store: QuestionStore,
  { record, key }: Pick<KeptQuestion, 'record' | 'key'>,
  answer: QuestionAnswer,
): Promise<QuestionRecord> {
  const isDefault = answer.how === 'default' || answer.how === 'judgement'
  const status = isDefault ? 'defaulted' : 'answered'
  const spec = specAskedAbout(record)
  const decision = decisionAskedAbout(record)
  await learn(store, { record, key }, answer)
  await store.questions.settle(record.id, { status, answer })
  await store.events.append({
    ...about(record, answer.at),
    id: `question:${record.id}:${status}`,
    event: {
      type: isDefault ? 'question.defaulted' : 'question.answered',
      questionId: record.id,
      number: record.number,
      text: answer.text,
      option: answer.option,
      by: answer.by,
      how: answer.how,
      ...(spec === null ? {} : { spec }),
      ...(decision === null ? {} : { decisionId: decision }),
    },
  })
  return { ...record, status, answer }
}

export async function withdrawQuestion(
  store: QuestionStore,
  record: QuestionRecord,
  { why, now }: { why: string; now: Date },
): Promise<QuestionRecord> {
  await store.questions.settle(record.id, { status: 'withdrawn', answer: null })
  await store.events.append({
    ...about(record, now.toISOString()),
    id: `question:${record.id}:withdrawn`,
    event: {
      type: 'question.withdrawn',
      questionId: record.id,
      number: record.number,
      why: why.slice(0, WHY_MAX),
    },
  })
  return { ...record, status: 'withdrawn' }
}

/** A run was told what it waited for, by whichever way; the question that stands for it is over. */
export async function settleAsked(
  store: QuestionStore,
  { runId, guidance, now }: { runId: string; guidance: Guidance; now: Date },
): Promise<void> {
  const found = guidance.answers === null ? null : await store.questions.ofRun(runId, guidance.answers)
  const kept = found === null ? null : await store.questions.lock(found.record.id)
  if (kept === null || kept.record.status !== 'open') return
  const reply = readReply(kept.record, guidance.text)
  const { text, option } = reply.is === 'answer' ? reply : { text: guidance.text, option: null }
  const given = { option, by: guidance.by.slice(0, BY_MAX), at: now.toISOString(), how: 'person' } as const
  const read = QuestionAnswer.safeParse({ ...given, text })
  // The run has heard it, whatever it was; only what can be read back is kept.
  await answerQuestion(store, kept, read.success ? read.data : { ...given, option: null, text: UNREADABLE })
}

export function about(
  { item, runId }: Pick<QuestionRecord, 'item' | 'runId'>,
  at: string,
): Pick<NewEvent, 'at' | 'item' | 'agentId' | 'runId' | 'state'> {
  return { at: new Date(at), item, agentId: null, runId, state: null }
}

async function learn(
  { questions, preferences }: QuestionStore,
  { record, key }: Pick<KeptQuestion, 'record' | 'key'>,
  answer: QuestionAnswer,
): Promise<void> {
  if (answer.how !== 'person') return
  const [before = null] = await questions.answered(key, 1)
  if (!decideLearning(record, answer, before)) return
  const { agent, event, tags, text } = record
  const { text: given, option, by, at } = answer
  await preferences.learn({ key, agent, event, tags, text, answer: given, option, by }, new Date(at))
}
