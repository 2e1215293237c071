import { ALERT_TYPES } from '@treadle/contracts/notification'
import type { notificationRoutes } from '@treadle/contracts/routes/notifications'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const notificationHandlers = {
  async listNotifications(world, { query }) {
    const { all, alerts, before, limit } = query
    const types = alerts === 'true' ? ALERT_TYPES : undefined
    return { items: await world.store.notifications.list({ all: all === 'true', types, before, limit }) }
  },

  async acknowledgeNotifications(world, { body }) {
    return { ids: await world.notices.acknowledge({ is: 'all' }, body.by) }
  },

  async testNotifications(world, { body }) {
    return { items: await world.notices.test(body.channel) }
  },

  async acknowledgeNotification(world, { params, body }) {
    const ids = await world.notices.acknowledge({ is: 'one', id: params.id }, body.by)
    if (ids.length > 0 || (await world.store.notifications.find(params.id)) !== null) return { ids }
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no notification ${params.id}.`,
      hint: 'treadle notifications --all lists them.',
    })
  },
} satisfies HandlersOf<typeof notificationRoutes>
