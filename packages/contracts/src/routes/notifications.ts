// What the owner was told, and that it was seen.
import { z } from 'zod'
import { Notification, NotificationChannel } from '../notification.ts'
import { by, inPath, page, route } from '../route.ts'

const Ids = z.strictObject({ ids: z.array(z.int()) })

/** What became of a message that was sent to see whether the channel works. */
export const ChannelTried = z.strictObject({
  channel: NotificationChannel,
  is: z.enum(['sent', 'failed', 'off']),
  why: z.string().nullable(),
})
export type ChannelTried = z.infer<typeof ChannelTried>

export const notificationRoutes = {
  listNotifications: route({
    method: 'GET',
    path: '/api/notifications',
    key: 'crew',
    summary: 'Notifications that nobody has acknowledged, newest first; or all of them',
    query: z.strictObject({
      all: z.enum(['true', 'false']).default('false'),
      /** Only the alert log: how the crew and the system are. */
      alerts: z.enum(['true', 'false']).default('false'),
      before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: page(Notification),
  }),
  acknowledgeNotification: route({
    method: 'POST',
    path: '/api/notifications/:id/acknowledge',
    key: 'owner',
    summary:
      'It was seen: what is still to be sent of it is not sent, and the next of its kind is told at once',
    params: z.strictObject({ id: inPath }),
    problems: { 404: 'There is no such notification' },
    body: by,
    response: Ids,
  }),
  acknowledgeNotifications: route({
    method: 'POST',
    path: '/api/notifications/acknowledge',
    key: 'owner',
    summary: 'All were seen',
    body: by,
    response: Ids,
  }),
  testNotifications: route({
    method: 'POST',
    path: '/api/notifications/test',
    key: 'owner',
    summary: 'Send a message over one channel, or over each that is on, and say whether it arrived',
    body: z.strictObject({ channel: NotificationChannel.nullable().default(null) }),
    response: page(ChannelTried),
  }),
} as const
