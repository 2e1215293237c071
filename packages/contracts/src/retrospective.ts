// What a finished run teaches: what was planned against what was done, what failed, and what was learned from it.
import { z } from 'zod'
import { Slug } from './idea.ts'
import { CommitId, Instant, ItemRef, RunId } from './ids.ts'
import { LessonType } from './lesson.ts'
import { TaskAction, TaskId, TreePath } from './specification.ts'

export const DivergenceClass = z.enum([
  'GOOD:enhancement',
  'GOOD:optimization',
  'NEUTRAL:intentional_skip',
  'BAD:scope_creep',
  'BAD:missed_requirement',
  'BAD:deviation',
  'UNKNOWN',
])
export type DivergenceClass = z.infer<typeof DivergenceClass>

/** The first three are worth keeping, the others worth learning from. */
export const DivergenceKind = z.enum([
  'enhancement',
  'optimization',
  'best_practice',
  'shortcut',
  'mistake',
  'deviation',
])
export type DivergenceKind = z.infer<typeof DivergenceKind>

export const Divergence = z.strictObject({
  /** addition, omission, modification; what comes from elsewhere may have another word. */
  type: z.string().min(1).max(60),
  what: z.string().min(1).max(1_000),
  class: DivergenceClass,
  kind: DivergenceKind.nullable(),
  /** The fact that decided; without one the class is UNKNOWN. */
  why: z.string().max(1_000),
})
export type Divergence = z.infer<typeof Divergence>

export const RetrospectiveTrigger = z.enum(['build.completed', 'task.failed'])
export type RetrospectiveTrigger = z.infer<typeof RetrospectiveTrigger>

export const RunMetrics = z.strictObject({
  first_pass_success: z.number().min(0).max(1),
  gotcha_effectiveness: z.number().min(0).max(1),
  build_duration_minutes: z.number().min(0),
})
export type RunMetrics = z.infer<typeof RunMetrics>

/** What became of one thing that the run taught. */
export const LearnedNote = z.strictObject({
  lessonId: z.uuid().nullable(),
  type: LessonType,
  how: z.enum([
    'recorded',
    'seen_again',
    'superseding',
    'known_better',
    'confirmed',
    'adjusted',
    'not_worth',
  ]),
  text: z.string().max(1_000),
  why: z.string().max(1_000),
})
export type LearnedNote = z.infer<typeof LearnedNote>

/** The task that a run was to do, as its specification planned it, and how that compares with what was done. */
export const PlannedTask = z.strictObject({
  spec: Slug,
  revision: z.int().min(1),
  task: TaskId,
  title: z.string().max(300),
  file: TreePath,
  action: TaskAction,
  validation: z.string().max(2_000),
  /** The documents that it was read from. */
  specPath: TreePath,
  tasksPath: TreePath,
  estimateHours: z.number().min(0),
  /** Of all runs of the item so far, from claim to end. */
  actualHours: z.number().min(0),
  /** What became of the command of the task: a gate ran it, or none did. */
  validated: z.enum(['passed', 'failed', 'not_run']),
})
export type PlannedTask = z.infer<typeof PlannedTask>

export const Retrospective = z.strictObject({
  runId: RunId,
  item: ItemRef,
  agentType: z.string().min(1).max(60),
  /** How the run ended: success, escalation, failed, released, withdrawn. */
  outcome: z.string().min(1).max(100),
  trigger: RetrospectiveTrigger,
  reviewedAt: Instant,
  /** From before the first to the last commit of the run. */
  diff: z.strictObject({
    from: CommitId.nullable(),
    to: CommitId.nullable(),
    /** history: this repository does not have the commits, and the run's own record was read. */
    source: z.enum(['git', 'history', 'none']),
    files: z.array(z.string().max(1_000)).max(500),
  }),
  /** What the last gates found. */
  tests: z.strictObject({ total: z.int(), passed: z.int(), failed: z.int(), skipped: z.int() }).nullable(),
  /** Of an item that was made of a task of a specification. */
  plan: PlannedTask.nullable().default(null),
  divergences: z.array(Divergence).max(200),
  learned: z.array(LearnedNote).max(200),
  metrics: RunMetrics,
  /** Earlier ones of the same kind of agent and outcome, newest first. */
  similar: z.array(RunId).max(10),
})
export type Retrospective = z.infer<typeof Retrospective>
