// A build: a specification that becomes merged code, task by task. Its tasks are items; what they have come to is read
// from those.
import { z } from 'zod'
import { Slug } from './idea.ts'
import { CommitId, Instant, Positive } from './ids.ts'

export const BuildStatus = z.enum(['priming', 'running', 'stopped', 'completed', 'failed'])
export type BuildStatus = z.infer<typeof BuildStatus>

/** Where a task stands, read from its item. */
export const BuildTaskStatus = z.enum(['pending', 'in_progress', 'complete', 'failed', 'skipped'])
export type BuildTaskStatus = z.infer<typeof BuildTaskStatus>

export const BuildId = z.uuid()
export type BuildId = z.infer<typeof BuildId>

const Range = z.strictObject({ low: z.number().min(0), high: z.number().min(0) })

/** What a build was expected to cost, from what the crew has done before. */
export const BuildForecast = z.strictObject({
  /** Null: nobody knows yet. */
  usd: Range.nullable(),
  hours: Range.nullable(),
  /** Finished items that it rests on. */
  basedOn: z.int().min(0),
  /** Of the builds that ended before, how many had such a range, and how many stayed in it. */
  held: z.strictObject({ forecasts: z.int().min(0), within: z.int().min(0) }),
})
export type BuildForecast = z.infer<typeof BuildForecast>

export const Build = z.strictObject({
  id: BuildId,
  /** The specification, by the name of its idea, and the revision that was approved. */
  spec: Slug,
  revision: z.int().min(1),
  userSlug: Slug,
  title: z.string(),
  status: BuildStatus,
  /** The branch on which the tasks land. */
  branch: z.string(),
  /** The branch that the whole is merged into. */
  target: z.string(),
  /** Where the branch begins. */
  base: CommitId.nullable(),
  projectNumber: Positive,
  tasksTotal: z.int().min(0),
  /** The item that brings the whole onto the target. */
  delivery: Positive.nullable(),
  /** What was loaded before the first task, in a sentence. */
  prime: z.string().max(4_000),
  forecast: BuildForecast.nullable(),
  /** The merges of its tasks on the branch, oldest first. */
  commits: z.array(CommitId).max(500),
  /** What the checks found of the whole; null: it was not delivered yet. */
  finalValidation: z.array(z.strictObject({ gate: z.string(), is: z.string() })).nullable(),
  /** Why it stopped or failed; null while nothing is wrong. */
  why: z.string().max(4_000).nullable(),
  /** Work time so far, without the span that is running; time that only waits for a person does not count. */
  workedMs: z.int().min(0),
  /** Since when the running span counts; null: the clock stands. */
  workingSince: Instant.nullable(),
  startedAt: Instant,
  completedAt: Instant.nullable(),
})
export type Build = z.infer<typeof Build>
