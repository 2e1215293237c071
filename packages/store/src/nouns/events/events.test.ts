import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import type { NewEvent } from '@treadle/flow/ports/events'
import { verifies } from '@treadle/requirements/verifies'
import { Client, Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../../connect.ts'
import { DRIVERS, eventually, openAt, useStore, useTestDatabases } from '../../testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const item = { projectNumber: 1, number: 7 }

function added(title: string, given: Partial<NewEvent> = {}): NewEvent {
  return {
    id: randomUUID(),
    at,
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { type: 'item.added', title },
    ...given,
  }
}

/** Everything after a place in the feed. It may lag while anybody on the same server has a transaction open. */
async function read({ events }: OpenStore, from: Cursor, count: number, limit = 100): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  let after = from
  const until = Date.now() + 120_000
  while (all.length < count) {
    const page = await events.after({ after, limit })
    all.push(...page.items)
    after = page.cursor
    expect(Date.now(), `${all.length} of ${count} events read`).toBeLessThan(until)
  }
  const more = await events.after({ after, limit })
  return [...all, ...more.items]
}

/** The place where the feed ends now. */
async function end({ events }: OpenStore): Promise<Cursor> {
  const id = randomUUID()
  await events.append(added(id))
  return eventually(async () => {
    const page = await events.after({ after: CURSOR_START, limit: 1_000_000 })
    return page.items.at(-1)?.id !== undefined && titles(page.items).at(-1) === id ? page.cursor : undefined
  }, 120_000)
}

function titles(events: readonly StoredEvent[]): string[] {
  return events.map(({ event }) => ('title' in event ? event.title : event.type))
}

