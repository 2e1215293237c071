// What the notifier needs of the store and of the channels. Types only.
import type { AlertDecision } from '@treadle/contracts/alert'
import type { Cursor } from '@treadle/contracts/event'
import type {
  Delivery,
  NewNotification,
  NextStep,
  Notification,
  NotificationChannel,
  NotificationType,
} from '@treadle/contracts/notification'

/** Where a channel leads: two daemons with the same address send each message once between them. */
export interface Address {
  readonly channel: NotificationChannel
  /** A name for it that gives no secret away. */
  readonly target: string
}

/** A notification on its way to one address. */
export interface Outgoing {
  readonly id: number
  readonly notification: Omit<Notification, 'deliveries'>
  readonly status: 'waiting' | 'sending'
  readonly attempts: number
  /** When it is tried; of one that is being sent, when it counts as not sent. */
  readonly dueAt: Date
  readonly createdAt: Date
}

interface Settled {
  readonly status: Delivery['status']
  readonly at: Date
  readonly error: string | null
}

export type Acknowledged =
  | { readonly is: 'one'; readonly id: number }
  | { readonly is: 'all' }
  | { readonly is: 'about'; readonly subject: string; readonly types: readonly NotificationType[] }

/** Alerts that last: told once, over when a check says so. */
export interface Alerts {
  /** One daemon at a time says what is new and what is over; the row stays locked until the transaction ends. */
  lockAlerts(): Promise<void>
  /** Those of these types that are not over, whether somebody has seen them or not. */
  standing(types: readonly NotificationType[]): Promise<Notification[]>
  /** Those that were over since then, newest first. */
  ended(types: readonly NotificationType[], since: Date): Promise<Notification[]>
  /** It has come back: counted, told in its newest words; with `unseen`, as if nobody had seen it. */
  reopen(id: number, given: NewNotification, back: { at: Date; unseen: boolean }): Promise<void>
  /** It lasts, and is told in newer words: neither counted nor sent again. */
  reword(id: number, given: NewNotification): Promise<void>
  /** What was decided about it last. */
  decide(id: number, decision: AlertDecision): Promise<void>
  /** They are over; who has seen them before stays written down. */
  resolve(ids: readonly number[], by: string, at: Date): Promise<void>
  /** How many were raised since then, and how many of those were over within so long. */
  noise(
    types: readonly NotificationType[],
    since: Date,
    briefMs: number,
  ): Promise<{ type: NotificationType; raised: number; brief: number }[]>
}

export interface Notifications extends Alerts {
  /** Up to where the feed was read; the row stays locked until the transaction ends. The first time: its end. */
  lockFeed(): Promise<Cursor>
  moveFeed(to: Cursor): Promise<void>
  /** The newest that nobody has acknowledged. */
  latest(type: NotificationType, subject: string): Promise<Notification | null>
  add(given: NewNotification, at: Date): Promise<Notification>
  /** It happened again: counted, and told in its newest words. */
  repeat(id: number, given: NewNotification, at: Date): Promise<void>
  find(id: number): Promise<Notification | null>
  /** Newest first. */
  list(query: {
    all: boolean
    /** Only of these. */
    types?: readonly NotificationType[] | undefined
    before?: number | undefined
    limit: number
  }): Promise<Notification[]>
  /** Which were not acknowledged before; at most a thousand at a time. */
  acknowledge(which: Acknowledged, by: string, at: Date): Promise<number[]>
  /** The last one taken up for an address, locked like the feed. The first time: the last there is. */
  lockOutbox(address: Address): Promise<number>
  moveOutbox(address: Address, to: number): Promise<void>
  /** Oldest first. */
  after(id: number, limit: number): Promise<Notification[]>
  enqueue(address: Address, ids: readonly number[], at: Date): Promise<void>
  /** What is not settled yet, oldest first. */
  outgoing(address: Address, limit: number): Promise<Outgoing[]>
  /** When something was last sent, since then, that had to keep to the limit of its type. */
  lastSent(address: Address, since: Date): Promise<ReadonlyMap<NotificationType, Date>>
  /** They are being sent, until then. */
  take(ids: readonly number[], until: Date): Promise<void>
  /** Whoever was sending it is gone. */
  release(address: Address, at: Date): Promise<void>
  settle(ids: readonly number[], settled: Settled): Promise<void>
  /** Not counted as a try: the other side asked to wait. */
  postpone(ids: readonly number[], until: Date, why: string): Promise<void>
}

/** What goes over a channel: one notification, or several of a type. */
export interface NoticeMessage {
  /** The same when it is sent again. */
  readonly id: string
  readonly level: Notification['level']
  readonly blocking: boolean
  readonly title: string
  readonly text: string
  readonly nextSteps: readonly NextStep[]
  readonly notifications: readonly Omit<Notification, 'deliveries'>[]
}

export type Sent =
  | { readonly is: 'sent' }
  /** Not now: asked to wait for so long. */
  | { readonly is: 'later'; readonly afterMs: number; readonly why: string }
  /** Worth another try. */
  | { readonly is: 'failed'; readonly why: string }
  /** It would be refused every time. */
  | { readonly is: 'refused'; readonly why: string }

export interface NoticeChannel extends Address {
  send(message: NoticeMessage, signal: AbortSignal): Promise<Sent>
}
