import { z } from 'zod'

/** Switches of earlier configurations; merge.approval is the one setting that decides. */
export const FlagsConfig = z.strictObject({
  enable_review_agent: z.boolean().optional().describe('false: merge.approval never; true: reviewer'),
  enable_multi_agent: z.boolean().optional().describe('false: one agent works and no more'),
  enable_ideation: z
    .boolean()
    .optional()
    .describe('true: with a low queue the crew looks for improvements itself'),
  enable_advanced_monitoring: z
    .boolean()
    .optional()
    .describe('false: no health checks are made, and none of their alerts'),
})
