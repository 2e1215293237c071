// The open questions of a talk stand among all other questions, too: one row for each, settled by what is said.
import { createHash } from 'node:crypto'
import type { Idea, IdeaQuestion } from '@treadle/contracts/idea'
import { IDEATION, NewQuestion, QuestionAnswer, type QuestionRecord } from '@treadle/contracts/question'
import { placeQuestion, tellAsked } from '../ask/place.run.ts'
import { readReply } from '../ask/reply.ts'
import { answerQuestion, withdrawQuestion } from '../ask/settle.run.ts'
import { askedIn, subjectOf } from './asked.ts'
import { type Field, isField } from './interview.ts'
import type { Moment } from './moments.ts'
import type { SpokenWords, TalkWorld } from './talk-world.ts'

type AskWorld = Pick<TalkWorld, 'store' | 'now' | 'uuid' | 'config' | 'catalogue'>
type Talk = Pick<Idea, 'slug' | 'phase' | 'title'>

const CREATED = 'idea_created'
const BY_MAX = 100
/** More than one talk ever has open. */
const OPEN_MAX = 50

/** The words of the catalogue about fields of an interview. */
export function catalogueWords({
  catalogue,
}: Pick<TalkWorld, 'catalogue'>): Partial<Record<Field, Omit<IdeaQuestion, 'id'>>> {
  const [first] = catalogue({ agent: IDEATION, event: CREATED, facts: {} })
  return first === undefined
    ? {}
    : { 'target-user': { text: first.text, options: first.options.map(({ label }) => label) } }
}

/** Puts each open question of the interview that is not there yet. Within the transaction that changes the idea. */
export async function askOpen(world: AskWorld, idea: Talk & Pick<Idea, 'questions'>): Promise<void> {
  for (const question of idea.questions)
    if (isField(question.id))
      await ask(world, idea, {
        what: question.id,
        template: templateOf(question.id),
        event: question.id === 'target-user' ? CREATED : null,
        question,
      })
}

/** What a model asks in its reply, by the message that asks it. */
export async function askOwn(
  world: AskWorld,
  idea: Talk,
  { messageId, questions }: { readonly messageId: string; readonly questions: readonly IdeaQuestion[] },
): Promise<void> {
  for (const question of questions) {
    const what = `${messageId}/${question.id}`
    await ask(world, idea, { what, template: `${IDEATION}/talk`, event: null, question })
  }
}

interface Asking {
  readonly what: string
  readonly template: string
  readonly event: string | null
  readonly question: IdeaQuestion
}

async function ask(world: AskWorld, talk: Talk, { what, template, event, question }: Asking): Promise<void> {
  const { store } = world
  const subject = subjectOf(talk.slug, what)
  const known = await store.questions.about(template, subject)
  // It was over, and what it asks for is still open: an engine gave up, say.
  if (known !== null && known.status !== 'open')
    return store.questions.settle(known.id, { status: 'open', answer: null })
  if (known !== null) return
  const record = await store.questions.add(
    {
      question: { id: world.uuid(), ...asAgentQuestion(world, talk, question, event) },
      event,
      template,
      subject,
      item: null,
      runId: null,
      askedAs: null,
      // No answer about one idea is ever one about another.
      key: createHash('sha256').update(subject).digest('hex'),
      // It stays as long as the talk does: nobody is reminded, and nothing holds instead.
      remindAt: null,
      dueAt: null,
    },
    world.now(),
  )
  if (record !== null) await tellAsked({ store }, record)
}

function asAgentQuestion(
  world: AskWorld,
  { slug, phase, title }: Talk,
  { id, text }: IdeaQuestion,
  event: string | null,
) {
  const template = event === null ? undefined : world.catalogue({ agent: IDEATION, event, facts: {} })[0]
  return {
    // What nobody else declares holds nobody up: whoever talks is asked in the talk.
    type: template?.type ?? ('confirming' as const),
    blocking: template?.blocking ?? false,
    agent: IDEATION,
    phase,
    text: NewQuestion.shape.text.parse(text),
    context: template?.context ?? NewQuestion.shape.context.parse(`About the idea "${title}".`),
    options: template?.options ?? [],
    allowFreeText: true,
    ideaId: slug,
    sessionId: slug,
    tags: [id],
  }
}

