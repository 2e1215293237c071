// A piece of work: what is asked for, where it stands, who holds it.
import { z } from 'zod'
import { BuildId } from './build.ts'
import { DeliveryEvidence } from './evidence-level.ts'
import { Slug } from './idea.ts'
import { AgentId, CommitId, Instant, Positive, RunId } from './ids.ts'
import { Clearance } from './lock.ts'
import { Measure } from './measure.ts'
import { Confidence } from './run.ts'
import { TaskAction, TaskId } from './specification.ts'

export const ItemState = z.enum([
  'todo',
  'backlog',
  'claimed',
  'building',
  'verifying',
  'improving',
  'in_review',
  'rework',
  'merging',
  'escalated',
  'conflicted',
  'done',
  'withdrawn',
])
export type ItemState = z.infer<typeof ItemState>

/** The coarse word that appears in API filters, session files and trackers. */
export const ItemStatus = z.enum([
  'todo',
  'backlog',
  'in_progress',
  'in_review',
  'done',
  'failed',
  'withdrawn',
])
export type ItemStatus = z.infer<typeof ItemStatus>

const STATUS_OF: Record<ItemState, ItemStatus> = {
  todo: 'todo',
  backlog: 'backlog',
  claimed: 'in_progress',
  building: 'in_progress',
  verifying: 'in_progress',
  improving: 'in_progress',
  rework: 'in_progress',
  conflicted: 'in_progress',
  in_review: 'in_review',
  merging: 'in_review',
  escalated: 'backlog',
  done: 'done',
  withdrawn: 'withdrawn',
}
export function statusOf(state: ItemState): ItemStatus {
  return STATUS_OF[state]
}

export const Criterion = z.strictObject({
  id: z.string().nullable(),
  text: z.string().min(1).max(2_000),
  status: z.enum(['pending', 'met', 'not_met']),
})
export type Criterion = z.infer<typeof Criterion>

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
const oneLine = (text: string): string => text.replace(CONTROL, ' ')

/** How hard a model thinks before it answers. */
export const Effort = z.enum(['low', 'medium', 'high'])
export type Effort = z.infer<typeof Effort>

/** Who or what an item comes from. */
export const ItemSource = z.enum(['person', 'idea', 'spec', 'sprint', 'survey', 'category', 'tracker'])
export type ItemSource = z.infer<typeof ItemSource>

/** The task that an item was made of: of which specification, in which revision. */
export const SpecTaskRef = z.strictObject({
  spec: Slug,
  revision: z.int().min(1),
  id: TaskId,
  /** What it does with its file; absent: nobody has said. */
  action: TaskAction.optional(),
  /** What the item's test command has to print besides ending with 0. */
  expected: z.string().min(1).max(500).optional(),
})
export type SpecTaskRef = z.infer<typeof SpecTaskRef>

/** What items have to do with each other and with the tree; set when one is added, and by an edit. */
export const ItemPlan = z.strictObject({
  /** The item of the same project that this one is a part of. */
  parent: Positive.nullable(),
  /** Items of the same project that must be done before this one is offered to anybody. */
  dependsOn: z
    .array(Positive)
    .max(500)
    .overwrite((numbers) => [...new Set(numbers)].sort((a, b) => a - b)),
  /** The files that it will touch, as globs. */
  files: z.array(z.string().trim().min(1).max(500)).max(200),
  /** The part of the plan that it belongs to, such as database or tests. */
  phase: z.string().overwrite(oneLine).trim().min(1).max(60).nullable(),
  estimateHours: z.number().positive().max(1_000).nullable(),
})
export type ItemPlan = z.infer<typeof ItemPlan>

/** A name that git takes for a branch, plain enough for any shell; the branches of agents and our references are not among them. */
export const TargetBranch = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*[A-Za-z0-9_-]$|^[A-Za-z0-9]$/, 'must be the name of a branch')
  .refine(
    (name) =>
      !/\.\.|\/\/|\/\.|\.lock(?:\/|$)/.test(name) &&
      !/^(?:HEAD$|refs\/|treadle\/|origin\/|agent-\d+\/)/.test(name),
    'must be the name of a branch of yours',
  )

/** Smaller is sooner; none sorts last. */
const Priority = z.int().min(0).max(1_000).nullable()

