import { CURSOR_START, type Cursor } from '@treadle/contracts/event'
import { type Notification, NotificationType } from '@treadle/contracts/notification'
import type { Acknowledged, Address, Notifications, Outgoing } from '@treadle/flow/ports/notifications'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import type { Rows } from '../../driver/tables.ts'
import { migration012 } from '../../migrations/012-notifications.ts'
import { migration016 } from '../../migrations/016-lasting-alerts.ts'
import { migration055 } from '../../migrations/055-monitor-alerts.ts'
import { type EventTables, feedHead } from '../events/events.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import { createAlerts } from './alerts.ts'
import {
  all,
  lockPlace,
  type NotificationTables,
  notificationTables,
  toNotification,
  withDeliveries,
  wordsOf,
} from './rows.ts'

export const notifications = {
  name: 'notifications',
  tables: notificationTables,
  migrations: [migration012, migration016, migration055],
  create: ({ database }: StoreParts<NotificationTables & EventTables>) => createNotifications(database),
} as const satisfies StoreModule

/** Which of the places is that of the feed. */
const FEED = 'feed'
const ACKNOWLEDGED_MAX = 1_000

function createNotifications(database: Database<NotificationTables & EventTables>): Notifications {
  const { sql: db } = database
  const move = async (name: string, position: string) => {
    await db.updateTable('notification_places').set({ position }).where('name', '=', name).execute()
  }
  return {
    lockFeed: () => lockPlace(db, FEED, async () => (await feedHead(database)) ?? CURSOR_START),
    moveFeed: (to: Cursor) => move(FEED, to),
    latest: async (type, subject) => {
      const [row] = await withDeliveries(
        db,
        await all(db)
          .where('type', '=', type)
          .where('subject', '=', storableText(subject))
          .where('acknowledged_at', 'is', null)
          .orderBy('id', 'desc')
          .limit(1)
          .execute(),
      )
      return row ?? null
    },
    add: (given, at) => add(db, given, at),
    repeat: async (id, given, at) => {
      await db
        .updateTable('notifications')
        .set({ ...wordsOf(given), count: sql`count + 1`, updated_at: at })
        .where('id', '=', String(id))
        .execute()
    },
    find: async (id) =>
      (await withDeliveries(db, await all(db).where('id', '=', String(id)).execute()))[0] ?? null,
    list: async ({ all: every, types, before, limit }) => {
      let query = all(db).orderBy('id', 'desc').limit(limit)
      if (types !== undefined) query = query.where('type', 'in', [...types])
      if (!every) query = query.where('acknowledged_at', 'is', null)
      if (before !== undefined) query = query.where('id', '<', String(before))
      return withDeliveries(db, await query.execute())
    },
    acknowledge: (which, by, at) => acknowledge(db, which, { by, at }),
    lockOutbox: async (address) => Number(await lockPlace(db, outbox(address), () => lastId(db))),
    moveOutbox: (address, to) => move(outbox(address), String(to)),
    after: async (id, limit) =>
      withDeliveries(db, await all(db).where('id', '>', String(id)).orderBy('id').limit(limit).execute()),
    ...createAlerts(db),
    ...createDeliveries(db),
  }
}

type Deliveries = Pick<
  Notifications,
  'enqueue' | 'outgoing' | 'lastSent' | 'take' | 'release' | 'settle' | 'postpone'
>

function createDeliveries(db: Sql<NotificationTables>): Deliveries {
  const these = (ids: readonly number[]) =>
    db.updateTable('notification_deliveries').where('id', 'in', ids.map(String))
  return {
    enqueue: async ({ channel, target }, ids, at) => {
      const made = {
        channel,
        target,
        status: 'waiting',
        attempts: 0,
        error: null,
        due_at: at,
        created_at: at,
      }
      await db
        .insertInto('notification_deliveries')
        .values(ids.map((id) => ({ ...made, notification_id: String(id) })))
        .onConflict((on) => on.columns(['notification_id', 'channel', 'target']).doNothing())
        .execute()
    },
    outgoing: (address, limit) => readOutgoing(db, address, limit),
    lastSent: async (address, since) => {
      const rows = await deliveriesTo(db, address)
        .where('notification_deliveries.status', '=', 'sent')
        .where('notification_deliveries.due_at', '>', since)
        .where('notifications.level', '<>', 'critical')
        .where('notifications.blocking', '=', false)
        .select(['notifications.type', sql<Date>`max(notification_deliveries.due_at)`.as('at')])
        .groupBy('notifications.type')
        .execute()
      return new Map(rows.map(({ type, at }) => [NotificationType.parse(type), at]))
    },
    take: async (ids, until) => {
      await these(ids).set({ status: 'sending', attempts: sql`attempts + 1`, due_at: until }).execute()
    },
    release: async ({ channel, target }, at) => {
      await db
        .updateTable('notification_deliveries')
        .set({ status: 'waiting', due_at: at })
        .where('channel', '=', channel)
        .where('target', '=', target)
        .where('status', '=', 'sending')
        .execute()
    },
    settle: async (ids, { status, at, error }) => {
      await these(ids)
        .set({ status, due_at: at, error: error === null ? null : storableText(error) })
        .execute()
    },
    postpone: async (ids, until, why) => {
      await these(ids)
        .set({ status: 'waiting', attempts: sql`attempts - 1`, due_at: until, error: storableText(why) })
        .execute()
    },
  }
}