/** What the catalogue asks beside a talk: its number among all questions, and its words in the talk. */
export interface AskedBeside {
  readonly number: number
  readonly question: IdeaQuestion
}

/** Asks what the catalogue has about what has just happened, each once in a talk; answers what is open of it. */
export async function askMoments(
  world: AskWorld,
  { slug }: Pick<Idea, 'slug'>,
  moments: readonly Moment[],
): Promise<AskedBeside[]> {
  const open: AskedBeside[] = []
  for (const { event, phase, facts } of moments)
    for (const question of world.catalogue({
      agent: IDEATION,
      event,
      ...(phase === undefined ? {} : { phase }),
      facts,
    })) {
      const subject = subjectOf(slug, event)
      const placed = await placeQuestion(
        world,
        { ...question, subject, ideaId: slug, sessionId: slug },
        { conventions: '', askedAs: null, inTalk: true },
      )
      if (placed.is === 'asked')
        open.push({
          number: placed.question.number,
          question: {
            id: event,
            text: question.text.slice(0, 4_000),
            options: question.options.map(({ label }) => label),
          },
        })
    }
  return open
}

function templateOf(field: Field): string {
  return `${IDEATION}/interview#${field}`
}

/** What was said is the answer to the question about this field. */
export async function settleAnswered(
  world: AskWorld,
  { slug }: Pick<Idea, 'slug'>,
  { field, ...said }: Pick<SpokenWords, 'text' | 'by'> & { readonly field: Field },
): Promise<void> {
  const asked = await world.store.questions.about(templateOf(field), subjectOf(slug, field))
  if (asked !== null) await settleOne(world, asked.id, said)
}

/** In a talk with a model a message answers all that is asked in it: the model reads it as one. */
export async function settleTalk(
  world: AskWorld,
  { slug }: Pick<Idea, 'slug'>,
  said: Pick<SpokenWords, 'text' | 'by'>,
): Promise<void> {
  for (const { id } of await openOf(world, slug)) await settleOne(world, id, said)
}

export async function settleOne(
  { store, now }: AskWorld,
  id: string,
  { text, by }: Pick<SpokenWords, 'text' | 'by'>,
): Promise<void> {
  const kept = await store.questions.lock(id)
  if (kept === null || kept.record.status !== 'open') return
  const reply = readReply(kept.record, text)
  const words = reply.is === 'answer' ? { text: reply.text, option: reply.option } : { text, option: null }
  const given = { ...words, by: by.slice(0, BY_MAX), at: now().toISOString(), how: 'person' as const }
  const read = QuestionAnswer.safeParse(given)
  if (read.success) await answerQuestion(store, kept, read.data)
}

/** Nobody waits for these any more: the talk is over, or goes on with other questions. */
export async function withdrawTalk(
  world: AskWorld,
  { slug }: Pick<Idea, 'slug'>,
  why: string,
): Promise<void> {
  await withdraw(world, await openOf(world, slug), why)
}

/** What was asked beside an interview is passed over by a message that goes on with it. */
export async function passOver(world: AskWorld, { slug }: Pick<Idea, 'slug'>): Promise<void> {
  const beside = (await openOf(world, slug)).filter((asked) => askedIn(asked)?.field === null)
  await withdraw(world, beside, 'the interview has gone on')
}

async function withdraw(world: AskWorld, asked: readonly QuestionRecord[], why: string): Promise<void> {
  for (const { id } of asked) {
    const kept = await world.store.questions.lock(id)
    if (kept?.record.status === 'open')
      await withdrawQuestion(world.store, kept.record, { why, now: world.now() })
  }
}

async function openOf({ store }: AskWorld, sessionId: string): Promise<QuestionRecord[]> {
  const open = await store.questions.list({ sessionId, status: 'open', limit: OPEN_MAX })
  return open.filter(({ agent }) => agent === IDEATION)
}