/**
 * A place among the items of one priority: before or behind all of them, or beside one, whose priority is then taken
 * as well.
 */
export const RankMove = z.string().regex(/^(?:first|last|(?:before|after):[1-9]\d{0,8})$/)
export type RankMove = z.infer<typeof RankMove>

/** What an edit may change, each only if it is named. */
export const ItemChanges = ItemPlan.extend({
  priority: Priority,
  rank: RankMove,
  /** Who is to write the code from the next claim on; null: engines.default. */
  engine: z.string().trim().min(1).max(60).nullable(),
  /** False: the owner of its files agrees. */
  requiresCoordination: z.literal(false),
}).partial()
export type ItemChanges = z.infer<typeof ItemChanges>

export const NewItem = z.strictObject({
  projectNumber: Positive.default(1),
  /** One line; what would move a terminal's cursor, colour it or turn its direction becomes a space. */
  title: z.string().overwrite(oneLine).trim().min(1).max(300),
  body: z.string().max(65_536).default(''),
  labels: z.array(z.string().min(1).max(100)).max(50).default([]),
  priority: Priority.default(null),
  acceptance: z.array(z.string().trim().min(1).max(2_000)).max(100).default([]),
  /** What must be green for this item alone; null: the whole suite of the workspace. */
  testCommand: z.string().trim().min(1).max(2_000).nullable().default(null),
  /** What shows that the work was of use where no failing test can; run on base and head by the review. */
  measure: Measure.nullable().default(null),
  /** Without it, a change that removes or weakens existing tests is not delivered. */
  mayChangeTests: z.boolean().default(false),
  /** Who is to write the code for it; null: engines.default. */
  engine: z.string().trim().min(1).max(60).nullable().default(null),
  /** The model that its engine asks; null: what engines.models says. */
  model: z.string().trim().min(1).max(200).nullable().default(null),
  /** How hard the model is to think; null: as it does by itself. */
  effort: Effort.nullable().default(null),
  status: z.enum(['todo', 'backlog']).default('todo'),
  parent: ItemPlan.shape.parent.default(null),
  dependsOn: ItemPlan.shape.dependsOn.default([]),
  files: ItemPlan.shape.files.default([]),
  phase: ItemPlan.shape.phase.default(null),
  estimateHours: ItemPlan.shape.estimateHours.default(null),
  source: ItemSource.default('person'),
  /** Of an item whose source is a specification. */
  specTask: SpecTaskRef.nullable().default(null),
  /** The branch that it is merged into; null: merge.target of the workspace. */
  target: TargetBranch.nullable().default(null),
})
export type NewItem = z.infer<typeof NewItem>

/**
 * What kept the crew's own code from making a decision: a sandbox that hides the owner's key, another user of the
 * machine, a code that somebody read and typed, or nothing.
 */
export const RestsOn = z.enum(['sandbox', 'other_user', 'code', 'nothing'])
export type RestsOn = z.infer<typeof RestsOn>

/** Who said yes to a merge: a person with the owner's key, the reviewer, or the owner's standing order. */
export const Approval = z.strictObject({
  kind: z.enum(['human', 'reviewer', 'standing_order']),
  by: z.string().min(1).max(200),
  at: Instant,
  /** Absent in what older versions recorded. */
  restsOn: RestsOn.optional(),
})
export type Approval = z.infer<typeof Approval>

/** The merge that an item takes back: of which item of its project, and the merge commit. Only an order sets it. */
export const Reverts = z.strictObject({ number: Positive, commit: CommitId })
export type Reverts = z.infer<typeof Reverts>

