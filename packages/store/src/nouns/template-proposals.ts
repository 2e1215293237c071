import type { TemplateProposal, TemplateProposals } from '@treadle/flow/ports/planning-retrospectives'
import type { Database } from '../driver/database.ts'
import { storableText } from '../driver/storable.ts'
import { instant, nullable, type Row, text, uuid } from '../driver/tables.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  template_proposals: {
    workspace: text,
    key: text,
    path: text,
    status: text,
    question_id: uuid,
    before_text: text,
    after_text: text,
    why: nullable(text),
    asked_at: instant,
    decided_at: nullable(instant),
  },
} as const
type Tables = typeof tables

export const templateProposals = {
  name: 'templateProposals',
  tables,
  migrations: [],
  create: ({ database }: StoreParts<Tables>) => createTemplateProposals(database),
} as const satisfies StoreModule

function createTemplateProposals({ sql: db }: Database<Tables>): TemplateProposals {
  const of = (workspace: string) =>
    db.selectFrom('template_proposals').selectAll().where('workspace', '=', workspace)
  return {
    find: async (workspace, key) => {
      const row = await of(workspace).where('key', '=', key).executeTakeFirst()
      return row === undefined ? null : toProposal(row)
    },
    ask: async (workspace, { key, path, questionId, before, after }, at) => {
      const asked = {
        path: storableText(path),
        status: 'asked',
        question_id: questionId,
        before_text: storableText(before),
        after_text: storableText(after),
        asked_at: at,
      }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('template_proposals')
        .values({ workspace, key, ...asked, why: null, decided_at: null })
        .onConflict((on) =>
          on
            .columns(['workspace', 'key'])
            .doUpdateSet(asked)
            .where('template_proposals.status', '=', 'asked'),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    asked: async (workspace, limit) =>
      (await of(workspace).where('status', '=', 'asked').orderBy('asked_at').limit(limit).execute()).map(
        toProposal,
      ),
    settle: async (workspace, key, { status, why, at }) => {
      const { numUpdatedRows } = await db
        .updateTable('template_proposals')
        .set({ status, why: why === null ? null : storableText(why), decided_at: at })
        .where('workspace', '=', workspace)
        .where('key', '=', key)
        .where('status', '=', 'asked')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

function toProposal(row: Row<Tables['template_proposals']>): TemplateProposal {
  return {
    key: row.key,
    path: row.path,
    status: row.status as TemplateProposal['status'],
    questionId: row.question_id,
    before: row.before_text,
    after: row.after_text,
    why: row.why,
  }
}
