// A specification: what an idea asks for, as requirements, files and atomic tasks in the order of their phases.
import { z } from 'zod'
import { Slug, WaitingFor } from './idea.ts'
import { Instant } from './ids.ts'
import { ValidationLevel } from './validation-level.ts'

/** In the order in which tasks come, under whatever profile. */
export const TASK_PHASES = ['database', 'types', 'queries', 'api', 'ui', 'tests'] as const
export const TaskPhase = z.enum(TASK_PHASES)
export type TaskPhase = z.infer<typeof TaskPhase>

export const TaskAction = z.enum(['CREATE', 'UPDATE', 'DELETE'])
export type TaskAction = z.infer<typeof TaskAction>

export const TaskId = z.string().regex(/^[A-Za-z][A-Za-z0-9.-]{0,39}$/, 'must be a short name such as T1')
export type TaskId = z.infer<typeof TaskId>

const NOT_BUILT_IN = new Set(['.git', '.treadle', '.claude-sessions', 'node_modules'])

/** A path of a file relative to the workspace, never out of it, nor into what git, Treadle and npm keep. */
export const TreePath = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (path) => !/^(\/|[A-Za-z]:)/.test(path) && !path.includes('\\') && !path.split('/').includes('..'),
    'must be a path below the workspace',
  )
  .refine((path) => !path.startsWith('-'), 'must not begin with a dash')
  .refine((path) => !path.split('/').some((part) => part === '' || part === '.'), 'must name a file')
  .refine((path) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path), 'has characters that no file should have')
  .refine((path) => {
    const parts = path.toLowerCase().split('/')
    return !NOT_BUILT_IN.has(parts[0] ?? '') && !parts.includes('.git')
  }, 'must not be inside .git, .treadle, .claude-sessions or node_modules')
export type TreePath = z.infer<typeof TreePath>

export const Requirement = z.strictObject({
  id: z.string().regex(/^(FR|NFR)-\d{1,3}$/, 'must be FR-1 or NFR-1'),
  kind: z.enum(['functional', 'non_functional']),
  text: z.string().min(1).max(2_000),
  /** The feature of the brief that it comes from; null where it is about the whole. */
  feature: z.string().max(200).nullable(),
})
export type Requirement = z.infer<typeof Requirement>

export const SpecCriterion = z.strictObject({
  id: z.string().regex(/^AC-\d{1,3}$/, 'must be AC-1'),
  text: z.string().min(1).max(2_000),
  /** The command that shows it; null: a person judges. */
  check: z.string().max(2_000).nullable(),
  /** The test task that has it. */
  task: TaskId.nullable(),
})
export type SpecCriterion = z.infer<typeof SpecCriterion>

export const FileSpec = z.strictObject({
  path: TreePath,
  purpose: z.string().max(500),
  owner: z.string().max(200),
})
export type FileSpec = z.infer<typeof FileSpec>
export const FileModification = z.strictObject({
  path: TreePath,
  changes: z.string().max(2_000),
  owner: z.string().max(200),
})
export type FileModification = z.infer<typeof FileModification>

export const DataModel = z.strictObject({
  name: z.string().max(200),
  fields: z.array(z.strictObject({ name: z.string().max(100), type: z.string().max(100) })).max(50),
})
export type DataModel = z.infer<typeof DataModel>

export const TaskGotcha = z.strictObject({
  lessonId: z.uuid(),
  text: z.string().max(4_000),
  confidence: z.number().min(0).max(1),
})
export type TaskGotcha = z.infer<typeof TaskGotcha>

/** As many things may have to hold when a task is done. */
export const ACCEPTANCE_MAX = 200

export const SpecTask = z.strictObject({
  id: TaskId,
  phase: TaskPhase,
  title: z.string().min(1).max(300),
  file: TreePath,
  action: TaskAction,
  dependsOn: z.array(TaskId).max(50),
  /** Requirements that it serves. */
  requirements: z.array(z.string().max(20)).max(50),
  /** What must hold when it is done. */
  acceptance: z.array(z.string().max(2_000)).max(ACCEPTANCE_MAX),
  /** The command that shows that it is done. */
  validation: z.string().min(1).max(2_000),
  /** What it prints when it is right; left out: it has to end with 0, and no more. */
  expected: z.string().trim().min(1).max(500).optional(),
  owner: z.string().max(200),
  estimateHours: z.number().positive().max(1_000),
  gotchas: z.array(TaskGotcha).max(5),
  /** Code to begin with. */
  template: z.string().max(20_000).nullable(),
})
export type SpecTask = z.infer<typeof SpecTask>

const share = z.number().min(0).max(1)
export const SpecValidation = z.strictObject({
  ok: z.boolean(),
  /** What must be mended before it can be built. */
  problems: z.array(z.string().max(2_000)).max(200),
  /** What is missing, or what a person should still decide; defaults hold meanwhile. */
  missing: z.array(z.string().max(2_000)).max(200),
  /** How much of the brief has come through, each from 0 to 1. */
  shares: z.strictObject({
    /** Features that are in the title and the file of a task. */
    features: share,
    /** Acceptance criteria that are in a test task. */
    criteria: share,
    /** Requirements that a task serves. */
    requirements: share,
    /** Tasks that serve a requirement. */
    tasks: share,
    /** Criteria with a check that a program can run. */
    checks: share,
  }),
})
export type SpecValidation = z.infer<typeof SpecValidation>

export const TargetComplexity = z.enum(['mvp', 'full'])
export type TargetComplexity = z.infer<typeof TargetComplexity>

export const SpecStatus = z.enum(['generated', 'approved', 'revising'])
export type SpecStatus = z.infer<typeof SpecStatus>

export const Specification = z.strictObject({
  /** That of its idea. */
  slug: Slug,
  userSlug: Slug,
  title: z.string(),
  complexity: TargetComplexity,
  /** Counts what was generated or read back anew; an approval names it. */
  revision: z.int().min(1),
  status: SpecStatus,
  /** How thoroughly its build is to be validated, as was said with the approval; absent: nothing was. */
  buildValidation: ValidationLevel.optional(),
  specPath: TreePath,
  tasksPath: TreePath,
  requirements: z.array(Requirement).max(300),
  criteria: z.array(SpecCriterion).max(300),
  newFiles: z.array(FileSpec).max(500),
  modifications: z.array(FileModification).max(200),
  dataModels: z.array(DataModel).max(100),
  tasks: z.array(SpecTask).max(500),
  validation: SpecValidation,
  /** What was asked for by people since, oldest first. */
  requests: z.array(z.string().max(4_000)).max(50),
  /** By rules, or by which engine. */
  writtenBy: z.string().max(60),
  /** How it is built, in a model's words; empty where rules have written it. */
  architecture: z.string().max(10_000).default(''),
  /** Where what Treadle would have written stands beside what a person changed. */
  beside: z.array(z.string().max(500)).max(10),
  generatedAt: Instant,
  approvedAt: Instant.nullable(),
  approvedBy: z.string().max(200).nullable(),
})
export type Specification = z.infer<typeof Specification>

/** A specification as it is shown. */
export const SpecificationView = Specification.extend({
  /** A model is at work on the next revision, which comes by itself. */
  waiting: z.boolean(),
  /** Why what it has written is not there yet; null: nothing is in the way. */
  waitingWhy: z.string().max(2_000).nullable(),
  /** Why nobody is at the next revision yet; null: somebody is, or can be. */
  waitingFor: WaitingFor.nullable(),
})
export type SpecificationView = z.infer<typeof SpecificationView>
