// The look back on what was planned before anybody built it: the talk about an idea, a revision of a specification.
import { z } from 'zod'
import { IdeaPhase, Slug } from './idea.ts'
import { Instant } from './ids.ts'
import { LearnedNote } from './retrospective.ts'
import { SpecValidation } from './specification.ts'

/** What a talk, a specification or a task leaves to be wished for. */
export const GapKind = z.enum([
  'unanswered',
  'unsure',
  'long_phase',
  'contradiction',
  'problem',
  'missing_input',
  'no_criteria',
  'unchecked_criterion',
  'untested_criterion',
  'unserved_requirement',
  'idle_task',
  'weak_check',
  'unplanned_file',
  'underestimate',
])
export type GapKind = z.infer<typeof GapKind>

export const Gap = z.strictObject({
  kind: GapKind,
  /** The field, phase, requirement, task or file that it is about. */
  about: z.string().min(1).max(500),
  what: z.string().min(1).max(1_000),
})
export type Gap = z.infer<typeof Gap>

const looked = { slug: Slug, reviewedAt: Instant, gaps: z.array(Gap).max(200) }

export const IdeaRetrospective = z.strictObject({
  is: z.literal('idea'),
  ...looked,
  trigger: z.literal('ideation.completed'),
  /** Of people and of whoever replied. */
  messages: z.int().min(0),
  /** What was asked for, and whether the talk has an answer to it. */
  asked: z.array(z.strictObject({ about: z.string().max(4_000), answered: z.boolean() })).max(100),
  /** How many messages of people each phase took, in their order. */
  phases: z.array(z.strictObject({ phase: IdeaPhase, messages: z.int().min(0) })).max(20),
  confidence: z.number().min(0).max(1),
  learned: z.array(LearnedNote).max(50),
})
export type IdeaRetrospective = z.infer<typeof IdeaRetrospective>

export const SpecRetrospective = z.strictObject({
  is: z.literal('spec'),
  ...looked,
  trigger: z.literal('spec.generated'),
  revision: z.int().min(1),
  tasks: z.int().min(0),
  writtenBy: z.string().max(60),
  shares: SpecValidation.shape.shares,
})
export type SpecRetrospective = z.infer<typeof SpecRetrospective>

export const PlanningRetrospective = z.discriminatedUnion('is', [IdeaRetrospective, SpecRetrospective])
export type PlanningRetrospective = z.infer<typeof PlanningRetrospective>

/** Which one: of an idea there is one, of a specification one for each revision. */
export const Planning = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('idea'), slug: Slug }),
  z.strictObject({ is: z.literal('spec'), slug: Slug, revision: z.int().min(1) }),
])
export type Planning = z.infer<typeof Planning>
