// The talk about an idea: it begins, and goes on message by message. Each message is one transaction.
import type { Idea, IdeaSignals } from '@treadle/contracts/idea'
import type { QuestionRecord } from '@treadle/contracts/question'
import type { IdeaChanges } from '../ports/ideas.ts'
import { decideMode } from '../work/mode.ts'
import {
  askMoments,
  askOpen,
  catalogueWords,
  passOver,
  settleAnswered,
  settleOne,
  settleTalk,
  withdrawTalk,
} from './asked.run.ts'
import { quoted } from './asked.ts'
import { answerIn, broughtBeside, type Field, openFields, openQuestions, replyTo } from './interview.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import { momentsOf } from './moments.ts'
import { phasesAfter } from './phases.ts'
import {
  type After,
  changesOf,
  keepMessage,
  reply,
  tell,
  tellChanges,
  userMessage,
  withBrief,
} from './record.run.ts'
import { freeSlugs, slugOf, titleOf } from './slug.ts'
import type { SpokenWords, TalkWorld } from './talk-world.ts'
import { recallTaught } from './taught.run.ts'
import {
  askReply,
  type LoadedTalk,
  loadDocuments,
  loadProfile,
  lookUp,
  NOTHING_LOADED,
  withdrawOpen,
} from './think.run.ts'

const TITLE_MAX = 300
/** Why what was asked beside the interview is over with it. */
const BRIEF_WRITTEN = 'the brief is written; what it says can be changed there'

/** The slug of the idea: of a new one, or of the one that began with this very message. */
export async function runStart(
  world: TalkWorld,
  { text, by, messageId, engine }: SpokenWords & { readonly engine: string | null },
): Promise<string> {
  const userSlug = await world.userSlug()
  const { store } = world
  const userProfile = await loadProfile(world, userSlug)
  const { mode } = modeFor(world, engine)
  const isNew = mode === 'engine' && (await store.ideas.ofMessage(messageId)) === null
  const web = isNew ? await lookUp(world, { text, title: titleOf(text, TITLE_MAX) }) : []
  const lessons = isNew ? await recallTaught(world) : []
  return store.tx(async () => {
    const before = await store.ideas.ofMessage(messageId)
    if (before !== null) return before
    const idea = await addIdea(world, { text, userSlug, engine, messageId })
    // Whoever sent the same at the same moment was faster.
    if (typeof idea === 'string') return idea
    const { slug, title } = idea
    const told = { idea: slug, title, engine: idea.engine, by }
    await tell(world, `idea:${slug}:started`, { type: 'idea.started', ...told })
    await keepMessage(world, slug, userMessage(world, { text, by, messageId }, null))
    if (idea.mode === 'engine') {
      await askOpen(world, idea)
      await askReply(world, idea, { ...NOTHING_LOADED, userProfile, web, lessons })
      return slug
    }
    await reply(world, slug, `I ask, you answer, and a brief comes of it. ${idea.questions[0]?.text ?? ''}`)
    await askOpen(world, idea)
    return slug
  })
}

interface Beginning {
  readonly text: string
  readonly userSlug: string
  readonly engine: string | null
  readonly messageId: string
}

