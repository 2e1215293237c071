// How strong tests are: small faults planted in changed lines, and which of them the tests noticed.
import { z } from 'zod'

export const MutantFate = z.enum([
  /** A test said so by an assertion. */
  'killed',
  /** A test failed without one: the program threw, or could not be loaded. */
  'broke',
  /** Every test passed. */
  'survived',
  /** It did not end in time, which no assertion has noticed. */
  'timed_out',
  /** The time was up, or it was not safe to run. */
  'not_tried',
])
export type MutantFate = z.infer<typeof MutantFate>

/** The operator of what throws in place of a branch: what survives it is taken by no test. */
export const BRANCH_PROBE = 'branch-taken'

export const Mutant = z.strictObject({
  file: z.string(),
  line: z.int(),
  /** Which kind of edit. */
  operator: z.string(),
  before: z.string(),
  after: z.string(),
  fate: MutantFate,
  /** The first test that noticed, where it is known. */
  by: z.string().nullable(),
})
export type Mutant = z.infer<typeof Mutant>

export const Strength = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('measured'),
    /** By our own runner, by the project's test command, or what the first left over by the second. */
    how: z.enum(['in_process', 'command', 'both']),
    /** How many could have been made. */
    possible: z.int(),
    mutants: z.array(Mutant),
  }),
  z.strictObject({ is: z.literal('not_run'), why: z.string().min(1) }),
])
export type Strength = z.infer<typeof Strength>

export const StrengthOrder = z.strictObject({
  /** A checkout in which the tests are green; it is not written to. */
  cwd: z.string(),
  command: z.string().nullable(),
  /** Whether only the command itself may notice a fault, and no test that is found otherwise. */
  byCommandOnly: z.boolean().optional(),
  /** The lines that were added or changed, by file; from 1. */
  lines: z.record(z.string(), z.array(z.int())),
  mutantsMax: z.int(),
  budgetMs: z.int(),
  /** For one run of the command. */
  timeoutMs: z.int(),
})
export type StrengthOrder = z.infer<typeof StrengthOrder>