describe.each(DRIVERS)('events on the %s database', (driver) => {
  const open = useStore(driver)
  const places = useTestDatabases(driver)

  test('the end of the feed is the newest of it, oldest first, and the feed goes on after it', async (context) => {
    const store = await open(context)
    const from = await end(store)
    const steps = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          store.events.append(
            added('', {
              agentId: 'agent-1',
              event: { type: 'agent.status_changed', from: null, to: 'idle' },
            }),
          ),
        ),
      )
    for (const title of ['one', 'two', 'three']) await store.events.append(added(title))
    await steps(5)
    await read(store, from, 8)
    const all = await store.events.tail({ limit: 6, without: [] })
    expect(titles(all.items)).toEqual(['three', ...Array(5).fill('agent.status_changed')])
    const some = await store.events.tail({ limit: 2, without: ['agent.status_changed'] })
    expect(titles(some.items)).toEqual(['two', 'three'])
    expect(some.cursor).toBe(all.cursor)
    await store.events.append(added('four'))
    expect(titles(await read(store, some.cursor, 1))).toEqual(['four'])
  })

  test('an event is read as it was recorded, with what engines print in it', async (context) => {
    const { events } = await open(context)
    const runId = randomUUID()
    const event = added('x', {
      item,
      agentId: 'agent-3',
      runId,
      state: 'todo',
      event: {
        type: 'run.observed',
        observation: {
          tool: 'sh',
          input: 'cat',
          output: 'a\0b \ud83d \\u0000 \u{1F600}',
          durationMs: 1.5,
          success: true,
        },
      },
    })
    expect(await events.append(event)).toBe(true)
    const stored = await eventually(
      async () => (await events.after({ after: CURSOR_START, limit: 10, correlationId: runId })).items[0],
      120_000,
    )
    expect(stored).toEqual({
      cursor: expect.stringMatching(/^\d+\.\d+$/),
      id: event.id,
      at: at.toISOString(),
      item,
      agentId: 'agent-3',
      runId,
      state: 'todo',
      event: {
        type: 'run.observed',
        observation: {
          tool: 'sh',
          input: 'cat',
          output: 'a\uFFFDb \uFFFD \\u0000 \u{1F600}',
          durationMs: 1.5,
          success: true,
        },
      },
    })
  })

  test('the same id is recorded once for the same subject, also when it comes twice at once', async (context) => {
    const { events } = await open(context)
    const id = randomUUID()
    expect(await events.seen(id)).toBe(false)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => events.append(added('once', { id, item }))),
    )
    expect(answers.filter((fresh) => fresh)).toHaveLength(1)
    expect(await events.seen(id)).toBe(true)
    expect(await events.append(added('other subject', { id, item: { ...item, number: 8 } }))).toBe(true)
    const found = await events.ofItem(item, 100)
    expect(found.filter((event) => event.id === id)).toHaveLength(1)
  })

  verifies(
    'AGENT-ROUTING-19',
    'a consumer can ask whether an event of a type exists for an item, a run or an agent',
    async (context) => {
      const { events } = await open(context)
      const [runId, otherRun] = [randomUUID(), randomUUID()]
      await events.append(
        added('', {
          item: { projectNumber: 1, number: 55 },
          agentId: 'agent-55',
          runId,
          event: { type: 'claim.released', why: 'stop' },
        }),
      )
      for (const id of ['#55', 'agent-55', runId]) {
        expect(await events.exists('claim.released', id)).toBe(true)
        expect(await events.exists('claim.expired', id)).toBe(false)
      }
      for (const id of ['#56', 'agent-56', otherRun])
        expect(await events.exists('claim.released', id)).toBe(false)
    },
  )

  test('the feed is paged, narrowed and resumed by cursor', async (context) => {
    const store = await open(context)
    const { events } = store
    const start = await end(store)
    const ref = { projectNumber: 1, number: 700 }
    for (const name of ['a', 'b', 'c', 'd']) await events.append(added(name, { item: ref }))
    await events.append(added('', { agentId: 'agent-1', event: { type: 'agent.started', pid: 5 } }))
    expect(titles(await read(store, start, 5, 2))).toEqual(['a', 'b', 'c', 'd', 'agent.started'])
    const first = await events.after({ after: start, limit: 3 })
    const rest = await events.after({ after: first.cursor, limit: 10 })
    expect(titles(rest.items)).toEqual(['d', 'agent.started'])
    expect(await events.after({ after: rest.cursor, limit: 10 })).toEqual({ items: [], cursor: rest.cursor })
    const narrowed = await events.after({ after: start, limit: 10, type: 'agent.started' })
    expect(titles(narrowed.items)).toEqual(['agent.started'])
    const ofItem = await events.after({ after: first.cursor, limit: 9, correlationId: '#700' })
    expect(titles(ofItem.items)).toEqual(['d'])
    expect((await events.after({ after: '99999999999999999999.0', limit: 9 })).items).toEqual([])
    expect(titles(await events.ofItem(ref, 3))).toEqual(['b', 'c', 'd'])
  })

  test('six writers at once: a reader that follows the cursor gets every event exactly once', async (context) => {
    const store = await open(context)
    const start = await end(store)
    const count = 40
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let index = 0; index < count; index += 1)
        await store.tx(async () => {
          await store.events.append(added(`${writer}/${index}`))
          // The later a transaction commits after it took its number, the easier it is to skip.
          await sleep((writer * 7 + index * 3) % 12)
          if (index % 4 === 0) await store.events.append(added(`${writer}/${index}+`))
        })
    })
    const reader = read(store, start, 6 * count + 60, 7)
    await Promise.all(writers)
    const got = titles(await reader)
    expect(got).toHaveLength(new Set(got).size)
    expect(got).toHaveLength(6 * count + 60)
    for (let writer = 0; writer < 6; writer += 1) {
      const own = got.filter((title) => title.startsWith(`${writer}/`) && !title.endsWith('+'))
      expect(own).toEqual(Array.from({ length: count }, (_, index) => `${writer}/${index}`))
    }
  })

  test('a reader is woken by a new event, and not without one', async (context) => {
    const store = await open(context)
    const start = await end(store)
    let woken = 0
    const stop = store.listen(() => {
      woken += 1
    })
    await eventually(() => (woken === 1 ? true : undefined), 120_000)
    await sleep(1_500)
    expect(woken).toBe(1)
    await store.events.append(added('x'))
    await eventually(() => (woken === 2 ? true : undefined), 120_000)
    // Whoever is woken finds something.
    expect(titles((await store.events.after({ after: start, limit: 10 })).items)).toEqual(['x'])
    stop()
    await store.events.append(added('y'))
    await sleep(1_200)
    expect(woken).toBe(2)
  })

  test('a database that has counted fewer transactions still gives old events first, and cursors hold', async (context) => {
    const place = places(context)
    const old = await openAt(place)
    await old.events.append(added('old 1'))
    await old.events.append(added('old 2'))
    const rows = await dump(old)
    await old.close()
    // As if the events had come from a database with a much longer life.
    const moved = rows.map((row) =>
      row.table === 'events'
        ? { ...row, row: { ...row.row, xid: String(9_000_000_000n + BigInt(row.row.xid ?? 0)) } }
        : row,
    )
    const fresh = await openAt(places(context))
    await fresh.receive(moved)
    const [first] = await read(fresh, CURSOR_START, 2)
    await fresh.events.append(added('new'))
    expect(titles(await read(fresh, CURSOR_START, 3))).toEqual(['old 1', 'old 2', 'new'])
    const after = await fresh.events.after({ after: first?.cursor ?? '', limit: 10 })
    expect(titles(after.items)).toEqual(['old 2', 'new'])
    await fresh.close()
  })
})

