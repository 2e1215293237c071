// The tables as data: the types of the queries, the drift test and the export are all made from this.
import type { ColumnType } from 'kysely'

interface Column<Read, Write = Read> {
  /** As information_schema spells it. */
  readonly sql: string
  readonly nullable: boolean
  /** The database fills it in when an insert leaves it out. */
  readonly filled: boolean
  /** Types only; never set. */
  readonly of?: { read: Read; write: Write }
}

const column = <Read, Write = Read>(sql: string): Column<Read, Write> & { filled: false } => ({
  sql,
  nullable: false,
  filled: false,
})
const nullable = <Read, Write>(of: Column<Read, Write> & { filled: false }) =>
  ({ ...of, nullable: true }) as Column<Read | null, Write | null> & { filled: false }
const filled = <Read, Write>(of: Column<Read, Write>) =>
  ({ ...of, filled: true }) as Column<Read, Write> & { filled: true }

const integer = column<number>('integer')
/** Read as text: it may exceed what a JavaScript number holds. */
const bigint = column<string, string | number>('bigint')
const real = column<number>('double precision')
const text = column<string>('text')
const flag = column<boolean>('boolean')
const uuid = column<string>('uuid')
const instant = column<Date>('timestamp with time zone')
const json = column<unknown, string>('jsonb')

