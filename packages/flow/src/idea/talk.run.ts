// The talk about an idea: it begins, and goes on message by message. Each message is one transaction.
import type { Idea, IdeaSignals } from '@treadle/contracts/idea'
import type { IdeaChanges } from '../ports/ideas.ts'
import { askOpen, catalogueWords, settleAnswered } from './asked.run.ts'
import { answerIn, type Field, openFields, openQuestions, replyTo } from './interview.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import { decideMode } from './mode.ts'
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
import { isHere, type SpokenWords, type TalkWorld } from './talk-world.ts'
import { askReply, loadDocuments, loadProfile, NOTHING_LOADED } from './think.run.ts'

const TITLE_MAX = 300

/** The slug of the idea: of a new one, or of the one that began with this very message. */
export async function runStart(
  world: TalkWorld,
  { text, by, messageId, engine }: SpokenWords & { readonly engine: string | null },
): Promise<string> {
  const userSlug = await world.userSlug()
  const { store } = world
  const userProfile = await loadProfile(world, userSlug)
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
      await askReply(world, idea, { ...NOTHING_LOADED, userProfile })
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
  const { store, workspace, config } = world
  const at = world.now().toISOString()
  const settings = config()
  const mode = decideMode({ asked: engine, setting: settings.ideas.engine, usual: settings.engines.default })
  for (const slug of freeSlugs(slugOf(text))) {
    const idea: Idea = {
      slug,
      userSlug,
      title: titleOf(text, TITLE_MAX),
      phase: 'EXPLORING',
      status: 'active',
      ...mode,
      signals: NO_SIGNALS,
      questions: mode.mode === 'engine' ? [] : openQuestions(NO_SIGNALS, catalogueWords(world)),
      candidateAt: null,
      completedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    if (await store.ideas.add(idea, workspace.id)) return idea
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

/** Answers the named field where one is named, else the first that is open. */
export async function runSay(
  world: TalkWorld,
  { slug, field = null, ...said }: SpokenWords & { readonly slug: string; readonly field?: Field | null },
): Promise<SayOutcome> {
  const { store } = world
  const seen = await store.ideas.find(slug)
  const loaded = seen === null ? NOTHING_LOADED : await loadDocuments(world, seen.idea)
  return store.tx(async (): Promise<SayOutcome> => {
    const kept = await store.ideas.lock(slug)
    if (kept === null || !isHere(world, kept)) return { is: 'missing' }
    const { idea } = kept
    if (idea.status === 'archived') return { is: 'archived' }
    if ((await store.ideas.ofMessage(said.messageId)) !== null) return { is: 'known', slug }
    if (field !== null && !openFields(idea.signals).includes(field)) return { is: 'answered' }
    if (idea.mode === 'engine') {
      await keepMessage(world, slug, userMessage(world, said, null))
      await askReply(world, idea, loaded)
    } else await answer(world, idea, { ...said, field })
    return { is: 'said', slug }
  })
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
  await askOpen(world, { ...idea, ...changes })
  await reply(world, idea.slug, replyTo(answered?.field ?? null, { phases: after.phases, questions }))
}

/** What the message makes of the idea. With the last answer comes the brief. */
function concluded(idea: Idea, brought: IdeaSignals | null): After {
  if (brought === null) return { signals: idea.signals, phases: [] }
  const merged = mergeSignals(idea.signals, brought, 'person')
  const signals = openFields(merged).length > 0 ? merged : withBrief({ ...idea, signals: merged })
  return { signals, phases: phasesAfter(idea.phase, signals) }
}
