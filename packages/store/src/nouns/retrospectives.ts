import { Retrospective } from '@treadle/contracts/retrospective'
import type { Retrospectives } from '@treadle/flow/ports/retrospectives'
import { sql } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { instant, integer, json, text, uuid } from '../driver/tables.ts'
import type { LessonTables } from './lessons/rows.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  retrospectives: {
    run_id: uuid,
    project_number: integer,
    item_number: integer,
    agent_type: text,
    outcome: text,
    reviewed_at: instant,
    body: json,
  },
} as const
type Tables = typeof tables & LessonTables

export const retrospectives = {
  name: 'retrospectives',
  tables,
  migrations: [],
  create: ({ database }: StoreParts<Tables>) => createRetrospectives(database),
} as const satisfies StoreModule

function createRetrospectives({ sql: db }: Database<Tables>): Retrospectives {
  return {
    add: async (made) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('retrospectives')
        .values({
          run_id: made.runId,
          project_number: made.item.projectNumber,
          item_number: made.item.number,
          agent_type: storableText(made.agentType),
          outcome: storableText(made.outcome),
          reviewed_at: new Date(made.reviewedAt),
          body: storableJson(made),
        })
        .onConflict((on) => on.column('run_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    find: async (runId) => {
      const row = await db
        .selectFrom('retrospectives')
        .select('body')
        .where('run_id', '=', runId)
        .executeTakeFirst()
      return row === undefined ? null : Retrospective.parse(row.body)
    },
    list: async ({ agentType, outcome, limit }) => {
      let query = db
        .selectFrom('retrospectives')
        .select('body')
        .orderBy('reviewed_at', 'desc')
        .orderBy('run_id')
        .limit(limit)
      if (agentType !== undefined) query = query.where('agent_type', '=', agentType)
      if (outcome !== undefined) query = query.where('outcome', '=', outcome)
      return (await query.execute()).map(({ body }) => Retrospective.parse(body))
    },
    discoveredIn: (runId, limit) =>
      db
        .selectFrom('lessons')
        .select('id')
        .where(sql<boolean>`provenance ->> 'runId' = ${runId}`)
        .where('superseded_by', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
