// Rows of notifications, and how they become what they stand for.
import { Delivery, type NewNotification, Notification } from '@treadle/contracts/notification'
import type { Sql } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
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
} from '../../driver/tables.ts'

export const notificationTables = {
  notifications: {
    id: filled(bigint),
    type: text,
    level: text,
    title: text,
    text,
    next_steps: json,
    subject: text,
    blocking: flag,
    project_number: nullable(integer),
    item_number: nullable(integer),
    question_id: nullable(text),
    count: integer,
    created_at: instant,
    updated_at: instant,
    acknowledged_at: nullable(instant),
    acknowledged_by: nullable(text),
    resolved_at: nullable(instant),
    source: nullable(text),
    context: nullable(json),
    decision: nullable(json),
  },
  notification_deliveries: {
    id: filled(bigint),
    notification_id: bigint,
    channel: text,
    target: text,
    status: text,
    attempts: integer,
    error: nullable(text),
    due_at: instant,
    created_at: instant,
  },
  /** How far the feed was read, and how far each address has taken up notifications. */
  notification_places: { name: text, position: text },
} as const
export type NotificationTables = typeof notificationTables

export function all(db: Sql<NotificationTables>) {
  return db.selectFrom('notifications').selectAll()
}

export function wordsOf({ level, title, text, nextSteps, context }: NewNotification) {
  return {
    ...(context === undefined ? {} : { context: storableJson(context) }),
    level,
    title: storableText(title),
    text: storableText(text),
    next_steps: storableJson(nextSteps),
  }
}

/** The row is made by the first who asks; whoever comes at the same moment waits for that one. */
export async function lockPlace(
  db: Sql<NotificationTables>,
  name: string,
  first: () => Promise<string>,
): Promise<string> {
  const locked = () =>
    db
      .selectFrom('notification_places')
      .select('position')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
  const known = await locked()
  if (known !== undefined) return known.position
  await db
    .insertInto('notification_places')
    .values({ name, position: await first() })
    .onConflict((on) => on.column('name').doNothing())
    .execute()
  const made = await locked()
  if (made === undefined) throw new Error(`the place ${name} is gone`)
  return made.position
}

export async function withDeliveries(
  db: Sql<NotificationTables>,
  rows: readonly Row<NotificationTables['notifications']>[],
): Promise<Notification[]> {
  if (rows.length === 0) return []
  const found = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where(
      'notification_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) =>
    toNotification(
      row,
      found.filter((delivery) => delivery.notification_id === row.id),
    ),
  )
}

export function toNotification(
  row: Row<NotificationTables['notifications']>,
  deliveries: readonly Row<NotificationTables['notification_deliveries']>[],
): Notification {
  return Notification.parse({
    id: Number(row.id),
    type: row.type,
    level: row.level,
    title: row.title,
    text: row.text,
    nextSteps: row.next_steps,
    subject: row.subject,
    blocking: row.blocking,
    item:
      row.project_number === null || row.item_number === null
        ? null
        : { projectNumber: row.project_number, number: row.item_number },
    questionId: row.question_id,
    count: row.count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    source: row.source ?? null,
    context: row.context ?? null,
    decision: row.decision ?? null,
    deliveries: deliveries.map(toDelivery),
  } satisfies Record<keyof Notification, unknown>)
}

function toDelivery(row: Row<NotificationTables['notification_deliveries']>): Delivery {
  return Delivery.parse({
    channel: row.channel,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    at: row.due_at.toISOString(),
  } satisfies Record<keyof Delivery, unknown>)
}
