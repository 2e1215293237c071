// The one way in which anybody asks people something, and in which an answer comes back.
import type { RunReport } from '@treadle/contracts/event'
import type { ItemRef, RunId } from '@treadle/contracts/ids'
import type { Question } from '@treadle/contracts/paor'
import { type NewQuestion, QuestionAnswer, type QuestionRecord } from '@treadle/contracts/question'
import type { Run } from '@treadle/contracts/run'
import type { MovingWorld } from '../ports/moving.ts'
import type { KeptQuestion } from '../ports/questions.ts'
import type { Store } from '../ports/store.ts'
import { type Report, type Reported, report } from '../report.run.ts'
import { decideFollowUp, isBlocking, MISSING_CONTEXT } from './decide.ts'
import { mirrorOf } from './engine-question.ts'
import { runGuide } from './guide.run.ts'
import { type AskOutcome, placeQuestion } from './place.run.ts'
import { readReply } from './reply.ts'
import { answerQuestion, withdrawQuestion } from './settle.run.ts'

/** What happened, and what is known of it, for the catalogue of questions. */
export interface QuestionTrigger {
  readonly agent: string
  readonly event: string
  readonly phase?: string
  readonly facts: Readonly<Record<string, unknown>>
}

export interface QuestionWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'runs' | 'events' | 'questions' | 'preferences' | 'builds'>
  readonly uuid: () => string
  /** The questions that follow from a trigger, its facts filled in. */
  readonly catalogue: (trigger: QuestionTrigger) => readonly NewQuestion[]
  /** CLAUDE.md and AGENTS.md of the target. */
  readonly conventions: () => Promise<string>
}

export interface About {
  readonly item?: ItemRef | null
  readonly runId?: RunId | null
  /** With the same subject a question of the catalogue is asked once and never again. */
  readonly subject?: string | null
  /** Within what it is asked, if that is no run. */
  readonly sessionId?: string
  /** The idea that it is about, if that is no item. */
  readonly ideaId?: string
}

const BY_MAX = 100
const GUIDANCE_CHARS_MAX = 4_000
const ABOUT_CHARS_MAX = 2_000

export async function runAsk(world: QuestionWorld, given: NewQuestion): Promise<AskOutcome> {
  const conventions = await world.conventions()
  return world.store.tx(async () => {
    // Whoever locks both an item and a question locks the item first.
    if (given.item !== null) await world.store.items.lock(given.item)
    return placeQuestion(world, given, { conventions, askedAs: null })
  })
}

export async function runTrigger(
  world: QuestionWorld,
  { about: of, ...trigger }: QuestionTrigger & { readonly about: About },
): Promise<AskOutcome[]> {
  const asked: AskOutcome[] = []
  const { item = null, runId = null, subject = null } = of
  for (const question of world.catalogue(trigger)) {
    const ideaId = item === null ? (of.ideaId ?? question.ideaId) : `${item.projectNumber}/${item.number}`
    const sessionId = of.sessionId ?? runId ?? question.sessionId
    asked.push(await runAsk(world, { ...question, item, runId, subject, ideaId, sessionId }))
  }
  return asked
}

type AskedReport = Report & { readonly event: Extract<RunReport, { type: 'run.asked' }> }

export function isAsked(said: Report): said is AskedReport {
  return said.event.type === 'run.asked'
}

/** What an engine asks in its run is a question like any other; it may be answered before anybody is bothered. */
export async function runAsked(world: QuestionWorld, said: AskedReport): Promise<Reported> {
  const conventions = await world.conventions()
  return world.store.tx(async () => {
    const told = await report(world, said)
    const run = told.is === 'recorded' ? await world.store.runs.find(said.runId) : null
    if (run !== null) await mirror(world, { run, question: said.event.question, conventions })
    return told
  })
}

async function mirror(
  world: QuestionWorld,
  { run, question, conventions }: { run: Run; question: Question; conventions: string },
): Promise<void> {
  const { id: runId, item, agentId, phase } = run
  const given =
    catalogued(world, question, { item, runId }) ?? mirrorOf(question, { item, runId, agentId, phase })
  if (given === null) return
  const known = await world.store.questions.ofRun(runId, question.id)
  // Asked once more under the same name by somebody who does not know: whoever waits for it is still to be seen.
  if (known?.record.status === 'open') return
  if (known !== null && isBlocking(given)) return reopen(world, known)
  // A run waits for one answer at a time.
  if (isBlocking(given)) await withdrawWaiting(world, runId, 'it was asked again')
  const placed = await placeQuestion(world, given, { conventions, askedAs: question.id })
  const answer = placed.is === 'settled' ? placed.question.answer : null
  if (placed.is === 'settled' && answer !== null) await tellRun(world, placed.question, answer, question.id)
}

/** What a run asks in the words of the catalogue; null: it asks in its own. */
function catalogued(
  world: QuestionWorld,
  { id, catalogue }: Question,
  { item, runId }: Pick<Run, 'item'> & { runId: RunId },
): NewQuestion | null {
  if (catalogue === undefined) return null
  const [question] = world.catalogue({ agent: 'build', ...catalogue })
  const ideaId = `${item.projectNumber}/${item.number}`
  return question === undefined
    ? null
    : { ...question, item, runId, ideaId, sessionId: runId, subject: `run:${runId}:${id}` }
}

