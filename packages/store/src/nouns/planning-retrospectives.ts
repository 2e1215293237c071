import { type Planning, PlanningRetrospective } from '@treadle/contracts/planning-retrospective'
import type { PlanningRetrospectives } from '@treadle/flow/ports/planning-retrospectives'
import { sql } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableJson } from '../driver/storable.ts'
import { instant, integer, json, text } from '../driver/tables.ts'
import { migration041 } from '../migrations/041-planning-retrospectives.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  planning_retrospectives: {
    subject: text,
    slug: text,
    /** 0 of an idea, which has one only; of a build which of its ends. */
    revision: integer,
    reviewed_at: instant,
    body: json,
  },
} as const
type Tables = typeof tables

export const planningRetrospectives = {
  name: 'planningRetrospectives',
  tables,
  migrations: [migration041],
  create: ({ database }: StoreParts<Tables>) => createPlanningRetrospectives(database),
} as const satisfies StoreModule

function createPlanningRetrospectives({ sql: db }: Database<Tables>): PlanningRetrospectives {
  const all = () => db.selectFrom('planning_retrospectives').select('body')
  return {
    add: async (made) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('planning_retrospectives')
        .values({
          subject: made.is,
          slug: made.slug,
          revision: revisionOf(made),
          reviewed_at: new Date(made.reviewedAt),
          body: storableJson(made),
        })
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    find: async (planning) =>
      first(
        await all()
          .where('subject', '=', planning.is)
          .where('slug', '=', planning.slug)
          .where('revision', '=', revisionOf(planning))
          .execute(),
      ),
    latest: async (is, slug) =>
      first(
        await all()
          .where('subject', '=', is)
          .where('slug', '=', slug)
          .orderBy('revision', 'desc')
          .limit(1)
          .execute(),
      ),
    list: async ({ is, limit }) => {
      let query = all()
        .where(
          sql<boolean>`revision = (select max(other.revision) from planning_retrospectives other
            where other.subject = planning_retrospectives.subject and other.slug = planning_retrospectives.slug)`,
        )
        .orderBy('reviewed_at', 'desc')
        .orderBy('subject')
        .orderBy('slug')
        .limit(limit)
      if (is !== undefined) query = query.where('subject', '=', is)
      return (await query.execute()).map(({ body }) => PlanningRetrospective.parse(body))
    },
  }
}

function revisionOf(planning: Planning | PlanningRetrospective): number {
  if (planning.is === 'idea') return 0
  return planning.is === 'spec' ? planning.revision : planning.look
}

function first(rows: readonly { body: unknown }[]): PlanningRetrospective | null {
  const [row] = rows
  return row === undefined ? null : PlanningRetrospective.parse(row.body)
}
