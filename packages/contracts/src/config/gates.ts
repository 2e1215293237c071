import { z } from 'zod'
import { percent } from './bounds.ts'

export const GatesConfig = z.strictObject({
  network: z
    .boolean()
    .default(false)
    .describe(
      'Whether tests, linters and reviews reach the network; without, they have a loopback of their own',
    ),
  linterCommand: z
    .union([z.string().min(1).max(2_000), z.literal(false)])
    .nullable()
    .default(null)
    .describe('null: detected from the project; false: only what the test command lints is run'),
  format: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      "auto: what an engine changed is formatted by the project's own formatter before it is checked; off: it is not",
    ),
  coverage: z
    .strictObject({
      threshold: z
        .number()
        .min(0)
        .max(100)
        .nullable()
        .default(null)
        .describe('Percent of lines; null: coverage is not looked at'),
      command: z
        .string()
        .min(1)
        .max(2_000)
        .nullable()
        .default(null)
        .describe('Writes the report; null: the tests do'),
      report: z
        .string()
        .min(1)
        .max(1_000)
        .nullable()
        .default(null)
        .describe('Istanbul, LCOV or Cobertura, relative to the project; null: the usual places'),
    })
    .prefault({}),
  security: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: npm, pnpm or yarn asks its registry about the packages in the lock file; off: nobody is asked',
    ),
  documentation: z
    .strictObject({
      share: percent(50).describe('Percent of new public functions, classes and types; less is a warning'),
    })
    .prefault({}),
  witness: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      'A test that fails without the change and passes with it. auto: new tests must be such; required: there must be one',
    ),
  assertions: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: the assertions of a change are bent, one at a time, and must turn their tests red; off: they are not',
    ),
  loads: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: it is recorded which files the tests load with the change and, where that may differ, without it; off: it is not',
    ),
  inputs: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: functions of a change are called with inputs near those of its tests, and compared with the base and with another patch; off: they are not',
    ),
  conditions: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: the tests of a change are run once more with the clock moved and another environment; off: they are not',
    ),
  mutation: z
    .strictObject({
      share: percent(60).describe('Percent of planted faults that an assertion notices; less is a warning'),
      mutants: z.int().min(0).max(1_000).default(60).describe('How many faults are planted; 0: none'),
      seconds: z.int().min(1).max(3_600).default(120).describe('How long it may take'),
    })
    .prefault({}),
})
export type GatesConfig = z.infer<typeof GatesConfig>
