import { z } from 'zod'
import { percent } from './bounds.ts'

export const ReviewConfig = z.strictObject({
  template: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .describe(
      'File with the prompt of the reviewer; null: .claude/commands/review-agent-prompt.md of the workspace, then of your home',
    ),
  reviewers: z
    .int()
    .min(1)
    .max(9)
    .default(3)
    .describe('How many may read deliveries at once; one does until there is more to read than that'),
  waitingPerReviewer: z
    .int()
    .min(1)
    .max(1_000)
    .default(4)
    .describe('Deliveries that one reviewer has before another one helps'),
  rejectionPercent: percent(30).describe(
    'More of the latest deliveries rejected than this, and the owner is told what for',
  ),
})
