// What a look at a repository finds that is measurably wrong, without a model.
import { z } from 'zod'
import { Category } from './categories.ts'
import { NewItem } from './item.ts'

/** A command that tells whether something is still wrong. */
const Measure = z.strictObject({
  command: z.string().min(1).max(2_000),
  /** Its exit code now; 0 when it is put right. */
  before: z.int(),
})

export const Finding = z.strictObject({
  category: Category,
  /** Names it, and stays the same for as long as it is there: `unused-dependency:left-pad`. */
  key: z.string().min(1).max(500),
  title: z.string().min(1).max(300),
  /** Where it is; a dependency is in its manifest. */
  files: z.array(z.string().min(1)).min(1),
  /** What shows it. */
  evidence: z.string().min(1).max(4_000),
  estimateHours: z.number().positive().max(8),
  /** A program can put it right. */
  mendable: z.boolean(),
  measure: Measure,
})
export type Finding = z.infer<typeof Finding>

export const SurveyReport = z.strictObject({
  findings: z.array(Finding),
  /** Categories, or parts of one, that were not looked at, and why. */
  skipped: z.array(
    z.strictObject({
      category: Category,
      /** The survey that could not tell; null: there is none, so this needs a model. */
      survey: z.string().nullable(),
      /** It has looked, and left something out: what it does not find is still gone. */
      part: z.boolean(),
      why: z.string().min(1),
    }),
  ),
})
export type SurveyReport = z.infer<typeof SurveyReport>

/** The item that puts a finding right, made after another look at it. */
export const FindingItem = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('item'), item: NewItem }),
  z.strictObject({ is: z.literal('gone') }),
  /** The survey could not tell. */
  z.strictObject({ is: z.literal('unknown'), why: z.string().min(1) }),
  z.strictObject({ is: z.literal('no_survey'), known: z.array(z.string()) }),
])
export type FindingItem = z.infer<typeof FindingItem>
