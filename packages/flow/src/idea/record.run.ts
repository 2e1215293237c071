// What is written down of a talk about an idea: messages, what they have changed, the events that tell it.
import { createHash } from 'node:crypto'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { Idea, IdeaMessage, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import type { IdeaChanges } from '../ports/ideas.ts'
import { BRIEF, briefOf, folderOf } from './documents.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import type { SpokenWords, TalkWorld } from './talk-world.ts'

const SAID_CHARS_MAX = 4_000
const BRIEF_CHARS_MAX = 20_000
/** Who speaks where no engine does. */
const INTERVIEWER = 'treadle'

export interface After {
  readonly signals: IdeaSignals
  /** The phases that it went on to. */
  readonly phases: readonly IdeaPhase[]
}

/** The fields of the idea that follow from what a message has brought. */
export function changesOf(idea: Idea, { signals, phases }: After, now: Date): IdeaChanges {
  const at = now.toISOString()
  return {
    signals,
    phase: phases.at(-1) ?? idea.phase,
    ...(idea.candidateAt === null && signals.artifacts.length > 0 ? { candidateAt: at } : {}),
    ...(phases.includes('COMPLETE') ? { status: 'complete' as const, completedAt: at } : {}),
  }
}

/** The brief, made from what was understood. */
export function withBrief(idea: Idea): IdeaSignals {
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

/** What a message has changed, as events. */
export async function tellChanges(
  world: TalkWorld,
  before: Idea,
  { signals, phases, said }: After & { readonly said: Pick<SpokenWords, 'messageId'> },
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

export function userMessage(
  world: TalkWorld,
  { text, by, messageId }: SpokenWords,
  signals: IdeaSignals | null,
): IdeaMessage {
  return { id: messageId, role: 'user', by, content: text, signals, timestamp: world.now().toISOString() }
}

export function reply(world: TalkWorld, slug: string, content: string): Promise<void> {
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

export async function keepMessage(world: TalkWorld, slug: string, message: IdeaMessage): Promise<void> {
  await world.store.ideas.say(slug, message)
  const { id: messageId, role, by, content } = message
  const text = content.slice(0, SAID_CHARS_MAX).toWellFormed()
  await tell(world, `idea:${messageId}:said`, { type: 'idea.said', idea: slug, messageId, role, by, text })
}

export async function tell(world: TalkWorld, id: string, event: TreadleEvent): Promise<void> {
  // Ids have at most 128 characters.
  const short = id.length <= 128 ? id : `idea:${createHash('sha256').update(id).digest('hex')}`
  const about = { item: null, agentId: null, runId: null, state: null }
  await world.store.events.append({ id: short, at: world.now(), ...about, event })
}
