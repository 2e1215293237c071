// An item as a row: its columns, read and written.
import { Item, type ItemPlan, type ItemState, statusOf } from '@treadle/contracts/item'
import { storableJson, storableText } from '../../driver/storable.ts'
import {
  filled,
  flag,
  instant,
  integer,
  type JsonRow,
  json,
  nullable,
  type Row,
  real,
  text,
  uuid,
} from '../../driver/tables.ts'

export const itemTables = {
  projects: { number: integer, last_item_number: integer },
  items: {
    project_number: integer,
    number: integer,
    title: text,
    body: text,
    labels: json,
    priority: nullable(integer),
    acceptance: json,
    test_command: nullable(text),
    state: text,
    needs_human: flag,
    needs_rework: flag,
    attempts: integer,
    review_cycles: integer,
    reminders: integer,
    claimed_by_agent_id: nullable(text),
    claimed_at: nullable(instant),
    fence: integer,
    run_id: nullable(uuid),
    branch: nullable(text),
    head_commit: nullable(text),
    merge_commit: nullable(text),
    approval: nullable(json),
    confidence: nullable(json),
    reason: nullable(text),
    deadline_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
    may_change_tests: filled(flag),
    assigned_agent_id: nullable(text),
    engine: nullable(text),
    sent_back_by: nullable(text),
    evidence: nullable(json),
    measure: nullable(json),
    reverts: nullable(json),
    starts_anew: filled(flag),
    model: nullable(text),
    effort: nullable(text),
    parent: nullable(integer),
    depends_on: filled(json),
    files: filled(json),
    phase: nullable(text),
    estimate_hours: nullable(real),
    source: filled(text),
    rank: nullable(real),
    spec_task: nullable(json),
    target: nullable(text),
    build: nullable(uuid),
    owner: nullable(text),
    requires_coordination: filled(flag),
  },
} as const
export type ItemTables = typeof itemTables

type Instants = Pick<Item, 'claimedAt' | 'deadlineAt' | 'createdAt' | 'updatedAt'>

export function toItem(row: Row<ItemTables['items']>): Item {
  return itemOf(row, {
    claimedAt: row.claimed_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  })
}

export function itemFromJson(row: JsonRow<ItemTables['items']>): Item {
  return itemOf(row, {
    claimedAt: row.claimed_at === null ? null : isoOf(row.claimed_at),
    deadlineAt: row.deadline_at === null ? null : isoOf(row.deadline_at),
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
  })
}

const MILLISECONDS = /^[\d-]+T[\d:]+\.\d{3}(?=\+00:00$)/

/** As the server prints an instant; to read and print it again is a tenth of a claim. */
function isoOf(text: string): string {
  const plain = MILLISECONDS.exec(text)
  return plain === null ? new Date(text).toISOString() : `${plain[0]}Z`
}

function itemOf(row: Row<ItemTables['items']> | JsonRow<ItemTables['items']>, instants: Instants): Item {
  return Item.parse({
    projectNumber: row.project_number,
    number: row.number,
    title: row.title,
    body: row.body,
    labels: row.labels,
    priority: row.priority,
    rank: row.rank ?? row.number,
    acceptance: row.acceptance,
    testCommand: row.test_command,
    measure: row.measure,
    mayChangeTests: row.may_change_tests,
    reverts: row.reverts,
    engine: row.engine,
    model: row.model,
    effort: row.effort,
    parent: row.parent,
    dependsOn: row.depends_on,
    // Who reads an item for people looks for these.
    blockedBy: [],
    files: row.files,
    phase: row.phase,
    estimateHours: row.estimate_hours,
    source: row.source,
    specTask: row.spec_task,
    build: row.build,
    owner: row.owner,
    requiresCoordination: row.requires_coordination,
    clearance: null,
    target: row.target,
    state: row.state,
    // A state that is none fails with the line above.
    status: statusOf(row.state as ItemState),
    needsHuman: row.needs_human,
    needsRework: row.needs_rework,
    sentBackBy: row.sent_back_by,
    startsAnew: row.starts_anew,
    attempts: row.attempts,
    reviewCycles: row.review_cycles,
    reminders: row.reminders,
    claimedByAgentId: row.claimed_by_agent_id,
    assignedAgentId: row.assigned_agent_id,
    claimedAt: instants.claimedAt,
    fence: row.fence,
    runId: row.run_id,
    branch: row.branch,
    headCommit: row.head_commit,
    mergeCommit: row.merge_commit,
    approval: row.approval,
    confidence: row.confidence,
    evidence: row.evidence,
    reason: row.reason,
    deadlineAt: instants.deadlineAt,
    createdAt: instants.createdAt,
    updatedAt: instants.updatedAt,
  } satisfies Record<keyof Item, unknown>)
}

/** The columns of what an item has to do with others. */
export function planColumns({ parent, dependsOn, files, phase, estimateHours }: ItemPlan) {
  return {
    parent,
    depends_on: storableJson(dependsOn),
    files: storableJson(files),
    phase: phase === null ? null : storableText(phase),
    estimate_hours: estimateHours,
  }
}

/** All but the key; the status is not stored, it follows from the state. */
export function toColumns(item: Item) {
  return {
    title: storableText(item.title),
    body: storableText(item.body),
    labels: storableJson(item.labels),
    priority: item.priority,
    rank: item.rank,
    acceptance: storableJson(item.acceptance),
    test_command: item.testCommand === null ? null : storableText(item.testCommand),
    measure: item.measure === null ? null : storableJson(item.measure),
    may_change_tests: item.mayChangeTests,
    reverts: item.reverts === null ? null : storableJson(item.reverts),
    engine: item.engine === null ? null : storableText(item.engine),
    model: item.model === null ? null : storableText(item.model),
    effort: item.effort,
    ...planColumns(item),
    source: item.source,
    spec_task: item.specTask === null ? null : storableJson(item.specTask),
    target: item.target,
    build: item.build,
    owner: item.owner === null ? null : storableText(item.owner),
    requires_coordination: item.requiresCoordination,
    state: item.state,
    needs_human: item.needsHuman,
    needs_rework: item.needsRework,
    sent_back_by: item.sentBackBy,
    starts_anew: item.startsAnew,
    attempts: item.attempts,
    review_cycles: item.reviewCycles,
    reminders: item.reminders,
    claimed_by_agent_id: item.claimedByAgentId,
    assigned_agent_id: item.assignedAgentId,
    claimed_at: dateOrNull(item.claimedAt),
    fence: item.fence,
    run_id: item.runId,
    branch: item.branch,
    head_commit: item.headCommit,
    merge_commit: item.mergeCommit,
    approval: item.approval === null ? null : storableJson(item.approval),
    confidence: item.confidence === null ? null : storableJson(item.confidence),
    evidence: item.evidence === null ? null : storableJson(item.evidence),
    reason: item.reason === null ? null : storableText(item.reason),
    deadline_at: dateOrNull(item.deadlineAt),
    created_at: new Date(item.createdAt),
    updated_at: new Date(item.updatedAt),
  }
}

function dateOrNull(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant)
}
