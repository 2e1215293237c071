import { Idea, IdeaMessage } from '@treadle/contracts/idea'
import type { Ideas, KeptIdea } from '@treadle/flow/ports/ideas'
import { sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson } from '../driver/storable.ts'
import { bigint, filled, instant, integer, json, type Row, text, uuid } from '../driver/tables.ts'
import { migration035 } from '../migrations/035-ideas.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { inWorkspace, type StoreWorkspace } from './workspace-scope.ts'

const tables = {
  ideas: {
    slug: text,
    workspace: text,
    status: text,
    body: json,
    revision: integer,
    documented: integer,
    created_at: instant,
    updated_at: instant,
  },
  idea_messages: {
    number: filled(bigint),
    id: uuid,
    slug: text,
    role: text,
    body: json,
  },
} as const
type Tables = typeof tables

export const ideas = {
  name: 'ideas',
  tables,
  migrations: [migration035],
  create: ({ database, workspace }: StoreParts<Tables>) => createIdeas(database, workspace),
} as const satisfies StoreModule

function createIdeas({ sql: db }: Database<Tables>, workspace: StoreWorkspace): Ideas {
  const own = inWorkspace(workspace)
  const all = () => db.selectFrom('ideas').selectAll().where(own)
  const one = (slug: string) => all().where('slug', '=', slug)
  return {
    add: (idea) => add(db, idea, workspace.id),
    find: async (slug) => first(await one(slug).execute()),
    lock: async (slug) => first(await one(slug).forUpdate().execute()),
    list: async ({ status, limit }) => {
      let query = all().orderBy('updated_at', 'desc').orderBy('slug').limit(limit)
      if (status !== undefined) query = query.where('status', '=', status)
      return (await query.execute()).map(toKept)
    },
    patch: async (slug, changes, at) => {
      const row = await one(slug).forUpdate().executeTakeFirst()
      if (row === undefined) return
      const idea: Idea = { ...toKept(row).idea, ...changes, updatedAt: at.toISOString() }
      await db
        .updateTable('ideas')
        .set({
          status: idea.status,
          body: storableJson(idea),
          revision: row.revision + 1,
          updated_at: at,
        })
        .where('slug', '=', slug)
        .execute()
    },
    markDocumented: async (slug, revision) => {
      await db
        .updateTable('ideas')
        .set({ documented: revision })
        .where(own)
        .where('slug', '=', slug)
        .where('documented', '<', revision)
        .execute()
    },
    undocumented: async (limit) => {
      const rows = await all()
        .where(sql<boolean>`documented < revision`)
        .where(sql<boolean>`body ->> 'candidateAt' is not null`)
        .orderBy('updated_at')
        .limit(limit)
        .execute()
      return rows.map(toKept)
    },
    ...createMessages(db),
  }
}

type Messages = Pick<Ideas, 'say' | 'ofMessage' | 'messages' | 'messageCount'>

function createMessages(db: Sql<Tables>): Messages {
  return {
    say: async (slug, message) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('idea_messages')
        .values({ id: message.id, slug, role: message.role, body: storableJson(message) })
        .onConflict((on) => on.column('id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    ofMessage: async (id) => {
      const row = await db.selectFrom('idea_messages').select('slug').where('id', '=', id).executeTakeFirst()
      return row?.slug ?? null
    },
    messages: async (slug, { limit, role }) => {
      let query = db
        .selectFrom('idea_messages')
        .select('body')
        .where('slug', '=', slug)
        .orderBy('number', 'desc')
        .limit(limit)
      if (role !== undefined) query = query.where('role', '=', role)
      return (await query.execute()).map(({ body }) => IdeaMessage.parse(body)).reverse()
    },
    messageCount: async (slug) => {
      const { many } = await db
        .selectFrom('idea_messages')
        .select(sql<number>`count(*)::int`.as('many'))
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
      return many
    },
  }
}

async function add(db: Sql<Tables>, idea: Idea, workspace: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ideas')
    .values({
      slug: idea.slug,
      workspace,
      status: idea.status,
      body: storableJson(idea),
      revision: 1,
      documented: 0,
      created_at: new Date(idea.createdAt),
      updated_at: new Date(idea.updatedAt),
    })
    .onConflict((on) => on.column('slug').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function first(rows: readonly Row<Tables['ideas']>[]): KeptIdea | null {
  const [row] = rows
  return row === undefined ? null : toKept(row)
}

function toKept({ body, revision, documented }: Row<Tables['ideas']>): KeptIdea {
  return { idea: Idea.parse(body), revision, documented }
}
