// What is told to the owner.
import { z } from 'zod'
import { AlertLevel } from '../cost.ts'
import { NewNotification, NotificationChannel, NotificationType } from '../notification.ts'
import { count, event, firstLine, line, type Sentences, why } from './shape.ts'

/** Facts that move no item. */
const facts = [
  /** What the owner should know now and not only when looking. */
  event('owner.notified', {
    about: z.enum(['conflict', 'push', 'cost', 'signing', 'review', 'lesson']),
    text: z.string().min(1).max(4_000),
  }),
  /** The owner is told of it, on the terminal and wherever else the settings say. */
  event('notification.created', {
    id: z.int(),
    about: NotificationType,
    level: AlertLevel,
    title: NewNotification.shape.title,
    text: NewNotification.shape.text,
    nextSteps: NewNotification.shape.nextSteps,
    blocking: z.boolean(),
  }),
  event('notification.acknowledged', {
    ids: z.array(z.int()).min(1).max(1_000),
    by: z.string().min(1).max(200),
  }),
  /** What they were about is over. */
  event('notification.resolved', {
    ids: z.array(z.int()).min(1).max(1_000),
    about: z.array(NotificationType).min(1).max(1_000),
    text: z.string().min(1).max(1_000),
  }),
  /** A channel did not take it, however often it was tried. */
  event('notification.failed', { ids: z.array(z.int()).min(1).max(100), channel: NotificationChannel, why }),
] as const

export const notificationEvents = {
  facts,
  sentences: {
    'owner.notified': ({ text }, { item }) => line(`${item} needs your attention`, text, 'attention'),
    'notification.created': ({ title, text, level }) =>
      line(`You were notified: ${title}`, firstLine(text), level === 'info' ? 'plain' : 'attention'),
    'notification.acknowledged': ({ ids, by }) => line(`${by} has seen ${count(ids.length, 'notification')}`),
    'notification.resolved': ({ text }) => line(`It is over: ${text}`, null, 'good'),
    'notification.failed': ({ ids, channel, why }) =>
      line(`${channel} did not take ${count(ids.length, 'notification')}`, why, 'attention'),
  } satisfies Sentences<(typeof facts)[number]>,
}
