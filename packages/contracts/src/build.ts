// A build: a specification that becomes merged code, task by task. Its tasks are items; what they have come to is read
// from those.
import { z } from 'zod'
import { Slug } from './idea.ts'
import { AgentId, CommitId, Instant, Positive, RunId, Sha256 } from './ids.ts'
import { TaskAction, TaskId, TaskPhase, TreePath } from './specification.ts'
import { ValidationLevel } from './validation-level.ts'

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

/** What kind of thing went wrong with a task; unknown is whatever is none of the others. */
export const TaskErrorClass = z.enum([
  'SYNTAX_ERROR',
  'MISSING_DEPENDENCY',
  'CONFLICT',
  'VALIDATION_FAILED',
  'UNKNOWN',
])
export type TaskErrorClass = z.infer<typeof TaskErrorClass>

export const TaskDecision = z.enum(['RETRY', 'INSTALL_AND_RETRY', 'REBASE_AND_RETRY', 'SKIP', 'ESCALATE'])
export type TaskDecision = z.infer<typeof TaskDecision>

/** A package that may be installed for a task: its release, whose registry has it, and how old what comes with it must be. */
export const PackageToInstall = z.strictObject({
  name: z
    .string()
    .max(214)
    .regex(/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i),
  version: z
    .string()
    .max(50)
    .regex(/^\d+\.\d+\.\d+$/),
  /** The address that the packages of the lock file come from; it becomes part of a command. */
  registry: z
    .string()
    .max(500)
    .regex(/^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~-]+)*$/),
  /** Nothing that was published later is taken. */
  before: Instant,
})
export type PackageToInstall = z.infer<typeof PackageToInstall>

/** An attempt of a task that came to nothing, and what was decided about it. */
export const TaskFailure = z.strictObject({
  task: TaskId,
  /** The first attempt is 1. */
  attempt: z.int().min(1),
  class: TaskErrorClass,
  decision: TaskDecision,
  reason: z.string().max(1_000),
  /** What the checks or the engine said. */
  error: z.string().max(2_000),
  /** The package that is missing. */
  package: z.string().max(214).nullable(),
  /** What is installed before the next attempt; null: nothing. */
  install: PackageToInstall.nullable().default(null),
  runId: RunId.nullable(),
  at: Instant,
})
export type TaskFailure = z.infer<typeof TaskFailure>

/** A task that is not done because of another one, or because somebody took it away. */
export const SkippedTask = z.strictObject({
  task: TaskId,
  /** The task that it waited for; null: it was not because of another. */
  because: TaskId.nullable(),
  why: z.string().max(1_000),
  /** Who has said that it is left out: it is no failure any more. */
  leftOutBy: z.string().max(200).optional(),
})
export type SkippedTask = z.infer<typeof SkippedTask>

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
  /** How thoroughly it is validated; null: nobody has said, and validation.level counts. */
  validation: ValidationLevel.nullable().default(null),
  /** The merges of its tasks on the branch, oldest first. */
  commits: z.array(CommitId).max(500),
  /** What the checks found of the whole; null: it was not delivered yet. */
  finalValidation: z.array(z.strictObject({ gate: z.string(), is: z.string() })).nullable(),
  /** Attempts of tasks that came to nothing, oldest first. */
  failures: z.array(TaskFailure).max(2_000),
  skipped: z.array(SkippedTask).max(500),
  /** Why it stopped or failed; null while nothing is wrong. */
  why: z.string().max(4_000).nullable(),
  /** Work time since it was begun or gone on with, without the span that is running; time that only waits for a person does not count. */
  workedMs: z.int().min(0),
  /** Work time before it was last gone on with: no limit counts it. */
  earlierMs: z.int().min(0).default(0),
  /** Since when the running span counts; null: the clock stands. */
  workingSince: Instant.nullable(),
  /** What it has cost, once it is over. */
  spentUSD: z.number().min(0).nullable().default(null),
  startedAt: Instant,
  completedAt: Instant.nullable(),
})
export type Build = z.infer<typeof Build>

/** A task of a build as it is shown, read from its item. */
export const BuildTask = z.strictObject({
  id: TaskId,
  /** Its item. */
  number: Positive,
  title: z.string(),
  phase: TaskPhase,
  action: TaskAction,
  file: TreePath,
  status: BuildTaskStatus,
  /** The state of its item. */
  state: z.string(),
  dependsOn: z.array(TaskId),
  /** Ready, or what it waits for. */
  ready: z.string(),
  waitsFor: z.array(TaskId),
  /** Who is at work on it. */
  agent: AgentId.nullable(),
  /** Attempts so far, the one at work included. */
  attempts: z.int().min(0),
  validation: z.string(),
  expected: z.string(),
  requirements: z.array(z.string()),
  template: z.string().nullable(),
  gotchas: z.array(z.string()),
  /** Why it failed, was skipped, or needs a person; null: nothing of that. */
  why: z.string().nullable(),
  needsHuman: z.boolean(),
  /** Whose its file is, if it is not the crew's. */
  owner: z.string().nullable(),
  /** It is not begun before a person says that this owner agrees. */
  requiresCoordination: z.boolean(),
  usd: z.number().min(0),
  workedMs: z.number().min(0),
  mergeCommit: CommitId.nullable(),
})
export type BuildTask = z.infer<typeof BuildTask>

/** A build with its tasks as they are now. */
export const BuildView = z.strictObject({
  ...Build.shape,
  tasks: z.array(BuildTask),
  counts: z.record(BuildTaskStatus, z.int().min(0)),
  usd: z.number().min(0),
  /** Time at work until now. */
  elapsedMs: z.number().min(0),
  deliveryState: z.string().nullable(),
  mergeCommit: CommitId.nullable(),
  /** The specification has been changed since: its latest revision, and what differs. */
  edited: z.strictObject({ revision: z.int().min(1), difference: z.array(z.string()).max(200) }).nullable(),
  /** What to do, where something is to be done. */
  hint: z.string().nullable(),
})
export type BuildView = z.infer<typeof BuildView>

/** A task's part in the receipt of the whole. */
export const ReceiptTask = z.strictObject({
  task: TaskId,
  item: Positive,
  is: z.enum(['complete', 'failed', 'skipped']),
  /** Its merge on the branch of the build, and the hash of its own receipt. */
  commit: CommitId.nullable(),
  receipt: Sha256.nullable(),
  /** Why it is not in it. */
  why: z.string().nullable(),
})
export type ReceiptTask = z.infer<typeof ReceiptTask>

export const ReceiptBuild = z.strictObject({
  id: BuildId,
  spec: Slug,
  revision: z.int().min(1),
  branch: z.string(),
  /** Where the branch was when it was delivered. */
  tip: CommitId,
  /** The level by which the whole was validated; absent: no level, and no gate was left out. */
  validation: ValidationLevel.optional(),
  /** The change is exactly what the branch brings, and nothing else. */
  exact: z.boolean(),
  tasks: z.array(ReceiptTask).max(500),
})
export type ReceiptBuild = z.infer<typeof ReceiptBuild>
