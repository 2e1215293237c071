import type { ItemRef } from '@treadle/contracts/ids'
import { QuestionRecord } from '@treadle/contracts/question'
import type { KeptQuestion, NewRecord, QuestionFilter, Questions } from '@treadle/flow/ports/questions'
import { sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import {
  bigint,
  filled,
  flag,
  instant,
  integer,
  json,
  nullable,
  type Row,
  text,
  uuid,
} from '../driver/tables.ts'
import { migration011 } from '../migrations/011-questions.ts'
import type { StoreModule, StoreParts } from './module.ts'
import type { StoreWorkspace } from './workspace-scope.ts'

const tables = {
  questions: {
    number: filled(bigint),
    id: uuid,
    question: json,
    session_id: text,
    event: nullable(text),
    template: nullable(text),
    subject: nullable(text),
    project_number: nullable(integer),
    item_number: nullable(integer),
    run_id: nullable(uuid),
    asked_as: nullable(text),
    key: text,
    blocking: flag,
    status: text,
    asked_at: instant,
    remind_at: nullable(instant),
    reminded_at: nullable(instant),
    due_at: nullable(instant),
    answer: nullable(json),
    answered_how: nullable(text),
  },
} as const
type Tables = typeof tables

export const questions = {
  name: 'questions',
  tables,
  migrations: [migration011],
  create: ({ database, workspace }: StoreParts<Tables>) => createQuestions(database, workspace),
} as const satisfies StoreModule

function createQuestions({ sql: db }: Database<Tables>, workspace: StoreWorkspace): Questions {
  const all = () => db.selectFrom('questions').selectAll()
  const one = (id: string) => all().where('id', '=', id)
  return {
    hold: async (key) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`question ${key}`}, 0))`.execute(db)
    },
    add: (question, at) => add(db, question, at),
    find: async (id) => first(await one(id).execute()),
    lock: async (id) => first(await one(id).forUpdate().execute()),
    about: async (template, subject) => {
      const rows = await all().where('template', '=', template).where('subject', '=', subject).execute()
      return first(rows)?.record ?? null
    },
    ofRun: async (runId, askedAs) =>
      first(await all().where('run_id', '=', runId).where('asked_as', '=', askedAs).execute()),
    inSession: async ({ sessionId, key }) => {
      const rows = await all()
        .where('key', '=', storableText(key))
        .where('session_id', '=', storableText(sessionId))
        .orderBy('number', 'desc')
        .limit(SESSION_MAX)
        .execute()
      return rows.map(toRecord)
    },
    answered: async (key, limit) => {
      const rows = await all()
        .where('key', '=', storableText(key))
        .where('answered_how', '=', 'person')
        .orderBy('number', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },
    list: (filter) => list(db, workspace, filter),
    due: async (now, limit) => {
      const rows = await all()
        .where('status', '=', 'open')
        .where((on) =>
          on.or([
            on('due_at', '<=', now),
            on.and([on('remind_at', '<=', now), on('reminded_at', 'is', null)]),
          ]),
        )
        .orderBy('asked_at')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },
    waiting: async (limit) => {
      const rows = await all()
        .where('status', '=', 'open')
        .where('blocking', '=', true)
        .where('project_number', 'is not', null)
        .orderBy('asked_at')
        .limit(limit)
        .execute()
      return rows.map(toKept)
    },
    settle: async (id, { status, answer }) => {
      await db
        .updateTable('questions')
        .set({
          status,
          answer: answer === null ? null : storableJson(answer),
          answered_how: answer?.how ?? null,
        })
        .where('id', '=', id)
        .execute()
    },
    remind: async (id, at) => {
      await db.updateTable('questions').set({ reminded_at: at }).where('id', '=', id).execute()
    },
  }
}

/** Questions of one kind in one session; there is hardly ever a second. */
const SESSION_MAX = 20

async function add(db: Sql<Tables>, given: NewRecord, at: Date): Promise<QuestionRecord | null> {
  const { question, item } = given
  const text = (value: string | null) => (value === null ? null : storableText(value))
  const rows = await db
    .insertInto('questions')
    .values({
      id: question.id,
      question: storableJson(question),
      session_id: storableText(question.sessionId),
      event: text(given.event),
      template: text(given.template),
      subject: text(given.subject),
      project_number: item?.projectNumber ?? null,
      item_number: item?.number ?? null,
      run_id: given.runId,
      asked_as: text(given.askedAs),
      key: storableText(given.key),
      blocking: question.blocking,
      status: 'open',
      asked_at: at,
      remind_at: given.remindAt,
      reminded_at: null,
      due_at: given.dueAt,
      answer: null,
      answered_how: null,
    })
    .onConflict((on) => on.doNothing())
    .returningAll()
    .execute()
  return first(rows)?.record ?? null
}

async function list(
  db: Sql<Tables>,
  { id, shared }: StoreWorkspace,
  { status, item, runId, event, sessionId, limit }: QuestionFilter,
) {
  let query = db.selectFrom('questions').selectAll().limit(limit)
  // Items are everybody's; what is asked about an idea is asked where the idea is.
  if (shared)
    query = query.where(
      sql<boolean>`not exists (select 1 from ideas where subject like 'idea:%'
        and ideas.slug = split_part(subject, ':', 2) and ideas.workspace <> ${id})`,
    )
  if (status !== undefined) query = query.where('status', '=', status)
  if (item !== undefined) query = query.where(isOf(item))
  if (runId !== undefined) query = query.where('run_id', '=', runId)
  if (event !== undefined) query = query.where('event', '=', event)
  if (sessionId !== undefined) query = query.where('session_id', '=', storableText(sessionId))
  // Open questions are read from the top: who is held up first, and of those who has waited longest.
  const rows = await query
    .orderBy(sql`status = 'open' desc`)
    .orderBy(sql`case when status = 'open' and blocking then 0 else 1 end`)
    .orderBy(sql`case when status = 'open' then number else -number end`)
    .execute()
  return rows.map(toRecord)
}

function isOf({ projectNumber, number }: ItemRef) {
  return sql<boolean>`project_number = ${projectNumber} and item_number = ${number}`
}

function first(rows: readonly Row<Tables['questions']>[]): KeptQuestion | null {
  const [row] = rows
  return row === undefined ? null : toKept(row)
}

function toKept(row: Row<Tables['questions']>): KeptQuestion {
  return { record: toRecord(row), key: row.key, askedAs: row.asked_as }
}

function toRecord(row: Row<Tables['questions']>): QuestionRecord {
  const { project_number: projectNumber, item_number: number } = row
  return QuestionRecord.parse({
    ...(row.question as object),
    number: Number(row.number),
    event: row.event,
    template: row.template,
    subject: row.subject,
    item: projectNumber === null || number === null ? null : { projectNumber, number },
    runId: row.run_id,
    status: row.status,
    askedAt: row.asked_at.toISOString(),
    remindedAt: row.reminded_at?.toISOString() ?? null,
    dueAt: row.due_at?.toISOString() ?? null,
    answer: row.answer,
  })
}
