import { z } from 'zod'

export const ApprovalConfig = z.strictObject({
  confirm: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether a decision of yours wants a code of six digits; auto: only where nothing keeps your key from the crew',
    ),
})
export type ApprovalConfig = z.infer<typeof ApprovalConfig>
