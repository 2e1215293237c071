import { z } from 'zod'
import { MINUTE, ms } from './bounds.ts'

export const TestsConfig = z.strictObject({
  command: z.string().min(1).max(2_000).nullable().default(null).describe('null: detected from the project'),
  timeoutMs: ms(10 * MINUTE),
  setupCommand: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .describe('Run once in a new worktree, for example npm ci'),
  trace: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: tests may be run once more to see what each of them runs; off: the sources alone say it',
    ),
})