async function dump(store: OpenStore) {
  const rows: Parameters<OpenStore['receive']>[0] extends AsyncIterable<infer R> | Iterable<infer R>
    ? R[]
    : never = []
  await store.copyTo({
    ...store,
    receive: async (given) => {
      for await (const row of given) rows.push(row)
      return rows.length
    },
  })
  return rows
}

describe('the feed on a server', () => {
  const places = useTestDatabases('server')

  test('an event whose transaction is still open is neither skipped nor overtaken', async (context) => {
    const { target, schema } = places(context)
    if (target.is !== 'server') throw new Error('not a server')
    const store = await openAt({ target, schema })
    const pool = new Pool({ connectionString: target.url, max: 1 })
    const late = await pool.connect()
    await late.query(`set search_path to ${schema}; begin`)
    await late.query(
      `insert into events (xid, subject, event_id, type, payload, at)
       select xid_base + pg_current_xact_id()::text::bigint, 'daemon', 'late-event', 'item.added', $1, now() from feed`,
      [JSON.stringify({ type: 'item.added', title: 'late' })],
    )
    await store.events.append(added('early'))
    const before = await store.events.after({ after: CURSOR_START, limit: 10 })
    await late.query('commit')
    const after = await read(store, before.cursor, 2)
    expect(titles([...before.items, ...after])).toEqual(['late', 'early'])
    late.release()
    await pool.end()
    await store.close()
  })

  test('new events are told to other connections, many at once, and none of a rollback', async (context) => {
    const { target, schema } = places(context)
    if (target.is !== 'server') throw new Error('not a server')
    const store = await openAt({ target, schema })
    const other = new Client({ connectionString: target.url })
    await other.connect()
    let told = 0
    other.on('notification', () => {
      told += 1
    })
    await other.query(`listen "${schema}_events"`)
    const failed = store.tx(async () => {
      await store.events.append(added('not to be'))
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await sleep(200)
    expect(told).toBe(0)
    await store.tx(async () => {
      await store.events.append(added('first'))
      await sleep(100)
      expect(told).toBe(0)
    })
    await eventually(() => (told === 1 ? true : undefined), 120_000)
    await Promise.all(Array.from({ length: 100 }, (_, index) => store.events.append(added(`${index}`))))
    await store.close()
    await eventually(() => (told > 1 ? true : undefined), 120_000)
    expect(told).toBeLessThan(101)
    await other.end()
  })
})
