import { Conflict } from '@treadle/contracts/conflict'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Conflicts, NewConflict } from '@treadle/flow/ports/conflicts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import {
  bigint,
  filled,
  instant,
  integer,
  json,
  nullable,
  type Row,
  type Rows,
  text,
} from '../driver/tables.ts'
import { migration006 } from '../migrations/006-conflicts.ts'
import type { ItemTables } from './items/item-row.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
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
} as const
type Tables = typeof tables & ItemTables

export const conflicts = {
  name: 'conflicts',
  tables,
  migrations: [migration006],
  create: ({ database }: StoreParts<Tables>) => createConflicts(database),
} as const satisfies StoreModule

function createConflicts({ sql: db }: Database<Tables>): Conflicts {
  const all = () =>
    db
      .selectFrom('conflicts')
      .innerJoin('items', (on) =>
        on
          .onRef('items.project_number', '=', 'conflicts.project_number')
          .onRef('items.number', '=', 'conflicts.item_number'),
      )
      .selectAll('conflicts')
      .select('items.title')
  return {
    open: async (conflict, at) => {
      await openConflict(db, conflict, at)
    },
    resolving: async (ref) => {
      await db.updateTable('conflicts').set({ status: 'resolving' }).where(isOpen(ref)).execute()
    },
    close: async (ref, how, at) => {
      await db
        .updateTable('conflicts')
        .set({ status: 'resolved', how: storableText(how), resolved_at: at })
        .where(isOpen(ref))
        .execute()
    },
    find: async (id) => {
      const row = await all().where('conflicts.id', '=', String(id)).executeTakeFirst()
      return row === undefined ? null : toConflict(row)
    },
    list: async ({ status, limit }) => {
      let query = all().orderBy('conflicts.id', 'desc').limit(limit)
      if (status !== undefined) query = query.where('conflicts.status', '=', status)
      return (await query.execute()).map(toConflict)
    },
    pending: async () => {
      const { count } = await db
        .selectFrom('conflicts')
        .select(sql<string>`count(*)`.as('count'))
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

/** The item's row is locked by whoever opens a conflict of it, so there is never a second one. */
async function openConflict(db: Sql<Tables>, conflict: NewConflict, at: Date): Promise<void> {
  const facts = {
    branch: storableText(conflict.branch),
    head_commit: conflict.head,
    files: storableJson(conflict.files),
    status: 'pending',
    why: storableText(conflict.why),
  }
  const { numUpdatedRows } = await db
    .updateTable('conflicts')
    .set(facts)
    .where(isOpen(conflict.item))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await db
    .insertInto('conflicts')
    .values({
      ...facts,
      project_number: conflict.item.projectNumber,
      item_number: conflict.item.number,
      how: null,
      created_at: at,
      resolved_at: null,
    })
    .execute()
}

function isOpen(ref: ItemRef) {
  return (on: ExpressionBuilder<Rows<Tables>, 'conflicts'>) =>
    on.and([
      on('project_number', '=', ref.projectNumber),
      on('item_number', '=', ref.number),
      on('status', '<>', 'resolved'),
    ])
}

function toConflict(row: Row<Tables['conflicts']> & { readonly title: string }): Conflict {
  return Conflict.parse({
    id: Number(row.id),
    projectNumber: row.project_number,
    issueNumber: row.item_number,
    issueTitle: row.title,
    branchName: row.branch,
    headCommit: row.head_commit,
    conflictingFiles: row.files,
    status: row.status,
    why: row.why,
    createdAt: row.created_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    how: row.how,
  } satisfies Record<keyof Conflict, unknown>)
}
