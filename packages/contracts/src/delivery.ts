// What a delivery changes, file by file, and what reviewers wrote on its lines.
import { z } from 'zod'
import { CommitId, Instant } from './ids.ts'
import { Review } from './review.ts'

export const COMMENTS_MAX = 100

/** The side of a change that a line is on: as it was before, or as it is delivered. */
export const CommentSide = z.enum(['old', 'new'])
export type CommentSide = z.infer<typeof CommentSide>

/** What a reviewer asks for, on a line of a delivery. */
export const LineComment = z.strictObject({
  path: z.string().min(1).max(4_096),
  line: z.int().min(1).max(10_000_000),
  side: CommentSide,
  text: z.string().trim().min(1).max(1_500),
})
export type LineComment = z.infer<typeof LineComment>

/** What became of the line that a comment was on: computed from the two deliveries, and nobody's word. */
export const LineFate = z.enum([
  'changed',
  /** The line is as it was; lines right beside it are not. */
  'beside',
  'unchanged',
  'file_deleted',
  /** A delivery is not in the repository any more. */
  'unknown',
])
export type LineFate = z.infer<typeof LineFate>

export const TracedComment = LineComment.extend({
  /** The delivery with which it was sent back. */
  askedIn: z.int().min(1),
  by: z.string(),
  at: Instant,
  fate: LineFate,
  /** Where the line is in this delivery; null where it is gone. */
  lineNow: z.int().nullable(),
})
export type TracedComment = z.infer<typeof TracedComment>

export const DeliveredFile = z.strictObject({
  /** The name itself, as git has it: never quoted. */
  path: z.string(),
  /** Null for what is no text. */
  added: z.int().nullable(),
  removed: z.int().nullable(),
  /** A file that is gone and had nearly the same content. The change still shows both as they are. */
  movedFrom: z.string().nullable(),
  /** The part of the unified diff about this file. */
  diff: z.string(),
  /** Not all of its diff is here. */
  isCut: z.boolean(),
})
export type DeliveredFile = z.infer<typeof DeliveredFile>

export const DeliveryChange = z.strictObject({
  review: Review,
  /** What a merge would take: this commit, and no other, is approved. */
  head: CommitId,
  /** Null: what it began with, or the delivery itself, is not in the repository any more. */
  base: CommitId.nullable(),
  files: z.array(DeliveredFile),
  /** Where this is what changed since an earlier delivery, and not the whole. */
  since: z
    .strictObject({
      cycle: z.int().min(1),
      /** False: what others have merged in between could not be left out. */
      isAlone: z.boolean(),
    })
    .nullable(),
  /** Deliveries of the item, the first first. */
  deliveries: z.array(z.strictObject({ cycle: z.int().min(1), head: CommitId, at: Instant })),
  /** What earlier reviews asked for on lines, the oldest first. */
  comments: z.array(TracedComment),
})
export type DeliveryChange = z.infer<typeof DeliveryChange>
