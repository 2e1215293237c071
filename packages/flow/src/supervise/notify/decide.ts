// What is told, to whom and when. Pure.
import type { AlertLevel } from '@treadle/contracts/cost'
import {
  isAtLeast,
  type Notification,
  type NotificationType,
  needsDecision,
} from '@treadle/contracts/notification'
import type { Outgoing, Sent } from '../../ports/notifications.ts'

type Told = Pick<Notification, 'type' | 'level' | 'blocking'>

/** What needs a decision goes to every channel that is on. */
export function isRouted(told: Told, least: AlertLevel): boolean {
  return needsDecision(told) || isAtLeast(told.level, least)
}

/** Not held back by the limit of its type, and not counted for it. */
function isExempt({ level, blocking }: Pick<Told, 'level' | 'blocking'>): boolean {
  return blocking || level === 'critical'
}

export type Raise = { readonly is: 'new' } | { readonly is: 'again'; readonly id: number }

export function decideRaise(facts: {
  readonly now: Date
  /** The newest of the same type and subject that nobody has acknowledged. */
  readonly latest: Pick<Notification, 'id' | 'createdAt'> | null
  readonly repeatAfterMs: number
}): Raise {
  const { now, latest, repeatAfterMs } = facts
  if (latest === null || now.getTime() - Date.parse(latest.createdAt) >= repeatAfterMs) return { is: 'new' }
  return { is: 'again', id: latest.id }
}

export interface SendFacts {
  readonly now: Date
  readonly outgoing: readonly Outgoing[]
  readonly lastSent: ReadonlyMap<NotificationType, Date>
  readonly perTypeMs: number
}

export interface SendChoice {
  /** Each is one message. */
  readonly send: readonly (readonly Outgoing[])[]
  /** Somebody has seen them before they were due. */
  readonly drop: readonly number[]
  /** When the next may be due. */
  readonly wakeAt: Date | null
}

/** What one message holds at most; the rest comes with the next. */
const MESSAGE_MAX = 50

/** At a time: what is taken has to be sent before it counts as left by somebody who died. */
const SENDS_MAX = 5

export function decideSend({ now, outgoing, lastSent, perTypeMs }: SendFacts): SendChoice {
  const free = outgoing.filter((each) => !isInFlight(each, now))
  const drop = free.filter(({ notification }) => notification.acknowledgedAt !== null)
  const open = free.filter(({ notification }) => notification.acknowledgedAt === null)
  const alone = open.filter(({ notification }) => isExempt(notification)).map((each) => [each])
  const groups = [...byType(open.filter(({ notification }) => !isExempt(notification)))].map(
    ([type, group]) => ({
      group: group.slice(0, MESSAGE_MAX),
      dueAt: Math.max(
        // A retry holds back what came meanwhile: it would fail the same way, and belongs in one message.
        ...group.map(({ dueAt }) => dueAt.getTime()),
        (lastSent.get(type)?.getTime() ?? Number.NEGATIVE_INFINITY) + perTypeMs,
        // Another of this type is on its way.
        ...outgoing
          .filter((each) => isInFlight(each, now) && each.notification.type === type)
          .filter(({ notification }) => !isExempt(notification))
          .map(({ dueAt }) => dueAt.getTime()),
      ),
    }),
  )
  const all = [...alone.map((group) => ({ group, dueAt: dueOf(group) })), ...groups]
  const due = all.filter(({ dueAt }) => dueAt <= now.getTime())
  const later = [
    ...all.filter(({ dueAt }) => dueAt > now.getTime()).map(({ dueAt }) => dueAt),
    ...outgoing.filter((each) => isInFlight(each, now)).map(({ dueAt }) => dueAt.getTime()),
  ]
  return {
    send: due.slice(0, SENDS_MAX).map(({ group }) => group),
    drop: drop.map(({ id }) => id),
    wakeAt: later.length === 0 ? null : new Date(Math.min(...later)),
  }
}

function isInFlight({ status, dueAt }: Outgoing, now: Date): boolean {
  return status === 'sending' && dueAt > now
}

function dueOf(group: readonly Outgoing[]): number {
  return Math.max(...group.map(({ dueAt }) => dueAt.getTime()))
}

function byType(outgoing: readonly Outgoing[]): Map<NotificationType, Outgoing[]> {
  return Map.groupBy(outgoing, ({ notification }) => notification.type)
}

const RETRIES_MAX = 3
const PAUSE_GROWS = 4
/** However often the other side asks to wait. */
const AGE_MS_MAX = 24 * 60 * 60_000

export type AfterSend =
  | { readonly is: 'sent' }
  | { readonly is: 'again'; readonly at: Date; readonly why: string }
  /** At a time that the other side has named; not counted as a try. */
  | { readonly is: 'postponed'; readonly at: Date; readonly why: string }
  | { readonly is: 'failed'; readonly why: string }

export function decideAfterSend(facts: {
  readonly now: Date
  readonly sent: Sent
  /** With this one. */
  readonly attempts: number
  readonly createdAt: Date
  readonly retryMs: number
}): AfterSend {
  const { now, sent, attempts, createdAt, retryMs } = facts
  if (sent.is === 'sent') return { is: 'sent' }
  if (sent.is === 'refused') return { is: 'failed', why: sent.why }
  const age = now.getTime() - createdAt.getTime()
  if (sent.is === 'later') {
    const at = new Date(now.getTime() + sent.afterMs)
    return age + sent.afterMs > AGE_MS_MAX
      ? { is: 'failed', why: sent.why }
      : { is: 'postponed', at, why: sent.why }
  }
  if (attempts > RETRIES_MAX) return { is: 'failed', why: sent.why }
  const pause = retryMs * PAUSE_GROWS ** Math.max(0, attempts - 1)
  return { is: 'again', at: new Date(now.getTime() + pause), why: sent.why }
}
