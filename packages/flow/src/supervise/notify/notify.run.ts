// From the feed to notifications, and from there to each channel: nothing is left out, and nothing is made twice.
import type { Config } from '@treadle/contracts/config'
import type { Cursor, StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { NewNotification, type NotificationChannel } from '@treadle/contracts/notification'
import { Fault, messageOf } from '../../fault.ts'
import type { Acknowledged, NoticeChannel, Outgoing, Sent } from '../../ports/notifications.ts'
import type { KeptQuestion } from '../../ports/questions.ts'
import type { Store } from '../../ports/store.ts'
import { decideAfterSend, decideRaise, decideSend, isRouted, type SendChoice } from './decide.ts'
import { attemptedIn, NOT_ATTEMPTED } from './escalation.ts'
import { bareNotice, isEscalation, mayBeTold, type NoticeFacts, noticeOf } from './notice.ts'
import type { AskedFacts } from './question.ts'
import { settledBy } from './settled.ts'
import { messageFor } from './words.ts'

export interface NotifyWorld {
  readonly store: Pick<Store, 'tx' | 'notifications' | 'events' | 'items' | 'runs' | 'questions'>
  readonly config: () => Config
  readonly now: () => Date
  /** Takes secrets out of what is told. */
  readonly redact: (text: string) => string
  readonly stopping: AbortSignal
  /** An event could not be told as it should. */
  readonly onBug: (error: unknown, stored: StoredEvent) => void
  /** That a channel takes nothing is told when it begins, not each time. */
  readonly isNews: (channel: NotificationChannel, why: string) => boolean
}

const EVENTS_PAGE = 200
/** So many of no interest, and the place is kept all the same: the next daemon need not look at them. */
const PASSED_MAX = 2_000
const OUTBOX_PAGE = 200
const OUTGOING_MAX = 500
/** A message that is not answered for by then was sent by somebody who died over it, and is sent again. */
const LEASE_MS = 2 * 60_000

// ── Reading the feed ────────────────────────────────────────────────────────────────────────────

/** Up to where the feed was read by whoever read it last; the first time, to its end. */
export function beginNotices({ store }: NotifyWorld): Promise<Cursor> {
  return store.tx(() => store.notifications.lockFeed())
}

export interface NoticesRead {
  /** From where to look the next time. */
  readonly cursor: Cursor
  /** How many notifications were made. */
  readonly made: number
}

/**
 * Reads to the end of the feed. Most events are of no interest, and looking at them writes nothing; where one is,
 * everything since the place that is kept is gone through again, so that what counts is that place alone.
 */
export async function runNotices(world: NotifyWorld, from: Cursor): Promise<NoticesRead> {
  let cursor = from
  let made = 0
  let passed = 0
  while (!world.stopping.aborted) {
    const page = await world.store.events.after({ after: cursor, limit: EVENTS_PAGE })
    cursor = page.cursor
    passed += page.items.length
    if (page.items.some(isOfInterest) || passed >= PASSED_MAX) {
      const read = await readToTheEnd(world)
      made += read.made
      cursor = read.cursor
      passed = 0
    } else if (page.items.length < EVENTS_PAGE) break
  }
  return { cursor, made }
}

async function readToTheEnd(world: NotifyWorld): Promise<NoticesRead> {
  let made = 0
  for (;;) {
    const page = await readPage(world)
    made += page.made
    if (page.read < EVENTS_PAGE || world.stopping.aborted) return { cursor: page.cursor, made }
  }
}

/** The page and the place after it are one transaction: a kill in between loses and doubles nothing. */
function readPage(world: NotifyWorld): Promise<NoticesRead & { read: number }> {
  const { store } = world
  return store.tx(async () => {
    const after = await store.notifications.lockFeed()
    const { items, cursor } = await store.events.after({ after, limit: EVENTS_PAGE })
    let made = 0
    for (const stored of items.filter(isOfInterest)) {
      const settled = settledBy(stored)
      if (settled !== null) await acknowledge(world, { is: 'about', ...settled }, settled.by)
      const notice = await noticeFor(world, stored)
      if (notice !== null && (await raise(world, notice))) made += 1
    }
    if (items.length > 0) await store.notifications.moveFeed(cursor)
    return { read: items.length, made, cursor }
  })
}

function isOfInterest(stored: StoredEvent): boolean {
  return mayBeTold(stored) || settledBy(stored) !== null
}

/** One event that cannot be told as it should must not keep all others from being told. */
async function noticeFor(world: NotifyWorld, stored: StoredEvent): Promise<NewNotification | null> {
  const { redact } = world
  try {
    const facts = withoutSecrets(await factsFor(world, stored), redact)
    const notice = noticeOf({ ...stored, event: withoutSecrets(stored.event, redact) }, facts)
    return notice === null ? null : NewNotification.parse(notice)
  } catch (error) {
    if (error instanceof Fault) throw error
    world.onBug(error, stored)
    return mayBeTold(stored) ? bareNotice(stored) : null
  }
}

async function factsFor(world: NotifyWorld, stored: StoredEvent): Promise<NoticeFacts> {
  const { approval } = world.config().merge
  return { approval, ...(await itemFacts(world, stored)), asked: await askedIn(world, stored) }
}

async function itemFacts(
  { store }: NotifyWorld,
  stored: StoredEvent,
): Promise<Pick<NoticeFacts, 'title' | 'attempted'>> {
  const { item: ref, state } = stored
  if (ref === null || !(isEscalation(stored) || state === 'in_review'))
    return { title: null, attempted: NOT_ATTEMPTED }
  const item = await store.items.find(ref)
  const runId = stored.runId ?? item?.runId ?? null
  const run = runId === null ? null : await store.runs.find(runId)
  const last = run ?? (await store.runs.ofItem(ref, 1))[0]
  return { title: item?.title ?? null, attempted: last === undefined ? NOT_ATTEMPTED : attemptedIn(last) }
}

async function askedIn({ store }: NotifyWorld, { event }: StoredEvent): Promise<AskedFacts> {
  if (event.type === 'question.asked') return recordOf(await store.questions.find(event.question.id))
  if (event.type === 'question.reminded') return recordOf(await store.questions.find(event.questionId))
  return null
}

function recordOf(kept: KeptQuestion | null): AskedFacts {
  return kept?.record ?? null
}

/** Every text inside, before anything is cut: of half a secret nobody can tell that it is one. */
function withoutSecrets<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutSecrets(inner, redact)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, redact)])
  return Object.fromEntries(entries) as T
}

