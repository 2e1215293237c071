// What the answer of a model makes of an idea: a message, what was understood, phases, questions. One transaction.
import type { Idea, IdeaSignals } from '@treadle/contracts/idea'
import type { Thought } from '@treadle/contracts/thought'
import type { AfterThought } from '../work/thought.run.ts'
import { askMoments, askOpen, askOwn, catalogueWords, withdrawTalk } from './asked.run.ts'
import { interviewBegins, openQuestions } from './interview.ts'
import { mergeSignals } from './merge-signals.ts'
import { momentsOf } from './moments.ts'
import { hasArtifact, phasesAfter } from './phases.ts'
import { askedAgain, writeSignalsPrompt } from './prompt.ts'
import { type After, changesOf, keepMessage, reply, tell, tellChanges, withBrief } from './record.run.ts'
import { type ReplyRead, readReply } from './signals.ts'
import type { TalkWorld } from './talk-world.ts'
import { askFor } from './think.run.ts'
import { runWrite, type WriteWorld } from './write.run.ts'

export type ReplyWorld = TalkWorld & WriteWorld

/** Less sure than this, and it stays with its message: nothing is saved. */
const CONFIDENCE_TO_SAVE = 0.5
const NONSENSE_MAX = 3
const WHY_MAX = 1_000
const MESSAGE_MAX = 100_000
/** As many are shown in a talk at a time. */
const QUESTIONS_MAX = 10

/** An `idea_reply` has ended. */
export async function runReplied(world: ReplyWorld, thought: Thought): Promise<AfterThought | null> {
  const idea = await talkOf(world, thought)
  if (idea === null || thought.status === 'withdrawn') return null
  if (thought.answer === null) {
    await beginInterview(
      world,
      idea,
      thought,
      `${thought.engine} gave no answer: ${thought.why ?? 'it failed'}`,
    )
    return after(world, idea)
  }
  const read = readReply(thought.answer.text, idea.signals.confidence)
  if (!read.isNonsense) {
    await keepReply(world, idea, { thought, read })
    return after(world, idea)
  }
  if ((await nonsenseBefore(world, thought)) + 1 < NONSENSE_MAX) {
    await askFor(world, idea, { system: thought.system, prompt: askedAgain(firstPrompt(thought)) })
    return null
  }
  const why = `${thought.engine} answered ${NONSENSE_MAX} times in a way that could not be read.`
  await beginInterview(world, idea, thought, why)
  return after(world, idea)
}

/** An `idea_signals` has ended: what it says of a reply is added; where it says nothing, nothing is. */
export async function runSignalsRead(world: ReplyWorld, thought: Thought): Promise<AfterThought | null> {
  const idea = await talkOf(world, thought)
  if (idea === null || thought.answer === null) return null
  const { brought } = readReply(thought.answer.text, idea.signals.confidence)
  await change(world, idea, { brought, messageId: thought.id, questions: idea.questions })
  return after(world, idea)
}

/** Null: it is over, or an interview by now. */
async function talkOf({ store }: ReplyWorld, { subject }: Thought): Promise<Idea | null> {
  const kept = await store.ideas.lock(subject)
  return kept === null || kept.idea.mode !== 'engine' || kept.idea.status === 'archived' ? null : kept.idea
}

function after(world: ReplyWorld, { slug }: Idea): AfterThought {
  return () => runWrite(world, slug)
}

async function keepReply(
  world: ReplyWorld,
  idea: Idea,
  { thought, read }: { thought: Thought; read: ReplyRead },
): Promise<void> {
  const { id, engine, answer } = thought
  // The same answer told twice is one message.
  if ((await world.store.ideas.ofMessage(id)) !== null) return
  const shown = read.text === '' ? read.questions.map(({ text }) => text).join('\n') : read.text
  await keepMessage(world, idea.slug, {
    id,
    role: 'assistant',
    by: answer?.model ?? engine,
    content: (shown || 'Noted.').slice(0, MESSAGE_MAX).toWellFormed(),
    signals: read.brought,
    timestamp: world.now().toISOString(),
  })
  await change(world, idea, { brought: read.brought, messageId: id, questions: [...read.questions] })
  if (read.needsModel) await askFor(world, idea, writeSignalsPrompt(read.text), 'idea_signals')
}

