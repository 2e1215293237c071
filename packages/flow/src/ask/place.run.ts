// Puts one question: asked of people, answered by what is known already, or left out.
import { createHash } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Guidance } from '@treadle/contracts/paor'
import type { NewQuestion, QuestionAnswer, QuestionRecord } from '@treadle/contracts/question'
import type { Store } from '../ports/store.ts'
import { type AskChoice, decideAsk, decideTimes, isBlocking } from './decide.ts'
import { keyOf } from './question-key.ts'
import { about, answerQuestion } from './settle.run.ts'
import { WAIT_EVENTS } from './waiting.ts'

export interface PlaceWorld {
  readonly store: Pick<Store, 'questions' | 'preferences' | 'events' | 'items'>
  readonly now: () => Date
  readonly uuid: () => string
  readonly config: () => Pick<Config, 'questions'>
}

export type AskOutcome =
  | { readonly is: 'asked'; readonly question: QuestionRecord }
  /** It needed no person, or has been answered before. */
  | { readonly is: 'settled'; readonly question: QuestionRecord }
  | { readonly is: 'not_asked'; readonly why: string }

const SYSTEM = 'treadle'
/** More than anybody says to one item. */
const EVENTS_MAX = 1_000

interface Putting {
  /** CLAUDE.md and AGENTS.md of the target. */
  readonly conventions: string
  readonly askedAs: string | null
  /** It is asked in a talk: whoever has it sits there, and nobody is reminded. */
  readonly inTalk?: boolean
}

/** Within a transaction: it is asked, answered by what is known, or not asked at all. */
export async function placeQuestion(
  world: PlaceWorld,
  given: NewQuestion,
  putting: Putting,
): Promise<AskOutcome> {
  const { store } = world
  const key = createHash('sha256').update(keyOf(given)).digest('hex')
  await store.questions.hold(key)
  const { template, subject } = given
  const before = template === null || subject === null ? null : await store.questions.about(template, subject)
  if (before !== null) return { is: before.status === 'open' ? 'asked' : 'settled', question: before }
  const choice = await choose(world, given, { key, conventions: putting.conventions })
  if (choice.is === 'skip') return { is: 'not_asked', why: choice.why }
  if (choice.is === 'join') return { is: 'asked', question: choice.question }
  const question = await keep(world, given, { key, ...putting })
  if (question === null) return { is: 'not_asked', why: 'it is asked already' }
  if (choice.is === 'ask') {
    await tellAsked(world, question)
    return { is: 'asked', question }
  }
  const { text, option, how, why } = choice
  const at = world.now().toISOString()
  const answer: QuestionAnswer = { text, option, by: SYSTEM, at, how, why }
  const kept = { record: question, key, askedAs: putting.askedAs }
  return { is: 'settled', question: await answerQuestion(store, kept, answer) }
}

async function choose(
  world: PlaceWorld,
  question: NewQuestion,
  { key, conventions }: { key: string; conventions: string },
): Promise<AskChoice> {
  const { questions, preferences } = world.store
  const now = world.now()
  const { sessionId } = question
  const recent = sessionId === '' ? [] : await questions.inSession({ sessionId, key })
  const preference = await preferences.find(key)
  const choice = decideAsk({
    question,
    settings: world.config().questions,
    said: await saidAbout(world, question.item),
    conventions,
    preference,
    recent,
  })
  if (choice.is === 'answer' && choice.how === 'preference' && preference !== null)
    await preferences.used(preference.id, now)
  return choice
}

async function saidAbout({ store }: PlaceWorld, ref: ItemRef | null): Promise<string[]> {
  const item = ref === null ? null : await store.items.find(ref)
  if (ref === null || item === null) return []
  const told = await store.events.ofItem(ref, EVENTS_MAX, WAIT_EVENTS)
  const words = told.flatMap(({ event }) => (event.type === 'run.guided' ? ownWords(event.guidance) : []))
  return [item.title, item.body, ...item.acceptance.map(({ text }) => text), ...words]
}

/** An answer repeats what an agent has offered; only what somebody says unasked is the person's own. */
function ownWords({ answers, about: asked, text }: Guidance): string[] {
  return answers === null && asked === undefined ? [text] : []
}

function keep(
  world: PlaceWorld,
  given: NewQuestion,
  { key, askedAs, inTalk }: Putting & { key: string },
): Promise<QuestionRecord | null> {
  const { event, template, subject, item, runId, ...asked } = given
  const now = world.now()
  const question = { ...asked, id: world.uuid(), blocking: isBlocking(given) }
  const times = decideTimes(given, world.config().questions, now)
  const record = {
    question,
    event,
    template,
    subject,
    item,
    runId,
    askedAs,
    key,
    ...times,
    ...(inTalk ? { remindAt: null } : {}),
  }
  return world.store.questions.add(record, now)
}

export async function tellAsked({ store }: Pick<PlaceWorld, 'store'>, record: QuestionRecord): Promise<void> {
  const { id, number, type, blocking, agent, text } = record
  await store.events.append({
    ...about(record, record.askedAt),
    id: `question:${id}:asked`,
    event: { type: 'question.asked', question: { id, number, type, blocking, agent, text } },
  })
}