async function raise(world: NotifyWorld, told: NewNotification): Promise<boolean> {
  const { store, now } = world
  const { notifications } = store
  const { repeatAfterMs } = world.config().notifications
  const latest = await notifications.latest(told.type, told.subject)
  const choice = decideRaise({ now: now(), latest, repeatAfterMs })
  if (choice.is === 'again') {
    await notifications.repeat(choice.id, told, now())
    return false
  }
  await tell(world, told)
  return true
}

type TellWorld = Pick<NotifyWorld, 'now'> & { readonly store: Pick<Store, 'notifications' | 'events'> }

/** A new one, and the event that says so. */
export async function tell(world: TellWorld, told: NewNotification): Promise<number> {
  const { id } = await world.store.notifications.add(told, world.now())
  const { type: about, level, title, text, nextSteps, blocking } = told
  await append(world, `notice:${id}:created`, {
    type: 'notification.created',
    id,
    about,
    level,
    title,
    text,
    nextSteps,
    blocking,
  })
  return id
}

/** Of nobody's history but its own: what happened to an item is told by its events. */
export async function append({ store, now }: TellWorld, id: string, event: TreadleEvent): Promise<void> {
  await store.events.append({ id, at: now(), item: null, agentId: null, runId: null, state: null, event })
}

// ── Seen ────────────────────────────────────────────────────────────────────────────────────────

/** Which nobody had acknowledged before. */
export function acknowledge(world: NotifyWorld, which: Acknowledged, who: string): Promise<number[]> {
  const { store, now } = world
  const by = who.slice(0, 200) || 'somebody'
  return store.tx(async () => {
    const ids = await store.notifications.acknowledge(which, by, now())
    if (ids.length > 0)
      await append(world, `notice:${ids[0]}:${ids.at(-1)}:seen`, {
        type: 'notification.acknowledged',
        ids,
        by,
      })
    return ids
  })
}

