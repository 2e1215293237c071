import { z } from 'zod'

/** Where ideas and specifications stand, and how they are made. */
export const IdeasConfig = z.strictObject({
  dir: z
    .string()
    .min(1)
    .max(200)
    .regex(/^(?!\/)(?!.*\.\.)[^\\]+$/, 'must be a folder below the workspace')
    .default('users')
    .describe('The folder of ideas and specifications, the only place of the checkout where Treadle writes'),
  engine: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe(
      'Who talks about ideas; none: an interview; null: engines.default if it can read, else an interview',
    ),
})
export type IdeasConfig = z.infer<typeof IdeasConfig>
