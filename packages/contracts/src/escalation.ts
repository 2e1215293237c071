// What a person is told when the loop gives up: what was tried, what still fails, where to look, what to do next.
import { z } from 'zod'
import { GateName } from './gate.ts'
import { CommitId, RunId } from './ids.ts'

export const Escalation = z.strictObject({
  run: RunId,
  item: z.string(),
  title: z.string(),
  why: z.string(),
  attempts: z.array(
    z.strictObject({
      attempt: z.int().min(1),
      engine: z.string(),
      /** What it was meant to mend; null: the whole item. */
      cause: z.string().nullable(),
      novel: z.boolean(),
      said: z.string(),
      changes: z.array(z.string()),
      result: z.enum(['helped', 'still fails', 'not tested']),
    }),
  ),
  /** What can be taken as it is: it passes the item's tests; null: nothing of the kind. */
  kept: z
    .strictObject({
      attempt: z.int().min(1),
      refusedBy: z.array(GateName).min(1),
      commit: CommitId,
      ref: z.string(),
    })
    .nullable()
    .default(null),
  remaining: z.array(
    z.strictObject({
      cause: z.string(),
      signature: z.string(),
      tests: z.array(z.string()),
      /** First lines of the message of one of them. */
      message: z.string(),
      /** Also there before the first attempt. */
      old: z.boolean(),
    }),
  ),
  /** Failures of the whole suite that were there before and are not this item's; only counted. */
  older: z.int().min(0).default(0),
  /** Places to look at by hand, the likeliest first. */
  areas: z.array(z.strictObject({ place: z.string(), why: z.string() })),
  nextSteps: z.array(z.string()).min(1),
})
export type Escalation = z.infer<typeof Escalation>

export const Explanation = z.strictObject({
  run: RunId,
  /** Null: all of the run. */
  attempt: z.int().min(1).nullable(),
  /** Markdown. */
  text: z.string(),
  /** Where the whole run is explained: the report as data. */
  escalation: Escalation.nullable(),
})
export type Explanation = z.infer<typeof Explanation>