// ── Sending ─────────────────────────────────────────────────────────────────────────────────────

export interface SendResult {
  /** How many messages. */
  readonly sent: number
  /** When something may be due next. */
  readonly wakeAt: Date | null
}

/** By a daemon that has its database to itself, before it sends anything: what is being sent was by one that died. */
export async function releaseDeliveries({ store, now }: NotifyWorld, channel: NoticeChannel): Promise<void> {
  await store.notifications.release(channel, now())
}

/** Sends what is due over one channel. */
export async function runDeliveries(world: NotifyWorld, channel: NoticeChannel): Promise<SendResult> {
  const choice = await takeDue(world, channel)
  let sent = 0
  for (const group of choice.send) {
    const answer = await sendSafely(world, channel, group)
    await settle(world, channel, group, answer)
    sent += answer.is === 'sent' ? 1 : 0
  }
  return { sent, wakeAt: choice.send.length > 0 ? world.now() : choice.wakeAt }
}

/** Under the lock of the address, so that two daemons never take the same, nor two of a type at once. */
function takeDue(world: NotifyWorld, channel: NoticeChannel): Promise<SendChoice> {
  const { store, config, now } = world
  const { notifications } = store
  const { perTypeMs, [channel.channel]: settings } = config().notifications
  return store.tx(async () => {
    let last = await notifications.lockOutbox(channel)
    const fresh = await notifications.after(last, OUTBOX_PAGE)
    const routed = fresh.filter((told) => isRouted(told, settings.level)).map(({ id }) => id)
    if (routed.length > 0) await notifications.enqueue(channel, routed, now())
    last = fresh.at(-1)?.id ?? last
    await notifications.moveOutbox(channel, last)
    const outgoing = await notifications.outgoing(channel, OUTGOING_MAX)
    const lastSent = await notifications.lastSent(channel, new Date(now().getTime() - perTypeMs))
    const choice = decideSend({ now: now(), outgoing, lastSent, perTypeMs })
    if (choice.drop.length > 0)
      await notifications.settle(choice.drop, { status: 'dropped', at: now(), error: null })
    const taken = choice.send.flat().map(({ id }) => id)
    if (taken.length > 0) await notifications.take(taken, new Date(now().getTime() + LEASE_MS))
    return choice
  })
}

const STOPPED: Sent = { is: 'later', afterMs: 0, why: 'the daemon stopped' }

async function sendSafely(
  { stopping }: NotifyWorld,
  channel: NoticeChannel,
  group: readonly Outgoing[],
): Promise<Sent> {
  const sent = stopping.aborted
    ? STOPPED
    : await channel
        .send(messageFor(group), stopping)
        .catch((error: unknown): Sent => ({ is: 'failed', why: messageOf(error) }))
  // What the end of the daemon has cut off is no failure of the channel.
  return stopping.aborted && sent.is === 'failed' ? STOPPED : sent
}

async function settle(
  world: NotifyWorld,
  channel: NoticeChannel,
  group: readonly Outgoing[],
  sent: Sent,
): Promise<void> {
  const { store, now } = world
  const { notifications } = store
  const { retryMs } = world.config().notifications
  const given: { id: number; why: string }[] = []
  await store.tx(async () => {
    for (const { id, attempts, createdAt, notification } of group) {
      const after = decideAfterSend({ now: now(), sent, attempts: attempts + 1, createdAt, retryMs })
      if (after.is === 'sent') await notifications.settle([id], { status: 'sent', at: now(), error: null })
      else if (after.is === 'postponed') await notifications.postpone([id], after.at, world.redact(after.why))
      else if (after.is === 'again')
        await notifications.settle([id], { status: 'waiting', at: after.at, error: world.redact(after.why) })
      else {
        await notifications.settle([id], { status: 'failed', at: now(), error: world.redact(after.why) })
        given.push({ id: notification.id, why: world.redact(after.why) })
      }
    }
    const [first] = given
    if (first !== undefined && world.isNews(channel.channel, first.why))
      await append(world, `notice:${first.id}:${channel.channel}:failed`, {
        type: 'notification.failed',
        ids: given.map(({ id }) => id),
        channel: channel.channel,
        why: first.why.slice(0, 4_000) || 'no reason was given',
      })
  })
}
