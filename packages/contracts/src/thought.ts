// A thought: work of an agent that changes no code. A model is asked once, and what it answers is read by the daemon.
import { z } from 'zod'
import { Slug } from './idea.ts'
import { AgentId, Instant, ItemRef, RunId } from './ids.ts'

/** What is thought about; each kind has its reader. */
export const ThoughtKind = z.enum([
  'idea_reply',
  'idea_signals',
  'spec_write',
  'review_judge',
  'category_idea',
  'category_survey',
])
export type ThoughtKind = z.infer<typeof ThoughtKind>

/** What the model is asked for, as engines.models names it. */
export const ThoughtUse = z.enum(['idea', 'spec', 'review'])
export type ThoughtUse = z.infer<typeof ThoughtUse>

export const ThoughtStatus = z.enum(['pending', 'claimed', 'done', 'failed', 'withdrawn'])
export type ThoughtStatus = z.infer<typeof ThoughtStatus>

export const THOUGHT_CHARS_MAX = 400_000

/** What came back. */
export const ThoughtAnswer = z.strictObject({
  text: z.string().max(THOUGHT_CHARS_MAX),
  /** What fits the schema, where one was asked for and the engine can hold to it. */
  structured: z.json().nullable(),
  /** The model that was asked, as far as the engine told. */
  model: z.string().min(1).max(200).nullable(),
})
export type ThoughtAnswer = z.infer<typeof ThoughtAnswer>

export const Thought = z.strictObject({
  id: z.uuid(),
  kind: ThoughtKind,
  /** The idea that it is about, or the review as `review-12`. */
  subject: Slug,
  /** The delivery that is judged: what is told of the thought is told of its item, and its item pays for it. */
  work: z.strictObject({ item: ItemRef, runId: RunId }).nullable().default(null),
  /** 1 for the first of its kind about its subject. */
  nth: z.int().min(1),
  engine: z.string().min(1).max(60),
  use: ThoughtUse,
  system: z.string().max(THOUGHT_CHARS_MAX),
  prompt: z.string().min(1).max(THOUGHT_CHARS_MAX),
  /** JSON schema of the answer; null: words. */
  schema: z.record(z.string(), z.json()).nullable(),
  status: ThoughtStatus,
  /** Who has it, or had it last. */
  agentId: AgentId.nullable(),
  /** Counts the claims; what is said under an older one is not taken. */
  fence: z.int().min(0),
  /** Why it failed, was withdrawn, or was given back last. */
  why: z.string().max(4_000).nullable(),
  createdAt: Instant,
  claimedAt: Instant.nullable(),
  /** When it is given up if nobody has answered; null: not before somebody has it. */
  deadlineAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  answer: ThoughtAnswer.nullable(),
  /** Booked for it so far; null: nothing. */
  costUSD: z.number().min(0).nullable(),
})
export type Thought = z.infer<typeof Thought>

/** Chosen by whoever claims, and shown to nobody: what is said under the claim is taken with it only. */
export const ClaimKey = z.string().min(16).max(200)

/** A thought that is not over, without what is asked: what people see of it while they wait. */
export const OpenThought = Thought.pick({
  id: true,
  kind: true,
  subject: true,
  nth: true,
  engine: true,
  status: true,
  agentId: true,
  fence: true,
  createdAt: true,
  claimedAt: true,
  deadlineAt: true,
  costUSD: true,
})
export type OpenThought = z.infer<typeof OpenThought>

export function isOpenThought({ status }: Pick<Thought, 'status'>): boolean {
  return status === 'pending' || status === 'claimed'
}
