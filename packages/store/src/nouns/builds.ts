import { Build } from '@treadle/contracts/build'
import type { Builds } from '@treadle/flow/ports/builds'
import type { Database } from '../driver/database.ts'
import { storableJson } from '../driver/storable.ts'
import { instant, integer, json, nullable, text, uuid } from '../driver/tables.ts'
import { migration045 } from '../migrations/045-builds.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { inWorkspace, type StoreWorkspace } from './workspace-scope.ts'

const tables = {
  builds: {
    id: uuid,
    workspace: text,
    spec: text,
    revision: integer,
    status: text,
    started_at: instant,
    completed_at: nullable(instant),
    body: json,
  },
} as const
type Tables = typeof tables

export const builds = {
  name: 'builds',
  tables,
  migrations: [migration045],
  create: ({ database, workspace }: StoreParts<Tables>) => createBuilds(database, workspace),
} as const satisfies StoreModule

function createBuilds({ sql: db }: Database<Tables>, workspace: StoreWorkspace): Builds {
  const all = () => db.selectFrom('builds').select('body').where(inWorkspace(workspace))
  const newest = () => all().orderBy('started_at', 'desc').orderBy('id')
  const read = (rows: readonly { body: unknown }[]) => rows.map(({ body }) => Build.parse(body))
  return {
    find: async (id) => read(await all().where('id', '=', id).execute())[0] ?? null,
    lock: async (id) => read(await all().where('id', '=', id).forUpdate().execute())[0] ?? null,
    ofSpec: async (spec) => read(await newest().where('spec', '=', spec).execute()),
    list: async (limit) => read(await newest().limit(limit).execute()),
    inStatus: async (statuses, limit) =>
      statuses.length === 0
        ? []
        : read(await newest().where('status', 'in', statuses).limit(limit).execute()),
    add: async (build) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('builds')
        .values({
          ...columnsOf(build),
          id: build.id,
          workspace: workspace.id,
          spec: build.spec,
          revision: build.revision,
          started_at: new Date(build.startedAt),
        })
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    save: async (build) => {
      await db
        .updateTable('builds')
        .set(columnsOf(build))
        .where(inWorkspace(workspace))
        .where('id', '=', build.id)
        .execute()
    },
  }
}

function columnsOf(build: Build) {
  return {
    status: build.status,
    completed_at: build.completedAt === null ? null : new Date(build.completedAt),
    body: storableJson(build),
  }
}
