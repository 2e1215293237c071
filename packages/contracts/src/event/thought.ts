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
  review_judge: 'a review',
  category_idea: 'an improvement',
  category_survey: 'a survey',
}
const ASKED: Readonly<Record<ThoughtKind, string>> = {
  idea_reply: 'A reply about',
  idea_signals: 'What a reply has brought to',
  spec_write: 'A specification of',
  review_judge: 'A review of',
  category_idea: 'An improvement in',
  category_survey: 'A survey of',
}

/** What it is about, in words: a review is known by its item. */
const about = (kind: ThoughtKind, subject: string, item: string) => (kind === 'review_judge' ? item : subject)

export const thoughtEvents = {
  facts,
  sentences: {
    'thought.asked': ({ kind, subject, engine }, { item }) =>
      line(`${ASKED[kind]} ${about(kind, subject, item)} is asked for`, `from ${engine}`),
    'thought.claimed': ({ kind, subject }, { agent, item }) =>
      line(`${agent} began to think about ${about(kind, subject, item)}`, WHAT[kind], 'busy'),
    'thought.said': ({ kind, subject, text }, { agent, item }) =>
      line(`${agent} is writing about ${about(kind, subject, item)}`, firstLine(text)),
    'thought.given_back': ({ kind, subject, why }, { item }) =>
      line(`${ASKED[kind]} ${about(kind, subject, item)} is asked for again`, why),
    'thought.answered': ({ kind, subject }, { agent, item }) =>
      line(`${agent} has answered about ${about(kind, subject, item)}`, WHAT[kind], 'good'),
    'thought.failed': ({ kind, subject, why }, { item }) =>
      line(`There is no answer about ${about(kind, subject, item)}`, why, 'attention'),
    'thought.withdrawn': ({ kind, subject, by }, { item }) =>
      line(`${by} wants no answer about ${about(kind, subject, item)} any more`),
  } satisfies Sentences<(typeof facts)[number]>,
}
