// A measure of an item: a command that shows what work is for that no failing test can show.
import { z } from 'zod'

export const Better = z.enum(['lower', 'higher'])
export type Better = z.infer<typeof Better>

export const Measure = z.strictObject({
  command: z.string().trim().min(1).max(2_000),
  /** Which way the last number that it prints should go; null: its exit code counts, bad before and 0 after. */
  better: Better.nullable().default(null),
})
export type Measure = z.infer<typeof Measure>

const compared = {
  /** The better of the base's runs: a number, or an exit code. */
  before: z.number(),
  /** The worse of the head's runs. */
  after: z.number(),
  better: Better.nullable(),
}

/** What a measure said of a change, by runs on base and head. */
export const MeasureFound = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('improved'),
    ...compared,
    /** Of a finding: what other surveys find on the head and not on the base; absent: nothing. */
    brought: z.array(z.string().min(1)).min(1).optional(),
  }),
  z.strictObject({ is: z.literal('not_improved'), ...compared }),
  /** It could not be compared. */
  z.strictObject({ is: z.literal('unknown'), why: z.string().min(1) }),
])
export type MeasureFound = z.infer<typeof MeasureFound>