const TABLES = {
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
  },
  claims: {
    project_number: integer,
    item_number: integer,
    fence: integer,
    agent_id: text,
    request_id: nullable(text),
    run_id: uuid,
    claimed_at: instant,
  },
  runs: {
    id: uuid,
    parent_run_id: nullable(uuid),
    kind: text,
    project_number: integer,
    item_number: integer,
    agent_id: text,
    fence: integer,
    status: text,
    phase: nullable(text),
    iteration: integer,
    outcome: nullable(text),
    base: nullable(text),
    baseline: json,
    history: json,
    gates: json,
    usage: json,
    started_at: instant,
    ended_at: nullable(instant),
  },
  events: {
    seq: filled(bigint),
    xid: bigint,
    subject: text,
    event_id: text,
    type: text,
    project_number: nullable(integer),
    item_number: nullable(integer),
    agent_id: nullable(text),
    run_id: nullable(uuid),
    state: nullable(text),
    payload: json,
    at: instant,
  },
  /** One row: what is added to a transaction number, so that events keep their order in another database. */
  feed: { id: flag, xid_base: bigint },
  agents: {
    id: text,
    status: text,
    wanted: text,
    pid: nullable(integer),
    engine: nullable(text),
    phase: nullable(text),
    tasks_completed: integer,
    error_count: integer,
    last_error: nullable(text),
    memory_mb: nullable(real),
    cpu_percent: nullable(real),
    restarts: integer,
    started_at: nullable(instant),
    last_heartbeat_at: nullable(instant),
    created_at: instant,
    pid_started: nullable(text),
    frozen_at: nullable(instant),
    metrics_since: nullable(instant),
    workspace_id: nullable(text),
    workspace_words: nullable(text),
  },
  heartbeats: { id: filled(bigint), agent_id: text, at: instant, beat: json },
  agent_restarts: { id: filled(bigint), agent_id: text, at: instant },
  lessons: {
    id: uuid,
    fingerprint: text,
    type: text,
    glob: nullable(text),
    action: nullable(text),
    topic: nullable(text),
    signature: nullable(text),
    confidence: real,
    provenance: json,
    payload: json,
    occurrences: integer,
    superseded_by: nullable(uuid),
    created_at: instant,
    updated_at: instant,
    content: filled(text),
    discovered_by: filled(text),
    seen_in: filled(json),
    verdict: filled(text),
    looks: filled(integer),
    superseded_at: nullable(instant),
    why: nullable(text),
    /** Rises with every write to any lesson. */
    revision: filled(integer),
    weighed: filled(flag),
  },
  lesson_uses: {
    lesson_id: uuid,
    run_id: uuid,
    stratum: text,
    nth: integer,
    given: text,
    why: nullable(text),
    attempt: integer,
    drawn: flag,
    outcome: nullable(text),
    usd: nullable(real),
    at: instant,
    settled_at: nullable(instant),
  },
  retrospectives: {
    run_id: uuid,
    project_number: integer,
    item_number: integer,
    agent_type: text,
    outcome: text,
    reviewed_at: instant,
    body: json,
  },
  improvement_metrics: { run_id: uuid, agent_id: text, metric: text, value: real, recorded_at: instant },
  promotions: {
    lesson_id: uuid,
    status: text,
    question_id: nullable(uuid),
    occurrences: integer,
    text: nullable(text),
    file: nullable(text),
    branch: nullable(text),
    commit_id: nullable(text),
    why: nullable(text),
    asked_at: instant,
    decided_at: nullable(instant),
    tries: filled(integer),
    tried_at: nullable(instant),
  },
  cost_entries: {
    id: text,
    agent_id: text,
    project_number: integer,
    item_number: nullable(integer),
    run_id: nullable(uuid),
    model: text,
    input_tokens: bigint,
    output_tokens: bigint,
    /** Millionths of a dollar. */
    micros: bigint,
    assumed: flag,
    at: instant,
  },
  cost_reservations: {
    id: text,
    agent_id: text,
    project_number: integer,
    item_number: integer,
    run_id: uuid,
    fence: integer,
    model: text,
    micros: bigint,
    at: instant,
    closed_at: nullable(instant),
    closed_as: nullable(text),
  },
  budget_crossings: {
    period: text,
    starts_at: instant,
    limit_micros: bigint,
    percent: integer,
    spent_micros: bigint,
    at: instant,
  },
  budget_stops: { id: filled(bigint), agents: json, at: instant, ended_at: nullable(instant) },
  conflicts: {
    id: filled(bigint),
    project_number: integer,
    item_number: integer,
    branch: text,
    head_commit: text,
    files: json,
    status: text,
    why: text,
    how: nullable(text),
    created_at: instant,
    resolved_at: nullable(instant),
  },
  reviews: {
    id: filled(bigint),
    project_number: integer,
    item_number: integer,
    run_id: uuid,
    cycle: integer,
    branch: text,
    head_commit: text,
    agent_id: text,
    completed_at: instant,
    status: text,
    waits_for: nullable(text),
    why: nullable(text),
    escalated_at: nullable(instant),
    claimed_by_agent_id: nullable(text),
    claimed_at: nullable(instant),
    fence: integer,
    criteria: json,
    checks: json,
    checked_at: nullable(instant),
    checked_tree: nullable(text),
    engine: nullable(text),
    answer: nullable(text),
    feedback: nullable(text),
    decided_by: nullable(text),
    decided_at: nullable(instant),
  },
  questions: {
    number: filled(bigint),
    id: uuid,
    question: json,
    session_id: text,
    event: nullable(text),
    template: nullable(text),
    subject: nullable(text),
    project_number: nullable(integer),
    item_number: nullable(integer),
    run_id: nullable(uuid),
    asked_as: nullable(text),
    key: text,
    blocking: flag,
    status: text,
    asked_at: instant,
    remind_at: nullable(instant),
    reminded_at: nullable(instant),
    due_at: nullable(instant),
    answer: nullable(json),
    answered_how: nullable(text),
  },
  preferences: {
    id: filled(bigint),
    key: text,
    agent: text,
    event: nullable(text),
    tags: json,
    question: text,
    answer: text,
    option: nullable(text),
    by: text,
    learned_at: instant,
    used: integer,
    used_at: nullable(instant),
  },
  notifications: {
    id: filled(bigint),
    type: text,
    level: text,
    title: text,
    text,
    next_steps: json,
    subject: text,
    blocking: flag,
    project_number: nullable(integer),
    item_number: nullable(integer),
    question_id: nullable(text),
    count: integer,
    created_at: instant,
    updated_at: instant,
    acknowledged_at: nullable(instant),
    acknowledged_by: nullable(text),
    resolved_at: nullable(instant),
  },
  notification_deliveries: {
    id: filled(bigint),
    notification_id: bigint,
    channel: text,
    target: text,
    status: text,
    attempts: integer,
    error: nullable(text),
    due_at: instant,
    created_at: instant,
  },
  /** How far the feed was read, and how far each address has taken up notifications. */
  notification_places: { name: text, position: text },
} as const

type Tables = typeof TABLES
type Typed<C> =
  C extends Column<infer Read, infer Write>
    ? C extends { filled: true }
      ? ColumnType<Read, Write | undefined, Write>
      : ColumnType<Read, Write, Write>
    : never
export type DB = { [T in keyof Tables]: { -readonly [C in keyof Tables[T]]: Typed<Tables[T][C]> } }
export type TableName = keyof DB
/** A row as it is read. */
export type Row<T extends TableName> = {
  [C in keyof DB[T]]: DB[T][C] extends ColumnType<infer Read, infer _I, infer _U> ? Read : never
}

/** The same out of row_to_json, where an instant is text. */
export type JsonRow<T extends TableName> = {
  [C in keyof Row<T>]: Date extends Row<T>[C] ? Exclude<Row<T>[C], Date> | string : Row<T>[C]
}

/** Parents first, so that a copy satisfies whatever refers to them. */
export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

export function columnsOf(table: TableName): [name: string, column: Column<unknown>][] {
  return Object.entries(TABLES[table])
}
