import { randomUUID } from 'node:crypto'
import { CURSOR_START, type Cursor } from '@treadle/contracts/event'
import type { NewNotification } from '@treadle/contracts/notification'
import type { Address } from '@treadle/flow/ports/notifications'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../../connect.ts'
import { DRIVERS, eventually, openAt, useStore, useTestDatabases } from '../../testing/both-drivers.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
const address = (): Address => ({ channel: 'webhook', target: randomUUID() })

function notice(given: Partial<NewNotification> = {}): NewNotification {
  return {
    type: 'item.escalated',
    level: 'error',
    title: '#4 needs you',
    text: 'why\0',
    nextSteps: [{ label: 'See it', command: 'treadle show 4' }],
    subject: `item ${randomUUID()}`,
    blocking: false,
    item: { projectNumber: 1, number: 4 },
    questionId: null,
    ...given,
  }
}

async function outbox({ notifications, tx }: OpenStore, to: Address): Promise<number> {
  return tx(() => notifications.lockOutbox(to))
}

describe.each(DRIVERS)('%s', (driver) => {
  const open = useStore(driver)

  test('a notification is kept, counted when it comes again, and acknowledged once', async (context) => {
    const { notifications } = await open(context)
    const given = notice()
    const { id } = await notifications.add(given, at)
    await notifications.repeat(id, { ...given, title: 'again' }, later(1))
    expect(await notifications.latest(given.type, given.subject)).toEqual({
      ...given,
      id,
      title: 'again',
      text: 'why\uFFFD',
      createdAt: at.toISOString(),
      updatedAt: later(1).toISOString(),
      count: 2,
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: null,
      source: null,
      context: null,
      decision: null,
      deliveries: [],
    })
    const about = { is: 'about', subject: given.subject } as const
    expect(await notifications.acknowledge({ ...about, types: ['agent.crashed'] }, 'ada', at)).toEqual([])
    expect(await notifications.acknowledge({ ...about, types: [given.type] }, 'ada', at)).toEqual([id])
    expect(await notifications.acknowledge({ is: 'one', id }, 'bob', at)).toEqual([])
    expect(await notifications.latest(given.type, given.subject)).toBeNull()
    expect(await notifications.find(id)).toMatchObject({ acknowledgedBy: 'ada' })
    expect(await notifications.find(2_000_000)).toBeNull()
    const ids = (all: boolean) =>
      notifications.list({ all, limit: 100 }).then((list) => list.map((each) => each.id))
    expect(await ids(true)).toContain(id)
    expect(await ids(false)).not.toContain(id)
    const second = await notifications.add(notice(), at)
    expect(await notifications.acknowledge({ is: 'all' }, 'ada', at)).toContain(second.id)
    expect(await ids(false)).toEqual([])
    expect(await notifications.list({ all: true, before: second.id, limit: 1 })).toHaveLength(1)
  })

  test('a new address begins after what there is; each is taken up once', async (context) => {
    const store = await open(context)
    const { notifications } = store
    const old = await notifications.add(notice(), at)
    const to = address()
    expect(await outbox(store, to)).toBe(old.id)
    const fresh = await notifications.add(notice(), at)
    expect((await notifications.after(old.id, 10)).map(({ id }) => id)).toEqual([fresh.id])
    await notifications.enqueue(to, [fresh.id], at)
    await notifications.enqueue(to, [fresh.id], at)
    await notifications.moveOutbox(to, fresh.id)
    expect(await outbox(store, to)).toBe(fresh.id)
    expect(await notifications.outgoing(to, 10)).toMatchObject([
      { status: 'waiting', attempts: 0, dueAt: at, createdAt: at, notification: { id: fresh.id } },
    ])
    expect(await notifications.outgoing(address(), 10)).toEqual([])
  })

  test('what becomes of a delivery is kept with it', async (context) => {
    const { notifications } = await open(context)
    const to = address()
    const plain = await notifications.add(notice(), at)
    const critical = await notifications.add(notice({ level: 'critical' }), at)
    const blocking = await notifications.add(notice({ type: 'question.asked', blocking: true }), at)
    await notifications.enqueue(to, [plain.id, critical.id, blocking.id], at)
    const waiting = await notifications.outgoing(to, 10)
    // What waits for nobody comes first.
    expect(waiting.map((each) => each.notification.id)).toEqual([critical.id, blocking.id, plain.id])
    const ids = waiting.map(({ id }) => id).sort((one, other) => one - other)
    await notifications.take(ids, later(2))
    expect(await notifications.outgoing(to, 1)).toMatchObject([
      { status: 'sending', attempts: 1, dueAt: later(2) },
    ])
    await notifications.postpone(ids.slice(0, 1), later(3), 'asked to wait')
    expect((await notifications.find(plain.id))?.deliveries).toEqual([
      {
        channel: 'webhook',
        status: 'waiting',
        attempts: 0,
        error: 'asked to wait',
        at: later(3).toISOString(),
      },
    ])
    await notifications.settle(ids, { status: 'sent', at: later(4), error: null })
    expect(await notifications.outgoing(to, 10)).toEqual([])
    // Neither of the others had to keep to the limit.
    expect(await notifications.lastSent(to, at)).toEqual(new Map([['item.escalated', later(4)]]))
    expect(await notifications.lastSent(to, later(5))).toEqual(new Map())
  })
})

describe('two daemons on one server', () => {
  const places = useTestDatabases('server')

  test('the feed is read from where it ended when nobody had read it, and its place outlives the store', async (context) => {
    const place = places(context)
    const store = await openAt(place)
    const added = (title: string) =>
      store.events.append({
        id: randomUUID(),
        at,
        item: null,
        agentId: null,
        runId: null,
        state: null,
        event: { type: 'item.added', title },
      })
    // The feed may lag while anybody on the same server has a transaction open.
    const readable = (after: Cursor) =>
      eventually(async () => {
        const page = await store.events.after({ after, limit: 10 })
        return page.items.length > 0 ? page : undefined
      }, 120_000)
    await added('before')
    await readable(CURSOR_START)
    const start = await store.tx(() => store.notifications.lockFeed())
    await added('after')
    const { items, cursor } = await readable(start)
    expect(items.map(({ event }) => event)).toEqual([{ type: 'item.added', title: 'after' }])
    await store.notifications.moveFeed(cursor)
    await store.close()
    const next = await openAt(place)
    expect(await next.tx(() => next.notifications.lockFeed())).toBe(cursor)
    await next.close()
  })

  test('who holds the place of the feed is waited for', async (context) => {
    const place = places(context)
    const [one, other] = [await openAt(place), await openAt(place)]
    const order: string[] = []
    let entered: () => void = () => undefined
    const inside = new Promise<void>((done) => {
      entered = done
    })
    let leave: () => void = () => undefined
    const holding = one.tx(async () => {
      await one.notifications.lockFeed()
      entered()
      await new Promise<void>((done) => {
        leave = done
      })
      await one.notifications.moveFeed('7.7')
      order.push('one')
    })
    await inside
    const waiting = other.tx(async () => {
      order.push(await other.notifications.lockFeed())
    })
    leave()
    await Promise.all([holding, waiting])
    expect(order).toEqual(['one', '7.7'])
    await one.close()
    await other.close()
  })
})
