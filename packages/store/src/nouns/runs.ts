import type { ItemRef } from '@treadle/contracts/ids'
import { Run } from '@treadle/contracts/run'
import { Fault } from '@treadle/flow/fault'
import type { NewRun, RunPatch, Runs } from '@treadle/flow/ports/runs'
import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { instant, integer, json, nullable, type Row, type Rows, text, uuid } from '../driver/tables.ts'
import { FLAKY_TESTS, migration019 } from '../migrations/019-what-words-told.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
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
} as const
type Tables = typeof tables

export const runs = {
  name: 'runs',
  tables,
  migrations: [migration019],
  arrival: { after: [FLAKY_TESTS] },
  create: ({ database }: StoreParts<Tables>) => createRuns(database),
} as const satisfies StoreModule

function createRuns({ sql: db }: Database<Tables>): Runs {
  const all = () => db.selectFrom('runs').selectAll()
  const ofItem = (ref: ItemRef) =>
    all().where('project_number', '=', ref.projectNumber).where('item_number', '=', ref.number)
  return {
    add: async (run) =>
      toRun(await db.insertInto('runs').values(newRun(run)).returningAll().executeTakeFirstOrThrow()),
    find: async (id) => runOrNull(await all().where('id', '=', id).executeTakeFirst()),
    lock: async (id) => runOrNull(await all().where('id', '=', id).forUpdate().executeTakeFirst()),
    patch: async (id, patch) => {
      const columns = toColumns(patch)
      if (Object.keys(columns).length === 0) return
      const { numUpdatedRows } = await db
        .updateTable('runs')
        .set(columns)
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new Fault('store_run', `there is no run ${id} to change`)
    },
    ofItem: async (ref, limit) =>
      (await ofItem(ref).orderBy('started_at', 'desc').orderBy('fence', 'desc').limit(limit).execute()).map(
        toRun,
      ),
  }
}

/** The fields that are the same in every run that begins. */
export const BLANK_RUN = {
  parent_run_id: null,
  kind: 'item',
  status: 'loading',
  phase: null,
  iteration: 0,
  outcome: null,
  base: null,
  baseline: '[]',
  history: '[]',
  gates: '[]',
  usage: '[]',
  ended_at: null,
} as const satisfies Partial<Insertable<Rows<Tables>['runs']>>

function newRun(run: NewRun): Insertable<Rows<Tables>['runs']> {
  return {
    ...BLANK_RUN,
    id: run.id,
    project_number: run.item.projectNumber,
    item_number: run.item.number,
    agent_id: run.agentId,
    fence: run.fence,
    started_at: run.at,
  }
}

function runOrNull(row: Row<Tables['runs']> | undefined): Run | null {
  return row === undefined ? null : toRun(row)
}

function toRun(row: Row<Tables['runs']>): Run {
  return Run.parse({
    id: row.id,
    parentRunId: row.parent_run_id,
    kind: row.kind,
    item: { projectNumber: row.project_number, number: row.item_number },
    agentId: row.agent_id,
    fence: row.fence,
    status: row.status,
    phase: row.phase,
    iteration: row.iteration,
    outcome: row.outcome,
    base: row.base,
    baseline: row.baseline,
    history: row.history,
    gates: row.gates,
    usage: row.usage,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  } satisfies Record<keyof Run, unknown>)
}

function toColumns(patch: RunPatch): Updateable<Rows<Tables>['runs']> {
  const columns: Updateable<Rows<Tables>['runs']> = {}
  if (patch.status !== undefined) columns.status = patch.status
  if (patch.phase !== undefined) columns.phase = patch.phase
  if (patch.iteration !== undefined) columns.iteration = patch.iteration
  if (patch.outcome !== undefined)
    columns.outcome = patch.outcome === null ? null : storableText(patch.outcome)
  if (patch.base !== undefined) columns.base = patch.base
  if (patch.baseline !== undefined) columns.baseline = storableJson(patch.baseline)
  if (patch.history !== undefined) columns.history = storableJson(patch.history)
  if (patch.gates !== undefined) columns.gates = storableJson(patch.gates)
  if (patch.usage !== undefined) columns.usage = storableJson(patch.usage)
  if (patch.endedAt !== undefined) columns.ended_at = patch.endedAt === null ? null : new Date(patch.endedAt)
  return columns
}
