import { z } from 'zod'

/** Whether lessons have to earn their place, and how. */
export const LessonsConfig = z.strictObject({
  trial: z
    .boolean()
    .default(true)
    .describe('false: no lesson is kept back from a run, and none is judged by its results'),
  withheldShare: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.3)
    .describe('Share of the runs that are not shown a lesson on trial that fits them'),
  promoteAt: z.number().min(0.5).max(1).default(0.98).describe('Proven: it helps at least so probably'),
  retireAt: z.number().min(0).max(0.5).default(0.1).describe('Retired: it helps at most so probably'),
})
export type LessonsConfig = z.infer<typeof LessonsConfig>