/** Answered before: that is the answer. Withdrawn: it is open again. */
async function reopen(world: QuestionWorld, { record, askedAs }: KeptQuestion): Promise<void> {
  if (record.answer !== null) return tellRun(world, record, record.answer, askedAs)
  await withdrawWaiting(world, record.runId ?? '', 'it was asked again')
  await world.store.questions.settle(record.id, { status: 'open', answer: null })
}

async function withdrawWaiting({ store, now }: QuestionWorld, runId: RunId, why: string): Promise<void> {
  const open = await store.questions.list({ runId, status: 'open', limit: 100 })
  for (const record of open)
    if (record.blocking && (record.event === null || record.event === MISSING_CONTEXT))
      await withdrawQuestion(store, record, { why, now: now() })
}

/** The answer to whoever waits for it; to a run that went on, as something a person has said. */
export async function tellRun(
  world: QuestionWorld,
  record: QuestionRecord,
  answer: QuestionAnswer,
  askedAs: string | null,
): Promise<void> {
  const { runId, item: ref, blocking, text } = record
  const run = runId === null ? null : await world.store.runs.find(runId)
  const item = ref === null ? null : await world.store.items.find(ref)
  if (run === null || item === null || run.endedAt !== null || item.runId !== runId) return
  const isWaited = blocking && askedAs !== null
  const guidance = {
    id: world.uuid(),
    by: answer.by,
    text: answer.text.slice(0, GUIDANCE_CHARS_MAX),
    answers: isWaited ? askedAs : null,
    ...(answer.how === 'person' ? {} : { how: answer.how }),
    ...(isWaited ? {} : { about: text.slice(0, ABOUT_CHARS_MAX) }),
  }
  await runGuide(world, { runId: run.id, guidance })
}

export type Answered =
  | { readonly is: 'answered'; readonly question: QuestionRecord }
  /** Somebody was faster, or nobody waits for it any more. */
  | { readonly is: 'over'; readonly question: QuestionRecord }
  | { readonly is: 'bad'; readonly why: string }
  | { readonly is: 'missing' }

export function runAnswer(
  world: QuestionWorld,
  { id, text, by }: { readonly id: string; readonly text: string; readonly by: string },
): Promise<Answered> {
  const { store } = world
  return store.tx(async (): Promise<Answered> => {
    const found = await store.questions.find(id)
    if (found === null) return { is: 'missing' }
    if (found.record.item !== null) await store.items.lock(found.record.item)
    const kept = await store.questions.lock(id)
    if (kept === null) return { is: 'missing' }
    if (kept.record.status !== 'open') return { is: 'over', question: kept.record }
    const reply = readReply(kept.record, text)
    if (reply.is === 'bad') return reply
    const { text: words, option } = reply
    const at = world.now().toISOString()
    // What could not be read back must not be written.
    const read = QuestionAnswer.safeParse({ text: words, option, by: by.slice(0, BY_MAX), at, how: 'person' })
    if (!read.success) return { is: 'bad', why: 'The answer holds nothing that can be read.' }
    const answer = read.data
    if (kept.record.blocking && kept.askedAs !== null) return answerRun(world, kept, answer)
    const question = await answerQuestion(store, kept, answer)
    await tellRun(world, question, answer, kept.askedAs)
    await followUp(world, question, answer)
    return { is: 'answered', question }
  })
}

/** A run waits for it: what it hears and what is kept are one act. */
async function answerRun(
  world: QuestionWorld,
  { record, askedAs }: KeptQuestion,
  answer: QuestionAnswer,
): Promise<Answered> {
  const { store, now } = world
  const { runId, id } = record
  if (runId === null) return { is: 'missing' }
  const text = answer.text.slice(0, GUIDANCE_CHARS_MAX)
  const guided = await runGuide(world, {
    runId,
    guidance: { id: world.uuid(), by: answer.by, text, answers: askedAs },
  })
  const kept = guided.is === 'said' ? await store.questions.find(id) : null
  if (kept !== null) {
    await followUp(world, kept.record, answer)
    return { is: 'answered', question: kept.record }
  }
  const why = 'the run does not wait for it any more'
  return { is: 'over', question: await withdrawQuestion(store, record, { why, now: now() }) }
}

async function followUp(
  world: QuestionWorld,
  { item, runId, id, event }: QuestionRecord,
  answer: QuestionAnswer,
): Promise<void> {
  const choice = decideFollowUp({ event }, answer)
  // What is done with builds and deliveries is an order of a person, and goes by the door of these.
  if (choice.is !== 'withdraw' && choice.is !== 'reopen') return
  if (item === null) return
  const order = { item, eventId: `question:${id}:followed`, fence: null, agentId: null }
  const { by } = answer
  if (choice.is === 'withdraw') {
    await world.advance({ ...order, move: { type: 'item.withdrawn', by } })
    return
  }
  // Said to the run that gave up; whoever takes the item next hears it, as all that was said about it.
  const guidance = { id: world.uuid(), by, text: choice.words.slice(0, GUIDANCE_CHARS_MAX), answers: null }
  await world.store.events.append({
    id: `guided:${guidance.id}`,
    at: world.now(),
    item,
    agentId: null,
    runId,
    state: 'escalated',
    event: { type: 'run.guided', guidance },
  })
  await world.advance({ ...order, move: { type: 'item.reopened', by } })
}
