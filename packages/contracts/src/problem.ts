// The one error shape of the API: a code for programs, a sentence and what to do for people.
import { z } from 'zod'

export const ProblemCode = z.enum([
  'bad_request',
  'unauthorized',
  'forbidden_host',
  'forbidden_origin',
  'owner_key_needed',
  'not_found',
  'method_not_allowed',
  'already_claimed',
  'fenced',
  'refused',
  'head_moved',
  'confirm_needed',
  'code_needed',
  'duplicate',
  'too_large',
  'unsupported_media_type',
  'store_unavailable',
  'internal',
  'unreachable',
])
export type ProblemCode = z.infer<typeof ProblemCode>

export const Problem = z.strictObject({
  error: z.strictObject({
    code: ProblemCode,
    message: z.string(),
    /** What the reader can do about it. */
    hint: z.string(),
    details: z.json().optional(),
  }),
})
export type Problem = z.infer<typeof Problem>
