import { Preference } from '@treadle/contracts/question'
import type { Preferences } from '@treadle/flow/ports/questions'
import { sql } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { bigint, filled, instant, integer, json, nullable, type Row, text } from '../driver/tables.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
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
} as const
type Tables = typeof tables

export const preferences = {
  name: 'preferences',
  tables,
  migrations: [],
  create: ({ database }: StoreParts<Tables>) => createPreferences(database),
} as const satisfies StoreModule

function createPreferences({ sql: db }: Database<Tables>): Preferences {
  const all = () => db.selectFrom('preferences').selectAll()
  return {
    find: async (key) => {
      const row = await all().where('key', '=', storableText(key)).executeTakeFirst()
      return row === undefined ? null : toPreference(row)
    },
    learn: async ({ key, agent, event, tags, text, answer, option, by }, at) => {
      const learned = {
        agent: storableText(agent),
        event,
        tags: storableJson(tags),
        question: storableText(text),
        answer: storableText(answer),
        option: option === null ? null : storableText(option),
        by: storableText(by),
        learned_at: at,
      }
      const row = await db
        .insertInto('preferences')
        .values({ ...learned, key: storableText(key), used: 0, used_at: null })
        .onConflict((on) => on.column('key').doUpdateSet(learned))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPreference(row)
    },
    used: async (id, at) => {
      await db
        .updateTable('preferences')
        .set({ used: sql`used + 1`, used_at: at })
        .where('id', '=', String(id))
        .execute()
    },
    list: async (limit) => (await all().orderBy('id', 'desc').limit(limit).execute()).map(toPreference),
    forget: async (id) => {
      const { numDeletedRows } = await db
        .deleteFrom('preferences')
        .where('id', '=', String(id))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function toPreference(row: Row<Tables['preferences']>): Preference {
  return Preference.parse({
    id: Number(row.id),
    agent: row.agent,
    event: row.event,
    tags: row.tags,
    text: row.question,
    answer: row.answer,
    option: row.option,
    by: row.by,
    learnedAt: row.learned_at.toISOString(),
    used: row.used,
    usedAt: row.used_at?.toISOString() ?? null,
  } satisfies Record<keyof Preference, unknown>)
}
