import { z } from 'zod'
import { MINUTE, ms } from './bounds.ts'

export const TestsConfig = z.strictObject({
  command: z.string().min(1).max(2_000).nullable().default(null).describe('null: detected from the project'),
  timeoutMs: ms(10 * MINUTE).describe('How long one run of a test command may take'),
  setupCommand: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .describe('Run once in a new worktree, for example npm ci'),
  buildCommand: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .describe(
      'Run before test commands that the project’s own test script does not build for; null: what that script builds with',
    ),
  readiness: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: nothing is offered until packages, build and tests of the target could be run once; off: nobody looks',
    ),
  canary: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: nothing is offered while the tests stay green although a source file is broken; off: nobody looks',
    ),
  trace: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: tests may be run once more to see what each of them runs; off: the sources alone say it',
    ),
})
