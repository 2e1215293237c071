// What a delivered change is held against before it may be merged, and what came of it.
import { z } from 'zod'
import { DeliveryEvidence } from './evidence-level.ts'
import { GateResult } from './gate.ts'
import { AgentId, CommitId, Instant, Positive, RunId } from './ids.ts'

/** Set on an item that reviewer and builder could not agree on; a person decides. */
export const REVIEW_LABEL = 'review-escalation'
/** The reviewer; those who help it while much is waiting are review-agent-2 and on. */
export const REVIEW_AGENT: AgentId = 'review-agent'
export const REVIEWERS_MAX = 9

export function reviewerName(nth: number): AgentId {
  return nth === 1 ? REVIEW_AGENT : `${REVIEW_AGENT}-${nth}`
}

/** Reviewers read deliveries, and build nothing. */
export function isReviewer(id: AgentId): boolean {
  return id === REVIEW_AGENT || id.startsWith(`${REVIEW_AGENT}-`)
}

export const ReviewStatus = z.enum(['pending', 'in_review', 'approved', 'rejected'])
export type ReviewStatus = z.infer<typeof ReviewStatus>

/** Who has to act before a pending review goes on. */
export const ReviewWaitsFor = z.enum(['checks', 'reviewer', 'person'])
export type ReviewWaitsFor = z.infer<typeof ReviewWaitsFor>

export const ReviewCriterion = z.strictObject({
  id: z.string().min(1).max(60),
  description: z.string().min(1).max(2_000),
  status: z.enum(['pending', 'met', 'not_met']),
  /** What shows that it is met, or why it is not. */
  note: z.string().max(2_000).nullable(),
  /** The delivery with whose send-back it was asked for; not there for what the item itself asks. */
  askedIn: z.int().optional(),
})
export type ReviewCriterion = z.infer<typeof ReviewCriterion>

/** One for each delivery of an item. */
export const Review = z.strictObject({
  id: Positive,
  projectNumber: Positive,
  issueNumber: Positive,
  issueTitle: z.string(),
  branchName: z.string(),
  headCommit: CommitId,
  runId: RunId,
  /** 1 for the first delivery; each send-back makes one more. */
  cycle: z.int().min(1),
  completedByAgentId: AgentId,
  completedAt: Instant,
  status: ReviewStatus,
  /** Null once it is decided, or while a reviewer has it. */
  waitsFor: ReviewWaitsFor.nullable(),
  /** Why it waits for a person, where that is not the owner's own setting. */
  why: z.string().nullable(),
  /** Since when it has waited too long, or was in one pair of hands for too long. */
  escalatedAt: Instant.nullable(),
  /** Who reads it now. */
  claimedByAgentId: AgentId.nullable(),
  claimedAt: Instant.nullable(),
  /** The thought that was asked for to judge it, and whom it asks; null: none was, or it is not wanted any more. */
  judgement: z
    .strictObject({ thoughtId: z.uuid(), engine: z.string(), fence: z.int().min(0) })
    .nullable()
    .default(null),
  criteria: z.array(ReviewCriterion),
  /** What the system found by itself, in a clean checkout of the head. */
  checks: z.array(GateResult),
  checkedAt: Instant.nullable(),
  /** The tree on which the checks ran; null if they could not be run. */
  checkedTree: CommitId.nullable(),
  /** What the checks bear out; null until they have run, and in what older versions checked. */
  evidence: DeliveryEvidence.nullable().default(null),
  /** The delivery, by its cycle, that was sent back and is the same change; null if there is none. */
  repeats: z.int().nullable().default(null),
  /** Who wrote the answer. */
  engine: z.string().nullable(),
  /** The model that it asked, as far as it told. */
  model: z.string().nullable().default(null),
  answer: z.string().nullable(),
  feedback: z.string().nullable(),
  /** What was asked for with the send-back, one change each: the next delivery is held against them. */
  requested: z.array(z.string().max(2_000)).default([]),
  decidedBy: z.string().nullable(),
  decidedAt: Instant.nullable(),
})
export type Review = z.infer<typeof Review>

// ── What a reviewer writes ──────────────────────────────────────────────────────────────────────

const PARTS_MAX = 200
const text = z.string().max(20_000).nullish()
const WrittenQuality = z.union([
  z.string(),
  z.looseObject({ result: z.string().optional(), status: z.string().optional(), details: text }),
])
export type WrittenQuality = z.infer<typeof WrittenQuality>

const WrittenCriterion = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  criterion: text,
  description: text,
  met: z.boolean().nullish(),
  status: z.string().nullish(),
  evidence: text,
  quote: text,
  tried: text,
  reason: text,
  details: text,
})
export type WrittenCriterion = z.infer<typeof WrittenCriterion>

/** The form that is asked for, with the liberties that writers take. */
export const WrittenAnswer = z.looseObject({
  status: z.string(),
  criteria: z.array(WrittenCriterion).max(PARTS_MAX).nullish(),
  quality: z.record(z.string(), WrittenQuality).nullish(),
  feedback: z.union([z.string(), z.array(z.string()).max(PARTS_MAX)]).nullish(),
})
