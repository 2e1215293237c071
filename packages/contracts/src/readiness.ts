// Whether the world is ready for work: packages, build and tests of the target, found out before anybody is asked.
import { z } from 'zod'
import { CommitId, Instant } from './ids.ts'

/** What is done before an engine is asked, in this order. */
export const ReadinessStep = z.enum(['installing', 'building', 'testing'])
export type ReadinessStep = z.infer<typeof ReadinessStep>

/** How far a step has come, as far as its output tells. */
export const StepProgress = z.strictObject({
  step: ReadinessStep,
  /** Test files that have ended, of those that there are; null: the output names none. */
  files: z
    .strictObject({ done: z.int().min(0), of: z.int().min(1) })
    .nullable()
    .default(null),
})
export type StepProgress = z.infer<typeof StepProgress>

/** What keeps the tests of the target from being run. */
export const TroubleKind = z.enum([
  'install_failed',
  'packages_missing',
  'build_failed',
  'output_missing',
  'compile_error',
  'tool_missing',
  'timed_out',
])
export type TroubleKind = z.infer<typeof TroubleKind>

export const Trouble = z.strictObject({
  kind: TroubleKind,
  /** One sentence: what is wrong. */
  text: z.string().min(1).max(1_000),
  /** The one setting that would mend it, and what to set it to where that is known. */
  setting: z.string().min(1).max(100),
  value: z.string().max(2_000).nullable(),
  /** The last lines of the output. */
  lines: z.string().max(4_000),
})
export type Trouble = z.infer<typeof Trouble>

/** The tests of the target as they are now, without any change. */
export const Baseline = z.strictObject({
  command: z.string(),
  tookMs: z.number(),
  passed: z.int(),
  failed: z.int(),
  /** Names of tests that fail now, the first of them. */
  failing: z.array(z.string()).max(20),
})
export type Baseline = z.infer<typeof Baseline>

/** What was found on one commit of the target. */
export const ReadinessFound = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('ready'), baseline: Baseline, setupMs: z.number() }),
  /** No test command, one that runs no test, or a report that nobody can read: items are worked on, and what they deliver is unproven. */
  z.strictObject({ is: z.literal('untested'), why: z.string(), setupMs: z.number() }),
  z.strictObject({ is: z.literal('not_ready'), trouble: Trouble }),
])
export type ReadinessFound = z.infer<typeof ReadinessFound>

export const Readiness = z.strictObject({
  /** What is known; null: nobody has looked yet. */
  found: ReadinessFound.nullable(),
  commit: CommitId.nullable(),
  at: Instant.nullable(),
  /** What is done now to find out; null: nothing. */
  checking: StepProgress.nullable(),
})
export type Readiness = z.infer<typeof Readiness>

export const NOTHING_KNOWN: Readiness = { found: null, commit: null, at: null, checking: null }

/** How packages come into a worktree. */
export const PackagePlan = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('locked'), command: z.string(), lock: z.string() }),
  /** No lock file: those of the checkout are linked, and links into the project itself lead to the worktree. */
  z.strictObject({ is: z.literal('linked') }),
  /** No lock file, and nothing installed in the checkout. */
  z.strictObject({ is: z.literal('unlocked'), command: z.string() }),
  z.strictObject({ is: z.literal('none') }),
])
export type PackagePlan = z.infer<typeof PackagePlan>

/** What a look at a repository says, without a daemon. */
export const ProjectLook = z.strictObject({
  /** In force, or detected. */
  testCommand: z.string().nullable(),
  packages: PackagePlan,
  /** What the tests of the branch's last commit say now; null: nobody looked, or not to the end. */
  found: ReadinessFound.nullable(),
})
export type ProjectLook = z.infer<typeof ProjectLook>

/** A line that the program prints which looks: how far it is, or what it found. */
export const LookLine = z.union([
  z.strictObject({ progress: StepProgress }),
  z.strictObject({ look: ProjectLook }),
])
export type LookLine = z.infer<typeof LookLine>