export const Item = z.strictObject({
  projectNumber: Positive,
  number: Positive,
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  priority: z.int().nullable(),
  /** Its place among those of one priority, smaller is sooner; its number until somebody moves it. */
  rank: z.number().default(0),
  acceptance: z.array(Criterion),
  testCommand: z.string().nullable(),
  measure: Measure.nullable().default(null),
  mayChangeTests: z.boolean(),
  reverts: Reverts.nullable().default(null),
  engine: z.string().nullable(),
  model: z.string().nullable().default(null),
  effort: Effort.nullable().default(null),
  parent: Positive.nullable().default(null),
  dependsOn: z.array(Positive).default([]),
  /** Of these, the ones that are not done; while there is one, nobody is offered the item. */
  blockedBy: z.array(Positive).default([]),
  files: z.array(z.string()).default([]),
  phase: z.string().nullable().default(null),
  estimateHours: z.number().nullable().default(null),
  source: ItemSource.default('person'),
  specTask: SpecTaskRef.nullable().default(null),
  /** The build of a specification that it belongs to: a task of it, or without specTask the delivery of the whole. */
  build: BuildId.nullable().default(null),
  /** Whose one of its files is, if it is not the crew's. */
  owner: z.string().max(200).nullable().default(null),
  /** Somebody has to speak with that owner before it is offered; a person says when that was done. */
  requiresCoordination: z.boolean().default(false),
  /** Of an item of the queue: whether it can be begun, and what keeps it. */
  clearance: Clearance.nullable().default(null),
  /** The branch that it starts from and is merged into; null: merge.target of the workspace. */
  target: z.string().nullable().default(null),
  state: ItemState,
  status: ItemStatus,
  /** A person has to act before it goes on. */
  needsHuman: z.boolean(),
  needsRework: z.boolean(),
  /** Engine attempts since the item was last claimed afresh. */
  attempts: z.int(),
  /** Who sent it back, if it is to be reworked and nothing else was found against it since. */
  sentBackBy: z.enum(['review', 'merge', 'push', 'person']).nullable().default(null),
  /** A person has decided that the next claim does not build on what was delivered. */
  startsAnew: z.boolean().default(false),
  /** How often a reviewer or the merge sent it back. */
  reviewCycles: z.int(),
  /** How often its deadline passed while it waited in the same state. */
  reminders: z.int(),
  claimedByAgentId: AgentId.nullable(),
  /** While this agent runs, nobody else is offered the item; a claim ends it. */
  assignedAgentId: AgentId.nullable(),
  claimedAt: Instant.nullable(),
  fence: z.int(),
  runId: RunId.nullable(),
  branch: z.string().nullable(),
  headCommit: CommitId.nullable(),
  mergeCommit: CommitId.nullable(),
  approval: Approval.nullable(),
  /** What the engine thinks of its change; null if it cannot tell. */
  confidence: Confidence.nullable(),
  /** How well the delivered change is proven; null until the checks of the review have run. */
  evidence: DeliveryEvidence.nullable().default(null),
  /** Why it stands where it stands, when that is not plain from the state. */
  reason: z.string().nullable(),
  deadlineAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Item = z.infer<typeof Item>

/** An item to which nothing has happened yet, but for what is given. */
export function blankItem(given: Pick<Item, 'number' | 'title' | 'createdAt'> & Partial<Item>): Item {
  const state = given.state ?? 'todo'
  return {
    projectNumber: 1,
    body: '',
    labels: [],
    priority: null,
    rank: given.number,
    acceptance: [],
    testCommand: null,
    measure: null,
    mayChangeTests: false,
    reverts: null,
    engine: null,
    model: null,
    effort: null,
    parent: null,
    dependsOn: [],
    blockedBy: [],
    files: [],
    phase: null,
    estimateHours: null,
    source: 'person',
    specTask: null,
    build: null,
    owner: null,
    requiresCoordination: false,
    clearance: null,
    target: null,
    state,
    status: statusOf(state),
    needsHuman: false,
    needsRework: false,
    sentBackBy: null,
    startsAnew: false,
    attempts: 0,
    reviewCycles: 0,
    reminders: 0,
    claimedByAgentId: null,
    assignedAgentId: null,
    claimedAt: null,
    fence: 0,
    runId: null,
    branch: null,
    headCommit: null,
    mergeCommit: null,
    approval: null,
    confidence: null,
    evidence: null,
    reason: null,
    deadlineAt: null,
    updatedAt: given.createdAt,
    ...given,
  }
}

type Queued = Pick<Item, 'priority' | 'rank' | 'number' | 'projectNumber'>

/** The order in which items of one kind are claimed: priority, none last, then rank, then age. The queue asks the same. */
export function byQueueOrder(a: Queued, b: Queued): number {
  const urgency = (a.priority ?? Number.MAX_SAFE_INTEGER) - (b.priority ?? Number.MAX_SAFE_INTEGER)
  return urgency || a.rank - b.rank || a.number - b.number || a.projectNumber - b.projectNumber
}
