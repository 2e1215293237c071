// What is told of a thought.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { ThoughtKind } from '../thought.ts'
import { event, firstLine, line, type Sentences, why } from './shape.ts'

/** As much of what a model says as one event holds. */
export const THOUGHT_SAID_MAX = 4_000

const thought = { thought: z.uuid(), kind: ThoughtKind, subject: Slug }

/** Facts that move no item. */
const facts = [
  event('thought.asked', { ...thought, engine: z.string().max(60) }),
  event('thought.claimed', { ...thought, fence: z.int() }),
  /** A part of what the model says while it answers. */
  event('thought.said', {
    ...thought,
    text: z.string().max(THOUGHT_SAID_MAX),
    /** Characters after the text that were not recorded. */
    leftOut: z.int().min(1).optional(),
  }),
  /** Whoever had it does not answer any more: somebody else may take it. */
  event('thought.given_back', { ...thought, why }),
  event('thought.answered', thought),
  event('thought.failed', { ...thought, why }),
  event('thought.withdrawn', { ...thought, by: z.string().max(200) }),
] as const

const WHAT: Readonly<Record<ThoughtKind, string>> = {
  idea_reply: 'a reply',
  idea_signals: 'what a reply has brought',
  spec_write: 'a specification',
}
const ASKED: Readonly<Record<ThoughtKind, string>> = {
  idea_reply: 'A reply about',
  idea_signals: 'What a reply has brought to',
  spec_write: 'A specification of',
}

export const thoughtEvents = {
  facts,
  sentences: {
    'thought.asked': ({ kind, subject, engine }) =>
      line(`${ASKED[kind]} ${subject} is asked for`, `from ${engine}`),
    'thought.claimed': ({ kind, subject }, { agent }) =>
      line(`${agent} began to think about ${subject}`, WHAT[kind], 'busy'),
    'thought.said': ({ subject, text }, { agent }) =>
      line(`${agent} is writing about ${subject}`, firstLine(text)),
    'thought.given_back': ({ kind, subject, why }) =>
      line(`${ASKED[kind]} ${subject} is asked for again`, why),
    'thought.answered': ({ kind, subject }, { agent }) =>
      line(`${agent} has answered about ${subject}`, WHAT[kind], 'good'),
    'thought.failed': ({ subject, why }) => line(`There is no answer about ${subject}`, why, 'attention'),
    'thought.withdrawn': ({ subject, by }) => line(`${by} wants no answer about ${subject} any more`),
  } satisfies Sentences<(typeof facts)[number]>,
}
