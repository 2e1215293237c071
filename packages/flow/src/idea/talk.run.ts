// The talk about an idea: it begins, and goes on message by message. Each message is one transaction.
import { createHash } from 'node:crypto'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { Idea, IdeaMessage, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import type { IdeaChanges } from '../ports/ideas.ts'
import { askOpen, catalogueWords, settleAnswered } from './asked.run.ts'
import { BRIEF, briefOf, folderOf } from './documents.ts'
import { answerIn, type Field, openFields, openQuestions, replyTo } from './interview.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import { decideMode } from './mode.ts'
import { phasesAfter } from './phases.ts'
import { freeSlugs, slugOf, titleOf } from './slug.ts'
import { isHere, type Said, type TalkWorld } from './talk-world.ts'

const TITLE_MAX = 300
const SAID_CHARS_MAX = 4_000
const BRIEF_CHARS_MAX = 20_000
/** Who speaks where no engine does. */
const INTERVIEWER = 'treadle'

/** The slug of the idea: of a new one, or of the one that began with this very message. */
export async function runStart(
  world: TalkWorld,
  { text, by, messageId, engine }: Said & { readonly engine: string | null },
): Promise<string> {
  const userSlug = await world.userSlug()
  const { store } = world
  return store.tx(async () => {
    const before = await store.ideas.ofMessage(messageId)
    if (before !== null) return before
    const idea = await addIdea(world, { text, userSlug, engine })
    const { slug, title } = idea
    const told = { idea: slug, title, engine: idea.engine, by }
    await tell(world, `idea:${slug}:started`, { type: 'idea.started', ...told })
    await keepMessage(world, slug, userMessage(world, { text, by, messageId }, null))
    await reply(world, slug, `I ask, you answer, and a brief comes of it. ${idea.questions[0]?.text ?? ''}`)
    await askOpen(world, idea)
    return slug
  })
}

async function addIdea(
  world: TalkWorld,
  { text, userSlug, engine }: { text: string; userSlug: string; engine: string | null },
): Promise<Idea> {
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
      questions: openQuestions(NO_SIGNALS, catalogueWords(world)),
      candidateAt: null,
      completedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    if (await store.ideas.add(idea, workspace.id)) return idea
  }
  throw new Error('no name is free for this idea')
}

export type SayOutcome =
  | { readonly is: 'said'; readonly slug: string }
  /** It was there already: nothing was done again. */
  | { readonly is: 'known'; readonly slug: string }
  | { readonly is: 'missing' }
  | { readonly is: 'archived' }

/** Answers the named field where one is named and open, else the first that is. */
export function runSay(
  world: TalkWorld,
  { slug, field = null, ...said }: Said & { readonly slug: string; readonly field?: Field | null },
): Promise<SayOutcome> {
  const { store } = world
  return store.tx(async (): Promise<SayOutcome> => {
    const kept = await store.ideas.lock(slug)
    if (kept === null || !isHere(world, kept)) return { is: 'missing' }
    const { idea } = kept
    if (idea.status === 'archived') return { is: 'archived' }
    if ((await store.ideas.ofMessage(said.messageId)) !== null) return { is: 'known', slug }
    await answer(world, idea, { ...said, field })
    return { is: 'said', slug }
  })
}

async function answer(
  world: TalkWorld,
  idea: Idea,
  { field, ...said }: Said & { readonly field: Field | null },
): Promise<void> {
  const words = catalogueWords(world)
  const asked = field ?? openFields(idea.signals)[0]
  const options = asked === undefined ? [] : (words[asked]?.options ?? [])
  const answered = answerIn(idea.signals, { text: said.text, field, options })
  await keepMessage(world, idea.slug, userMessage(world, said, answered?.brought ?? null))
  const after = concluded(idea, answered?.brought ?? null)
  const questions = openQuestions(after.signals, words)
  await tellChanges(world, idea, { ...after, said })
  const changes: IdeaChanges = {
    signals: after.signals,
    phase: after.phases.at(-1) ?? idea.phase,
    questions,
    ...(idea.candidateAt === null && after.signals.artifacts.length > 0
      ? { candidateAt: world.now().toISOString() }
      : {}),
    ...(after.phases.includes('COMPLETE')
      ? { status: 'complete' as const, completedAt: world.now().toISOString() }
      : {}),
  }
  await world.store.ideas.patch(idea.slug, changes, world.now())
  if (answered !== null) await settleAnswered(world, idea, { field: answered.field, ...said })
  await askOpen(world, { ...idea, ...changes })
  await reply(world, idea.slug, replyTo(answered?.field ?? null, { phases: after.phases, questions }))
}

