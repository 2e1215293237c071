import { Agent, Heartbeat } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import { Fault } from '@treadle/flow/fault'
import type { AgentPatch, AgentRow, Agents } from '@treadle/flow/ports/agents'
import { sql, type Updateable } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import {
  bigint,
  filled,
  instant,
  integer,
  json,
  nullable,
  type Row,
  type Rows,
  real,
  text,
} from '../../driver/tables.ts'
import { migration004 } from '../../migrations/004-agents.ts'
import { AGENT_WORKSPACES, migration017 } from '../../migrations/017-agent-workspaces.ts'
import { wantedHint } from '../items/queue-hints.ts'
import type { StoreModule, StoreParts } from '../module.ts'

const tables = {
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
} as const
type Tables = typeof tables

export const agents = {
  name: 'agents',
  tables,
  migrations: [migration004, migration017],
  arrival: { after: [AGENT_WORKSPACES] },
  create: ({ database, hints }: StoreParts<Tables>) => createAgents(database, hints),
} as const satisfies StoreModule

const HEARTBEATS_KEPT = 10
const AgentRowSchema = Agent.omit({ health: true, substate: true })

type Held = Row<Tables['agents']> & {
  held_project: number | null
  held_number: number | null
  held_run: string | null
  held_run_status: string | null
}

