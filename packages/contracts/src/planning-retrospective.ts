// The look back on what was planned before anybody built it, the talk about an idea and a revision of a specification,
// and on the build that was made of it.
import { z } from 'zod'
import { BuildForecast, BuildId, TaskErrorClass } from './build.ts'
import { IdeaPhase, Slug } from './idea.ts'
import { Instant } from './ids.ts'
import { LearnedNote } from './retrospective.ts'
import { SpecValidation } from './specification.ts'

/** What a talk, a specification, a task or a build leaves to be wished for. */
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
  'failed_task',
  'skipped_task',
  'repeated_attempts',
  'forecast_missed',
  'gate_not_passed',
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

/** What was foreseen, and whether it came so; null where nothing was foreseen. */
const foreseen = { forecast: BuildForecast.shape.usd, held: z.boolean().nullable() }

export const BuildRetrospective = z.strictObject({
  is: z.literal('build'),
  ...looked,
  trigger: z.literal('build.completed'),
  build: BuildId,
  /** Of the specification that was built. */
  revision: z.int().min(1),
  /** Each end of a build of this specification is looked back on: a failed build that was resumed ends again. */
  look: z.int().min(1),
  outcome: z.enum(['completed', 'failed']),
  /** Why it failed. */
  why: z.string().max(4_000).nullable(),
  completedAt: Instant,
  tasks: z.strictObject({
    total: z.int().min(0),
    complete: z.int().min(0),
    skipped: z.int().min(0),
    failed: z.int().min(0),
    /** Neither complete, nor skipped, nor failed when the build ended. */
    open: z.int().min(0),
    /** Of those that are complete, how many needed one attempt only. */
    atFirstAttempt: z.int().min(0),
  }),
  attempts: z.int().min(0),
  /** Attempts that came to nothing, by what went wrong; the most frequent first. */
  errors: z.array(z.strictObject({ class: TaskErrorClass, count: z.int().min(1) })).max(10),
  hours: z.strictObject({ worked: z.number().min(0), planned: z.number().min(0), ...foreseen }),
  money: z.strictObject({ usd: z.number().min(0), ...foreseen }),
  /** What the looks back on its runs have recorded. */
  learned: z.array(LearnedNote).max(50),
})
export type BuildRetrospective = z.infer<typeof BuildRetrospective>

export const PlanningRetrospective = z.discriminatedUnion('is', [
  IdeaRetrospective,
  SpecRetrospective,
  BuildRetrospective,
])
export type PlanningRetrospective = z.infer<typeof PlanningRetrospective>

/** Which one: of an idea there is one, of a specification one for each revision, of its builds one for each end. */
export const Planning = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('idea'), slug: Slug }),
  z.strictObject({ is: z.literal('spec'), slug: Slug, revision: z.int().min(1) }),
  z.strictObject({ is: z.literal('build'), slug: Slug, look: z.int().min(1) }),
])
export type Planning = z.infer<typeof Planning>
