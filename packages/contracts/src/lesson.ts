// What the crew has learned, and where from.
import { z } from 'zod'
import { CommitId, Instant, RunId } from './ids.ts'

export const LessonType = z.enum(['pattern', 'gotcha', 'resolution', 'unresolved_error'])
export type LessonType = z.infer<typeof LessonType>

export const Provenance = z.strictObject({
  runId: RunId.nullable().default(null),
  attempt: z.int().nullable().default(null),
  commit: CommitId.nullable().default(null),
})

export const NewLesson = z.strictObject({
  type: LessonType,
  /** Which files it is about; null means any. */
  glob: z.string().min(1).max(500).nullable().default(null),
  action: z.string().min(1).max(100).nullable().default(null),
  topic: z.string().min(1).max(200).nullable().default(null),
  /** Error signature or fault kind it answers. */
  signature: z.string().min(1).max(2_000).nullable().default(null),
  confidence: z.number().min(0).max(1).default(0.7),
  provenance: Provenance.default({ runId: null, attempt: null, commit: null }),
  payload: z.record(z.string(), z.json()).default({}),
})
export type NewLesson = z.infer<typeof NewLesson>

export const Lesson = NewLesson.extend({
  id: z.uuid(),
  occurrences: z.int().min(1),
  supersededBy: z.uuid().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Lesson = z.infer<typeof Lesson>

export const LessonQuery = z.strictObject({
  type: LessonType.optional(),
  path: z.string().max(1_000).optional(),
  action: z.string().max(100).optional(),
  topic: z.string().max(200).optional(),
  signature: z.string().max(2_000).optional(),
  minConfidence: z.coerce.number().min(0).max(1).default(0.6),
  limit: z.coerce.number().int().min(1).max(100).default(5),
})
export type LessonQuery = z.infer<typeof LessonQuery>