async function change(
  world: ReplyWorld,
  idea: Idea,
  {
    brought,
    messageId,
    questions,
  }: { brought: IdeaSignals; messageId: string; questions: Idea['questions'] },
): Promise<void> {
  const concluded = conclude(idea, brought)
  await tellChanges(world, idea, { ...concluded, said: { messageId } })
  const asked = await askAfter(world, idea, { ...concluded, messageId, questions })
  const changes = { ...changesOf(idea, concluded, world.now()), questions: asked }
  await world.store.ideas.patch(idea.slug, changes, world.now())
}

/** What is open after a reply: what the model asks in it, and what the catalogue asks about what it has brought. */
async function askAfter(
  world: ReplyWorld,
  idea: Idea,
  { messageId, questions, ...concluded }: After & { messageId: string; questions: Idea['questions'] },
): Promise<Idea['questions']> {
  if (concluded.phases.includes('COMPLETE')) {
    await withdrawTalk(world, idea, 'the brief is written; what it says can be changed there')
    return []
  }
  const isSameReply = questions === idea.questions
  const isKnown = hasArtifact(concluded.signals, 'target-user')
  // What was asked before is asked in other words now, or is known.
  if (!isSameReply && (questions.length > 0 || isKnown))
    await withdrawTalk(world, idea, 'the talk has gone on')
  const before = isSameReply || questions.length > 0 || isKnown ? [] : idea.questions
  if (!isSameReply) await askOwn(world, idea, { messageId, questions })
  const beside = await askMoments(world, idea, momentsOf(idea, concluded))
  return [...questions, ...before, ...beside.map(({ question }) => question)].slice(0, QUESTIONS_MAX)
}

function conclude(idea: Idea, brought: IdeaSignals): After {
  const sure = brought.artifacts.filter(
    (artifact) => artifact.confidence >= CONFIDENCE_TO_SAVE && isWhole(artifact),
  )
  const signals = mergeSignals(idea.signals, { ...brought, artifacts: sure }, 'model')
  const phases = phasesAfter(idea.phase, signals)
  // The brief is what is handed on: with none of the model's own it is made of what was understood.
  const isLeft = phases.includes('COMPLETE') && !hasArtifact(signals, 'brief')
  return { signals: isLeft ? withBrief({ ...idea, signals }) : signals, phases }
}

/** A brief that a specification cannot be made of is none. */
function isWhole({ type, text }: IdeaSignals['artifacts'][number]): boolean {
  return type !== 'brief' || (/^#+ .*(features|scope)/im.test(text) && /^#+ .*(done|criteria)/im.test(text))
}

/** How often in a row it could not be read: answers without a message. */
async function nonsenseBefore({ store }: ReplyWorld, { id, subject }: Thought): Promise<number> {
  const list = await store.thoughts.list({ subject, kind: 'idea_reply', limit: NONSENSE_MAX * 2 })
  let count = 0
  for (const thought of list) {
    if (thought.id === id || thought.status === 'withdrawn') continue
    if (thought.status !== 'done' || (await store.ideas.ofMessage(thought.id)) !== null) break
    count += 1
  }
  return count
}

/** Without what an earlier try has added. */
function firstPrompt({ prompt }: Thought): string {
  const added = askedAgain('')
  return prompt.endsWith(added) ? prompt.slice(0, -added.length) : prompt
}

async function beginInterview(world: ReplyWorld, idea: Idea, { id }: Thought, why: string): Promise<void> {
  const { slug, signals } = idea
  const questions = openQuestions(signals, catalogueWords(world))
  const modeWhy = why.slice(0, WHY_MAX).toWellFormed()
  await tell(world, `idea:${id}:interview`, { type: 'idea.interview_began', idea: slug, why: modeWhy })
  const changes = { mode: 'interview' as const, engine: null, modeWhy, questions }
  await world.store.ideas.patch(slug, changes, world.now())
  await askOpen(world, { ...idea, ...changes })
  await reply(world, slug, interviewBegins(modeWhy, questions[0]?.text ?? ''))
}