/** The new idea; or the slug of the one that the same message has begun meanwhile, which had the first free name. */
async function addIdea(
  world: TalkWorld,
  { text, userSlug, engine, messageId }: Beginning,
): Promise<Idea | string> {
  const { store } = world
  const at = world.now().toISOString()
  const mode = modeFor(world, engine)
  for (const slug of freeSlugs(slugOf(text))) {
    const idea: Idea = {
      slug,
      userSlug,
      title: titleOf(text, TITLE_MAX),
      phase: 'EXPLORING',
      status: 'active',
      ...mode,
      signals: NO_SIGNALS,
      questions: openQuestions(NO_SIGNALS, catalogueWords(world)).slice(
        0,
        mode.mode === 'engine' ? 1 : undefined,
      ),
      candidateAt: null,
      completedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    if (await store.ideas.add(idea)) return idea
    const begun = await store.ideas.ofMessage(messageId)
    if (begun !== null) return begun
  }
  throw new Error('no name is free for this idea')
}

export type SayOutcome =
  | { readonly is: 'said'; readonly slug: string }
  /** It was there already: nothing was done again. */
  | { readonly is: 'known'; readonly slug: string }
  | { readonly is: 'missing' }
  | { readonly is: 'archived' }
  /** The named field has its answer, from somebody else at the same moment. */
  | { readonly is: 'answered' }

interface Saying extends SpokenWords {
  readonly slug: string
  /** The field of the interview that it answers; else the first that is open. */
  readonly field?: Field | null
  /** The question that it answers, and no other. */
  readonly asked?: QuestionRecord | null
  /** Who answers from now on; null: as before. */
  readonly engine?: string | null
}

export async function runSay(
  world: TalkWorld,
  { slug, field = null, asked = null, engine = null, ...said }: Saying,
): Promise<SayOutcome> {
  const { store } = world
  const seen = await store.ideas.find(slug)
  const mode = engine === null ? {} : modeFor(world, engine)
  const loaded = seen === null ? NOTHING_LOADED : await load(world, { ...seen.idea, ...mode }, said)
  return store.tx(async (): Promise<SayOutcome> => {
    const kept = await store.ideas.lock(slug)
    if (kept === null) return { is: 'missing' }
    if (kept.idea.status === 'archived') return { is: 'archived' }
    if ((await store.ideas.ofMessage(said.messageId)) !== null) return { is: 'known', slug }
    if (await isAnswered(world, { ...kept.idea, ...mode }, { field, asked })) return { is: 'answered' }
    const idea = await inMode(world, kept.idea, { ...kept.idea, ...mode }, said)
    if (idea.mode === 'engine') await sayToModel(world, idea, { ...said, asked, loaded })
    else if (asked !== null && field === null) await answerBeside(world, idea, { ...said, asked })
    else await answer(world, idea, { ...said, field })
    return { is: 'said', slug }
  })
}

/** What was said before is not looked up again. */
async function load(world: TalkWorld, idea: Idea, { text, messageId }: SpokenWords): Promise<LoadedTalk> {
  const isNew = idea.mode === 'engine' && (await world.store.ideas.ofMessage(messageId)) === null
  return loadDocuments(world, idea, isNew ? await lookUp(world, { text, title: idea.title }) : [])
}

/** Somebody else has answered it at the same moment. */
async function isAnswered(
  { store }: TalkWorld,
  idea: Idea,
  { field, asked }: { readonly field: Field | null; readonly asked: QuestionRecord | null },
): Promise<boolean> {
  if (asked !== null) return (await store.questions.lock(asked.id))?.record.status !== 'open'
  return field !== null && idea.mode !== 'engine' && !openFields(idea.signals).includes(field)
}

/** A message answers all that is asked in the talk; said in answer to one question elsewhere, that one. */
async function sayToModel(
  world: TalkWorld,
  idea: Idea,
  {
    asked,
    loaded,
    ...said
  }: SpokenWords & { readonly asked: QuestionRecord | null; readonly loaded: LoadedTalk },
): Promise<void> {
  const text = asked === null ? said.text : quoted(asked, said.text)
  await keepMessage(world, idea.slug, userMessage(world, { ...said, text }, null))
  if (asked === null) await settleTalk(world, idea, said)
  else await settleOne(world, asked.id, said)
  await askReply(world, idea, loaded)
}

function modeFor({ config }: TalkWorld, engine: string | null): Pick<Idea, 'mode' | 'engine' | 'modeWhy'> {
  const { ideas, engines } = config()
  return decideMode({ asked: engine, setting: ideas.engine, usual: engines.default })
}

/** The idea in the mode that it has from now on. */
async function inMode(
  world: TalkWorld,
  before: Idea,
  idea: Idea,
  { messageId }: Pick<SpokenWords, 'messageId'>,
): Promise<Idea> {
  const { slug, mode, engine, modeWhy } = idea
  if (mode === before.mode && engine === before.engine) return before
  const questions = mode === 'engine' ? [] : openQuestions(idea.signals, catalogueWords(world))
  await world.store.ideas.patch(slug, { mode, engine, modeWhy, questions }, world.now())
  if (mode === 'interview') {
    await withdrawOpen(world, slug)
    await tell(world, `idea:${messageId}:interview`, {
      type: 'idea.interview_began',
      idea: slug,
      why: modeWhy ?? 'it was asked for',
    })
  }
  return { ...idea, questions }
}

async function answer(
  world: TalkWorld,
  idea: Idea,
  { field, ...said }: SpokenWords & { readonly field: Field | null },
): Promise<void> {
  const words = catalogueWords(world)
  const asked = field ?? openFields(idea.signals)[0]
  const options = asked === undefined ? [] : (words[asked]?.options ?? [])
  const answered = answerIn(idea.signals, { text: said.text, field, options })
  await keepMessage(world, idea.slug, userMessage(world, said, answered?.brought ?? null))
  const after = concluded(idea, answered?.brought ?? null)
  const questions = openQuestions(after.signals, words)
  await tellChanges(world, idea, { ...after, said })
  const changes: IdeaChanges = { ...changesOf(idea, after, world.now()), questions }
  await world.store.ideas.patch(idea.slug, changes, world.now())
  if (answered !== null) await settleAnswered(world, idea, { field: answered.field, ...said })
  await passOver(world, idea)
  await askOpen(world, { ...idea, ...changes })
  const { phases } = after
  if (phases.includes('COMPLETE')) await withdrawTalk(world, idea, BRIEF_WRITTEN)
  const beside = phases.includes('COMPLETE') ? [] : await askMoments(world, idea, momentsOf(idea, after))
  const numbers = beside.map(({ number }) => number)
  await reply(world, idea.slug, replyTo(answered?.field ?? null, { phases, questions, beside: numbers }))
}

/** The answer to what the catalogue has asked beside the interview, whose order stays as it is. */
async function answerBeside(
  world: TalkWorld,
  idea: Idea,
  { asked, ...said }: SpokenWords & { readonly asked: QuestionRecord },
): Promise<void> {
  const { slug, signals } = idea
  const brought = broughtBeside(signals, asked, said.text)
  const message = userMessage(world, { ...said, text: quoted(asked, said.text) }, brought)
  await keepMessage(world, slug, message)
  await settleOne(world, asked.id, said)
  if (brought !== null) {
    const after = { signals: mergeSignals(signals, brought, 'person'), phases: [] }
    await tellChanges(world, idea, { ...after, said })
    await world.store.ideas.patch(slug, changesOf(idea, after, world.now()), world.now())
  }
  await reply(world, slug, `Noted. ${idea.questions[0]?.text ?? ''}`)
}

/** What the message makes of the idea. With the last answer comes the brief. */
function concluded(idea: Idea, brought: IdeaSignals | null): After {
  if (brought === null) return { signals: idea.signals, phases: [] }
  const merged = mergeSignals(idea.signals, brought, 'person')
  const signals = openFields(merged).length > 0 ? merged : withBrief({ ...idea, signals: merged })
  return { signals, phases: phasesAfter(idea.phase, signals) }
}