interface After {
  readonly signals: IdeaSignals
  /** The phases that it went on to. */
  readonly phases: readonly IdeaPhase[]
}

/** What the message makes of the idea. With the last answer comes the brief. */
function concluded(idea: Idea, brought: IdeaSignals | null): After {
  if (brought === null) return { signals: idea.signals, phases: [] }
  const merged = mergeSignals(idea.signals, brought, 'person')
  const signals = openFields(merged).length > 0 ? merged : withBrief({ ...idea, signals: merged })
  return { signals, phases: phasesAfter(idea.phase, signals) }
}

function withBrief(idea: Idea): IdeaSignals {
  const { signals } = idea
  const text = briefOf(idea).slice(0, BRIEF_CHARS_MAX).toWellFormed()
  const summary = `The brief of ${idea.slug}, from the answers to the interview`
  const brief = {
    type: 'brief' as const,
    summary,
    text,
    confidence: signals.confidence,
    by: 'person' as const,
  }
  return mergeSignals(
    signals,
    { ...NO_SIGNALS, artifacts: [brief], confidence: signals.confidence },
    'person',
  )
}

async function tellChanges(
  world: TalkWorld,
  before: Idea,
  { signals, phases, said }: After & { readonly said: Said },
): Promise<void> {
  const { slug, title } = before
  const id = (what: string) => `idea:${said.messageId}:${what}`
  const fresh = signals.artifacts.filter((artifact) => !before.signals.artifacts.includes(artifact))
  for (const { type, summary, confidence } of fresh)
    await tell(world, id(type), {
      type: 'idea.artifact_saved',
      idea: slug,
      artifact: type,
      summary,
      confidence,
    })
  if (before.candidateAt === null && fresh.length > 0)
    await tell(world, `idea:${slug}:candidate`, { type: 'idea.candidate_created', idea: slug, title })
  let from = before.phase
  for (const to of phases) {
    await tell(world, id(to), { type: 'idea.phase_changed', idea: slug, from, to })
    from = to
  }
  if (!phases.includes('COMPLETE')) return
  const brief = `${folderOf(before, world.config().ideas.dir)}/${BRIEF}`
  await tell(world, `idea:${slug}:completed`, { type: 'ideation.completed', idea: slug, title, brief })
}

function userMessage(
  world: TalkWorld,
  { text, by, messageId }: Said,
  signals: IdeaSignals | null,
): IdeaMessage {
  return { id: messageId, role: 'user', by, content: text, signals, timestamp: world.now().toISOString() }
}

function reply(world: TalkWorld, slug: string, content: string): Promise<void> {
  const timestamp = world.now().toISOString()
  return keepMessage(world, slug, {
    id: world.uuid(),
    role: 'assistant',
    by: INTERVIEWER,
    content: content.trim(),
    signals: null,
    timestamp,
  })
}

async function keepMessage(world: TalkWorld, slug: string, message: IdeaMessage): Promise<void> {
  await world.store.ideas.say(slug, message)
  const { id: messageId, role, by, content } = message
  const text = content.slice(0, SAID_CHARS_MAX).toWellFormed()
  await tell(world, `idea:${messageId}:said`, { type: 'idea.said', idea: slug, messageId, role, by, text })
}

async function tell(world: TalkWorld, id: string, event: TreadleEvent): Promise<void> {
  // Ids have at most 128 characters.
  const short = id.length <= 128 ? id : `idea:${createHash('sha256').update(id).digest('hex')}`
  const about = { item: null, agentId: null, runId: null, state: null }
  await world.store.events.append({ id: short, at: world.now(), ...about, event })
}
