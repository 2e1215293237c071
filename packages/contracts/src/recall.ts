// What a run asks of the crew's memory, and what it is shown.
import { z } from 'zod'
import { Lesson, LessonType } from './lesson.ts'

export const RunRecall = z.strictObject({
  type: LessonType.optional(),
  action: z.string().min(1).max(100).optional(),
  paths: z.array(z.string().min(1).max(1_000)).max(50).default([]),
  topics: z.array(z.string().min(1).max(200)).max(20).default([]),
  /** Kept under these very signatures. */
  signatures: z.array(z.string().min(1).max(2_000)).max(20).default([]),
  /** Kept under errors like these. */
  similarTo: z.array(z.string().min(1).max(8_000)).max(20).default([]),
  text: z.string().min(1).max(4_000).optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  limit: z.int().min(1).max(100).default(5),
  /** For which attempt; a lesson is judged by how that one ends. */
  attempt: z.int().min(1).max(1_000).default(1),
})
export type RunRecall = z.infer<typeof RunRecall>

export const LessonNote = z.strictObject({
  lessonId: z.uuid(),
  type: LessonType,
  topic: z.string().max(200).nullable(),
})
export type LessonNote = z.infer<typeof LessonNote>

export const LeftOut = z.strictObject({ lessonId: z.uuid(), why: z.string().min(1).max(300) })
export type LeftOut = z.infer<typeof LeftOut>

export const RunRecalled = z.strictObject({
  shown: z.array(Lesson),
  /** They fit, and are kept back from this run so that their effect can be told. */
  withheld: z.array(LessonNote),
  leftOut: z.array(LeftOut),
})
export type RunRecalled = z.infer<typeof RunRecalled>
