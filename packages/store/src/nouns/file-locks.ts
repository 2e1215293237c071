// Files that agents have for items of a build, and who waits for whom.
import type { ItemRef } from '@treadle/contracts/ids'
import { FileLock, LockWait } from '@treadle/contracts/lock'
import type { FileLocks, ItemFiles } from '@treadle/flow/ports/file-locks'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableText } from '../driver/storable.ts'
import { instant, integer, type Row, type Rows, text, uuid } from '../driver/tables.ts'
import { migration050 } from '../migrations/050-file-locks.ts'
import type { ItemTables } from './items/item-row.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  file_locks: {
    build: uuid,
    file: text,
    project_number: integer,
    item_number: integer,
    locked_by: text,
    locked_at: instant,
    expires_at: instant,
  },
  wait_edges: {
    project_number: integer,
    waiter: integer,
    waiting_for: integer,
    file: text,
    since: instant,
  },
} as const
type Tables = typeof tables & ItemTables

export const fileLocks = {
  name: 'fileLocks',
  tables,
  migrations: [migration050],
  create: ({ database, schema }: StoreParts<Tables>) => createFileLocks(database, schema),
} as const satisfies StoreModule

function createFileLocks(database: Database<Tables>, schema: string): FileLocks {
  const { sql: db } = database
  return {
    serialise: async (build) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${schema} ${build}`}, 0))`.execute(db)
    },
    live: async (now, build) => {
      const all = db.selectFrom('file_locks').selectAll().where('expires_at', '>', now)
      const asked = build === undefined ? all : all.where('build', '=', build)
      return (await asked.orderBy('locked_at').orderBy('file').execute()).map(toLock)
    },
    take: (locks, now) => take(database, locks, now),
    keep: async (ref, expiresAt) => {
      await db.updateTable('file_locks').set({ expires_at: expiresAt }).where(isOf(ref)).execute()
    },
    beat: async (agentId, until) => {
      await database.execute(BEAT, [agentId, until])
    },
    release: async (ref) => {
      await db.deleteFrom('file_locks').where(isOf(ref)).execute()
    },
    ...createWaits(database),
    filesAtWork: async (limit) => {
      const { rows } = await database.execute(AT_WORK, [limit])
      return rows as ItemFiles[]
    },
  }
}

function createWaits({ sql: db }: Database<Tables>): Pick<FileLocks, 'wait' | 'stopWaiting' | 'waits'> {
  return {
    wait: async (ref, { file, item }, since) => {
      await db
        .insertInto('wait_edges')
        .values({
          project_number: ref.projectNumber,
          waiter: ref.number,
          waiting_for: item.number,
          file: storableText(file),
          since,
        })
        // For another file of the same item it waits anew.
        .onConflict((on) =>
          on
            .columns(['project_number', 'waiter', 'waiting_for'])
            .doUpdateSet({ file: storableText(file), since })
            .where('wait_edges.file', '<>', storableText(file)),
        )
        .execute()
    },
    stopWaiting: async ({ projectNumber, number }) => {
      const [waited] = await db
        .deleteFrom('wait_edges')
        .where('project_number', '=', projectNumber)
        .where('waiter', '=', number)
        .returning('file')
        .execute()
      return waited?.file ?? null
    },
    waits: async (now) => {
      const edges = await db
        .selectFrom('wait_edges')
        .selectAll('wait_edges')
        .where((on) =>
          on.exists(
            on
              .selectFrom('file_locks')
              .select('file_locks.file')
              .whereRef('file_locks.project_number', '=', 'wait_edges.project_number')
              .whereRef('file_locks.item_number', '=', 'wait_edges.waiting_for')
              .whereRef('file_locks.file', '=', 'wait_edges.file')
              .where('expires_at', '>', now),
          ),
        )
        .orderBy('since')
        .orderBy('waiter')
        .orderBy('waiting_for')
        .execute()
      return edges.map(toWait)
    },
  }
}

/** A lock that has expired is in nobody's way, and an item has only those of its newest claim. */
async function take(
  { sql: db }: Database<Tables>,
  locks: Parameters<FileLocks['take']>[0],
  now: Date,
): Promise<void> {
  const [first] = locks
  if (first === undefined) return
  const isOver = (on: ExpressionBuilder<Rows<Tables>, 'file_locks'>) =>
    on.and([on('build', '=', first.build), on('expires_at', '<=', now)])
  await db.deleteFrom('file_locks').where(isOver).execute()
  await db
    .insertInto('file_locks')
    .values(
      locks.map(({ build, file, item, lockedBy, lockedAt, expiresAt }) => ({
        build,
        file: storableText(file),
        project_number: item.projectNumber,
        item_number: item.number,
        locked_by: lockedBy,
        locked_at: new Date(lockedAt),
        expires_at: new Date(expiresAt),
      })),
    )
    .execute()
}

/** Only what it is at work on; what it has delivered waits for others. */
const BEAT = `
  update file_locks set expires_at = $2
  from items
  where file_locks.locked_by = $1 and file_locks.expires_at < $2
    and items.project_number = file_locks.project_number and items.number = file_locks.item_number
    and items.claimed_by_agent_id = file_locks.locked_by`

const AT_WORK = `
  select project_number as "projectNumber", number, files from items
  where state in ('claimed', 'building', 'verifying', 'improving', 'in_review', 'merging')
    and files <> '[]'::jsonb
  order by updated_at desc, number limit $1`

function isOf({ projectNumber, number }: ItemRef) {
  return (on: ExpressionBuilder<Rows<Tables>, 'file_locks'>) =>
    on.and([on('project_number', '=', projectNumber), on('item_number', '=', number)])
}

function toLock(row: Row<Tables['file_locks']>): FileLock {
  return FileLock.parse({
    build: row.build,
    file: row.file,
    item: { projectNumber: row.project_number, number: row.item_number },
    lockedBy: row.locked_by,
    lockedAt: row.locked_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  } satisfies Record<keyof FileLock, unknown>)
}

function toWait(row: Row<Tables['wait_edges']>): LockWait {
  const { project_number: project } = row
  return LockWait.parse({
    waiter: `${project}/${row.waiter}`,
    waitingFor: `${project}/${row.waiting_for}`,
    file: row.file,
    since: row.since.toISOString(),
  } satisfies Record<keyof LockWait, unknown>)
}
