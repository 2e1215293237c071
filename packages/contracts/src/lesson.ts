// What the crew has learned, where from, and whether it helps.
import { z } from 'zod'
import { CommitId, Instant, RunId } from './ids.ts'

export const LessonType = z.enum(['pattern', 'gotcha', 'resolution', 'unresolved_error'])
export type LessonType = z.infer<typeof LessonType>

/** What the trial says; confidence is another matter. */
export const LessonVerdict = z.enum(['on_trial', 'promoted', 'retired', 'unproven'])
export type LessonVerdict = z.infer<typeof LessonVerdict>

export const Provenance = z.strictObject({
  runId: RunId.nullable().default(null),
  attempt: z.int().nullable().default(null),
  commit: CommitId.nullable().default(null),
})

/** Where a lesson was seen: `project/number` of an item. */
export const SeenAt = z.string().regex(/^[1-9]\d{0,9}\/[1-9]\d{0,9}$/, 'must be project/number')
export const SEEN_IN_MAX = 50

const lessonFacts = {
  type: LessonType,
  /** The sentence that a person or a model reads. */
  content: z.string().max(4_000).default(''),
  /** Which files it is about; null means any. */
  glob: z.string().min(1).max(500).nullable().default(null),
  action: z.string().min(1).max(100).nullable().default(null),
  topic: z.string().min(1).max(200).nullable().default(null),
  /** Error signature or fault kind it answers. */
  signature: z.string().min(1).max(2_000).nullable().default(null),
  confidence: z.number().min(0).max(1).default(0.7),
  /** Who found it: an agent, a person, or the crew itself. */
  discoveredBy: z.string().min(1).max(100).default('treadle'),
  provenance: Provenance.default({ runId: null, attempt: null, commit: null }),
  payload: z.record(z.string(), z.json()).default({}),
  /** A model said it, and neither a second item nor a person has confirmed it: people see it, no prompt has it. */
  unconfirmed: z.boolean().default(false),
}

export const NewLesson = z.strictObject({ ...lessonFacts, seenAt: SeenAt.optional() })
export type NewLesson = z.infer<typeof NewLesson>

export const Lesson = z.strictObject({
  ...lessonFacts,
  id: z.uuid(),
  occurrences: z.int().min(1),
  /** Distinct places, oldest first. */
  seenIn: z.array(SeenAt).max(SEEN_IN_MAX).default([]),
  verdict: LessonVerdict.default('on_trial'),
  /** How often the trial was judged. */
  looks: z.int().min(0).default(0),
  /** Its confidence comes from use, or from a person who judged it, and not from how often it was seen. */
  weighed: z.boolean().default(false),
  supersededBy: z.uuid().nullable(),
  /** Set as well where nothing took its place. */
  supersededAt: Instant.nullable().default(null),
  /** Why it was superseded or judged, the last time. */
  why: z.string().max(1_000).nullable().default(null),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Lesson = z.infer<typeof Lesson>

/** What came of recording: `old` is what the new one took the place of. */
export const Recorded = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('recorded'), lesson: Lesson }),
  z.strictObject({ is: z.literal('seen_again'), lesson: Lesson }),
  z.strictObject({ is: z.literal('superseding'), lesson: Lesson, old: Lesson }),
  /** Nothing was recorded: this one says the same and is at least as sure. */
  z.strictObject({ is: z.literal('known_better'), lesson: Lesson }),
])
export type Recorded = z.infer<typeof Recorded>

const Topic = z.string().min(1).max(200)
const Topics = z
  .union([
    z.array(Topic),
    z
      .string()
      .max(4_000)
      .transform((text) => text.split(',').map((topic) => topic.trim())),
  ])
  .transform((topics) => topics.filter((topic) => topic !== ''))
  .pipe(z.array(Topic).max(20))

export const LessonQuery = z.strictObject({
  type: LessonType.optional(),
  path: z.string().max(1_000).optional(),
  action: z.string().max(100).optional(),
  topic: z.string().max(200).optional(),
  /** Several, separated by commas; one of them is enough. */
  topics: Topics.optional(),
  signature: z.string().max(2_000).optional(),
  /** An error text or signature: what is kept under it first, then what is kept under one like it. */
  similarTo: z.string().max(8_000).optional(),
  /** Words that it must have. */
  text: z.string().max(4_000).optional(),
  /** Also what a model said and nobody confirmed: for people, never for a prompt. */
  unconfirmed: z.literal('included').optional(),
  /** Left out, it is what `leastConfidence` says. */
  minConfidence: z.coerce.number().min(0).max(1).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(5),
})
export type LessonQuery = z.infer<typeof LessonQuery>

/** Below this a lesson is not told: patterns shape what is not written yet, so they must be surer. */
export function leastConfidence({
  type,
  minConfidence,
}: Pick<LessonQuery, 'type' | 'minConfidence'>): number {
  return minConfidence ?? (type === 'pattern' ? 0.7 : 0.6)
}

const Tally = z.strictObject({ good: z.int(), bad: z.int(), usd: z.number() })

/** How a lesson's trial stands. */
export const LessonTrial = z.strictObject({
  verdict: LessonVerdict,
  looks: z.int().min(0),
  /** Runs that were told the lesson, and those it was kept from. */
  shown: Tally,
  withheld: Tally,
  leftOut: z.int().min(0),
  /** Runs that were told it, on trial or not, over or not. */
  used: z.int().min(0),
  /** What it changes in the share of runs that pass at the first attempt; low to high holds 80 %. */
  uplift: z.strictObject({ mean: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** After so many runs it is judged next. */
  nextLookAt: z.int().nullable(),
})
export type LessonTrial = z.infer<typeof LessonTrial>

/** As it is before anybody counted it. */
export function freshLesson({ seenAt, ...given }: NewLesson, id: string, at: Date): Lesson {
  return {
    ...given,
    id,
    occurrences: 1,
    seenIn: seenAt === undefined ? [] : [seenAt],
    verdict: 'on_trial',
    looks: 0,
    weighed: false,
    supersededBy: null,
    supersededAt: null,
    why: null,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
  }
}