function createAgents(database: Database<Tables>, channel: string): Agents {
  const { sql: db } = database
  const change = async (id: AgentId, columns: Updateable<Rows<Tables>['agents']>): Promise<void> => {
    const { numUpdatedRows } = await db
      .updateTable('agents')
      .set(columns)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Fault('store_agent', `there is no agent ${id}`)
  }
  return {
    ensure: async (id, at) => {
      const [known] = await read(db, id)
      if (known !== undefined) return known
      await ensure(db, id, at)
      const [made] = await read(db, id)
      if (made === undefined) throw new Fault('store_agent', `agent ${id} was not made`)
      return made
    },
    find: async (id) => (await read(db, id))[0] ?? null,
    list: () => read(db, null),
    patch: async (id, patch) => {
      const columns = toColumns(patch)
      if (Object.keys(columns).length > 0) await change(id, columns)
      if (patch.wanted !== undefined) await wantedHint(channel, id).execute(db)
    },
    moveStatus: async (id, from, to) => {
      const { numUpdatedRows } = await db
        .updateTable('agents')
        .set({ status: to })
        .where('id', '=', id)
        .where('status', '=', from.status)
        .where('wanted', '=', from.wanted)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    beat: async (id, beat, at, ofPid) => {
      const values = beatValues({ id, beat, at, ofPid })
      const { rows } = await database.execute(BEAT, values)
      if (rows.length === 1 || ofPid !== undefined) return
      await ensure(db, id, at)
      await database.execute(BEAT, values)
    },
    beats: async (id) => {
      const rows = await db
        .selectFrom('heartbeats')
        .select('beat')
        .where('agent_id', '=', id)
        .orderBy('id', 'desc')
        .limit(HEARTBEATS_KEPT)
        .execute()
      // One that an earlier version wrote may lack what is now said; it is gone within ten beats.
      return rows.flatMap(({ beat }) => Heartbeat.safeParse(beat).data ?? [])
    },
    restartsSince: async (id, since) => {
      const { count } = await db
        .selectFrom('agent_restarts')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('agent_id', '=', id)
        .where('at', '>=', since)
        .executeTakeFirstOrThrow()
      return count
    },
    countRestart: (id, at) =>
      database.tx(async () => {
        await ensure(db, id, at)
        await db.insertInto('agent_restarts').values({ agent_id: id, at }).execute()
        await sql`update agents set restarts = restarts + 1 where id = ${id}`.execute(db)
      }),
    forgiveRestarts: async (id) => {
      await db.deleteFrom('agent_restarts').where('agent_id', '=', id).execute()
    },
  }
}

async function ensure(db: Sql<Tables>, id: AgentId, at: Date): Promise<void> {
  await db
    .insertInto('agents')
    .values({
      id,
      status: 'stopped',
      wanted: 'stopped',
      pid: null,
      engine: null,
      phase: null,
      tasks_completed: 0,
      error_count: 0,
      last_error: null,
      memory_mb: null,
      cpu_percent: null,
      restarts: 0,
      started_at: null,
      last_heartbeat_at: null,
      created_at: at,
      pid_started: null,
      workspace_id: null,
      workspace_words: null,
      frozen_at: null,
      metrics_since: null,
    })
    .onConflict((on) => on.column('id').doNothing())
    .execute()
}

/** An agent's claim is written on the item; here it is only looked up. */
async function read(db: Sql<Tables>, id: AgentId | null): Promise<AgentRow[]> {
  const { rows } = await sql<Held>`
    select agents.*, held.project_number as held_project, held.number as held_number,
      held.run_id as held_run, runs.status as held_run_status
    from agents left join lateral (
      select project_number, number, run_id from items where claimed_by_agent_id = agents.id
      order by claimed_at, number limit 1
    ) held on true
    left join runs on runs.id = held.run_id
    where ${id}::text is null or agents.id = ${id}
    order by length(agents.id), agents.id`.execute(db)
  return rows.map(toAgent)
}

/** A beat is taken over and kept, or nothing of it. What the delete sees does not have the new one yet. */
const BEAT = `
  with heard as (
    update agents set engine = $4, phase = $5, tasks_completed = $6, error_count = $7, memory_mb = $8,
      cpu_percent = $9, last_heartbeat_at = $2::timestamptz, last_error = coalesce($10::text, last_error)
    where id = $1::text and ($11::integer is null or pid = $11)
    returning id
  ), kept as (
    insert into heartbeats (agent_id, at, beat) select id, $2::timestamptz, $3::jsonb from heard
  ), forgotten as (
    delete from heartbeats where agent_id in (select id from heard) and id not in (
      select id from heartbeats where agent_id = $1 order by id desc limit ${HEARTBEATS_KEPT - 1}
    )
  )
  select id from heard`

interface KeptBeat {
  readonly id: AgentId
  readonly beat: Heartbeat
  readonly at: Date
  readonly ofPid: number | undefined
}

/** A restarted agent knows of no error; what stopped its predecessor stays on record. */
function beatValues({ id, beat, at, ofPid }: KeptBeat): unknown[] {
  return [
    id,
    at.toISOString(),
    storableJson(beat),
    beat.engine,
    beat.phase,
    beat.tasksCompleted,
    beat.errorCount,
    beat.memoryUsage,
    beat.cpuUsage,
    beat.lastError === null ? null : storableText(beat.lastError),
    ofPid ?? null,
  ]
}

function toAgent(row: Held): AgentRow {
  return AgentRowSchema.parse({
    id: row.id,
    status: row.status,
    wanted: row.wanted,
    pid: row.pid,
    pidStarted: row.pid_started,
    workspace: row.workspace_id === null ? null : { id: row.workspace_id, words: row.workspace_words ?? '' },
    frozenAt: row.frozen_at?.toISOString() ?? null,
    engine: row.engine,
    item:
      row.held_project === null || row.held_number === null
        ? null
        : { projectNumber: row.held_project, number: row.held_number },
    runId: row.held_run,
    runStatus: row.held_run_status ?? 'idle',
    phase: row.phase,
    tasksCompleted: row.tasks_completed,
    errorCount: row.error_count,
    lastError: row.last_error,
    memoryMb: row.memory_mb,
    cpuPercent: row.cpu_percent,
    restarts: row.restarts,
    startedAt: row.started_at?.toISOString() ?? null,
    lastHeartbeatAt: row.last_heartbeat_at?.toISOString() ?? null,
    metricsSince: row.metrics_since?.toISOString() ?? null,
  } satisfies Record<keyof AgentRow, unknown>)
}

function toColumns(patch: AgentPatch): Updateable<Rows<Tables>['agents']> {
  const columns: Updateable<Rows<Tables>['agents']> = {}
  if (patch.status !== undefined) columns.status = patch.status
  if (patch.wanted !== undefined) columns.wanted = patch.wanted
  if (patch.pid !== undefined) columns.pid = patch.pid
  if (patch.pidStarted !== undefined) columns.pid_started = patch.pidStarted
  if (patch.workspace !== undefined) Object.assign(columns, workspaceColumns(patch.workspace))
  if (patch.frozenAt !== undefined) columns.frozen_at = patch.frozenAt
  if (patch.phase !== undefined) columns.phase = patch.phase
  if (patch.lastError !== undefined)
    columns.last_error = patch.lastError === null ? null : storableText(patch.lastError)
  if (patch.errorCount !== undefined) columns.error_count = patch.errorCount
  if (patch.tasksCompleted !== undefined) columns.tasks_completed = patch.tasksCompleted
  if (patch.metricsSince !== undefined) columns.metrics_since = patch.metricsSince
  if (patch.restarts !== undefined) columns.restarts = patch.restarts
  if (patch.startedAt !== undefined) columns.started_at = patch.startedAt
  return columns
}

function workspaceColumns(workspace: AgentRow['workspace']): Updateable<Rows<Tables>['agents']> {
  if (workspace === null) return { workspace_id: null, workspace_words: null }
  return { workspace_id: storableText(workspace.id), workspace_words: storableText(workspace.words) }
}
