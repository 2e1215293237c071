// Notifications that last until a check says that they are over.
import { CURSOR_START } from '@treadle/contracts/event'
import { NotificationType } from '@treadle/contracts/notification'
import type { Alerts } from '@treadle/flow/ports/notifications'
import { sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import type { NotificationTables } from './rows.ts'
import { all, lockPlace, withDeliveries, wordsOf } from './rows.ts'

/** Which of the places is locked by whoever says what lasts and what is over. */
const ALERTS = 'alerts'

export function createAlerts(db: Sql<NotificationTables>): Alerts {
  const of = (types: readonly NotificationType[]) => all(db).where('type', 'in', [...types])
  return {
    lockAlerts: async () => {
      await lockPlace(db, ALERTS, () => Promise.resolve(CURSOR_START))
    },
    standing: async (types) =>
      withDeliveries(db, await of(types).where('resolved_at', 'is', null).orderBy('id').execute()),
    ended: async (types, since) =>
      withDeliveries(db, await of(types).where('resolved_at', '>=', since).orderBy('id', 'desc').execute()),
    reopen: async (id, given, { at, unseen }) => {
      await db
        .updateTable('notifications')
        .set({
          ...wordsOf(given),
          count: sql`count + 1`,
          updated_at: at,
          resolved_at: null,
          ...(unseen ? { acknowledged_at: null, acknowledged_by: null } : {}),
        })
        .where('id', '=', String(id))
        .execute()
    },
    reword: async (id, given) => {
      await db.updateTable('notifications').set(wordsOf(given)).where('id', '=', String(id)).execute()
    },
    decide: async (id, decision) => {
      await db
        .updateTable('notifications')
        .set({ decision: storableJson(decision) })
        .where('id', '=', String(id))
        .execute()
    },
    resolve: async (ids, by, at) => {
      if (ids.length === 0) return
      await db
        .updateTable('notifications')
        .set({
          resolved_at: at,
          acknowledged_at: sql`coalesce(acknowledged_at, ${at})`,
          acknowledged_by: sql`coalesce(acknowledged_by, ${storableText(by)})`,
        })
        .where('id', 'in', ids.map(String))
        .where('resolved_at', 'is', null)
        .execute()
    },
    noise: async (types, since, briefMs) => {
      const rows = await db
        .selectFrom('notifications')
        .where('type', 'in', [...types])
        .where('created_at', '>=', since)
        .select([
          'type',
          sql<number>`sum(count)::integer`.as('raised'),
          // An alert that came back soon had been over by itself.
          sql<number>`(sum(count - 1) + count(*) filter (
            where resolved_at - updated_at < ${briefMs} * interval '1 millisecond'))::integer`.as('brief'),
        ])
        .groupBy('type')
        .orderBy('type')
        .execute()
      return rows.map(({ type, ...counts }) => ({ type: NotificationType.parse(type), ...counts }))
    },
  }
}