function outbox({ channel, target }: Address): string {
  return `${channel} ${target}`
}

async function lastId(db: Sql<NotificationTables>): Promise<string> {
  const { id } = await db
    .selectFrom('notifications')
    .select(sql<string>`coalesce(max(id), 0)::text`.as('id'))
    .executeTakeFirstOrThrow()
  return id
}

async function add(
  db: Sql<NotificationTables>,
  given: Parameters<Notifications['add']>[0],
  at: Date,
): Promise<Notification> {
  const row = await db
    .insertInto('notifications')
    .values({
      type: given.type,
      level: given.level,
      title: storableText(given.title),
      text: storableText(given.text),
      next_steps: storableJson(given.nextSteps),
      subject: storableText(given.subject),
      blocking: given.blocking,
      project_number: given.item?.projectNumber ?? null,
      item_number: given.item?.number ?? null,
      question_id: given.questionId,
      count: 1,
      created_at: at,
      updated_at: at,
      acknowledged_at: null,
      acknowledged_by: null,
      resolved_at: null,
      source: given.source === undefined ? null : storableText(given.source),
      context: given.context === undefined ? null : storableJson(given.context),
      decision: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toNotification(row, [])
}

async function acknowledge(
  db: Sql<NotificationTables>,
  which: Acknowledged,
  { by, at }: { by: string; at: Date },
): Promise<number[]> {
  const wanted = db
    .selectFrom('notifications')
    .select('id')
    .where('acknowledged_at', 'is', null)
    .where((on) => on.and(meant(on, which)))
    .orderBy('id')
    .limit(ACKNOWLEDGED_MAX)
  const rows = await db
    .updateTable('notifications')
    .set({ acknowledged_at: at, acknowledged_by: storableText(by) })
    .where('id', 'in', wanted)
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => Number(id)).sort((one, other) => one - other)
}

function meant(on: ExpressionBuilder<Rows<NotificationTables>, 'notifications'>, which: Acknowledged) {
  if (which.is === 'all') return []
  if (which.is === 'one') return [on('id', '=', String(which.id))]
  return [on('subject', '=', storableText(which.subject)), on('type', 'in', [...which.types])]
}

function deliveriesTo(db: Sql<NotificationTables>, { channel, target }: Address) {
  return db
    .selectFrom('notification_deliveries')
    .innerJoin('notifications', 'notifications.id', 'notification_deliveries.notification_id')
    .where('channel', '=', channel)
    .where('target', '=', target)
}

async function readOutgoing(
  db: Sql<NotificationTables>,
  address: Address,
  limit: number,
): Promise<Outgoing[]> {
  const rows = await deliveriesTo(db, address)
    .where('notification_deliveries.status', 'in', ['waiting', 'sending'])
    .selectAll('notifications')
    .select([
      'notification_deliveries.id as delivery_id',
      'notification_deliveries.status',
      'notification_deliveries.attempts',
      'notification_deliveries.due_at',
      'notification_deliveries.created_at as enqueued_at',
    ])
    // Notifications that wait for nobody are seen however much else there is.
    .orderBy(sql`(notifications.blocking or notifications.level = 'critical')`, 'desc')
    .orderBy('notification_deliveries.id')
    .limit(limit)
    .execute()
  return rows.map(({ delivery_id, status, attempts, due_at, enqueued_at, ...row }) => {
    const { deliveries: _, ...notification } = toNotification(row, [])
    return {
      id: Number(delivery_id),
      notification,
      status: status === 'sending' ? 'sending' : 'waiting',
      attempts,
      dueAt: due_at,
      createdAt: enqueued_at,
    }
  })
}
