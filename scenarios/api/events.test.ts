import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { type Daemon, DRIVERS } from '../kit/daemon.ts'
import { listenFrom } from '../kit/event-stream.ts'
import { addItem, begin, build, refOf, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

describe.each(DRIVERS)('events on the %s database', (driver) => {
  const open = useInProcess(driver)

  test('a replay gives everything once and in order, also what is added meanwhile', async (context) => {
    const daemon = await open(context)
    // More than a page of the stream, and added by several at once.
    await addMany(daemon, 230)
    const adding = addMany(daemon, 60)
    const listener = await listenFrom(daemon)
    await adding
    const last = await addItem(daemon.client, { title: 'the last one' })
    await eventually('the last item in the stream', () => heardOf(listener.heard, last.number))
    await listener.close()
    const all = await readAll(daemon, 100)
    expect(ids(listener.heard)).toEqual(ids(all))
    expect(added(listener.heard).length).toBeGreaterThanOrEqual(291)
    expectOrder(listener.heard)
  })

  test('a listener that comes back with its cursor misses nothing and hears nothing twice', async (context) => {
    const daemon = await open(context)
    const start = await endOf(daemon)
    const heard: StoredEvent[] = []
    let cursor = start
    const adding = addMany(daemon, 80)
    for (let turn = 0; turn < 6; turn += 1) {
      const listener = await listenFrom(daemon, cursor)
      const wanted = turn * 10
      await eventually('some events', () =>
        listener.heard.length + heard.length > wanted ? true : undefined,
      )
      await listener.close()
      heard.push(...listener.heard)
      cursor = listener.cursor()
    }
    await adding
    const last = await addItem(daemon.client)
    const listener = await listenFrom(daemon, cursor)
    await eventually('the last item in the stream', () => heardOf(listener.heard, last.number))
    await listener.close()
    heard.push(...listener.heard)
    expectOrder(heard)
    expect(added(heard)).toHaveLength(81)
    expect(ids(heard)).toEqual(ids(await readAll(daemon, 1_000, start)))
  })

  test('every listener hears what happens, as it is recorded', async (context) => {
    const daemon = await open(context)
    const from = await endOf(daemon)
    const listeners = await Promise.all(Array.from({ length: 5 }, () => listenFrom(daemon, from)))
    const work = await begin(daemon)
    await build(work)
    const types = ['item.added', 'claim.taken', 'build.started', 'build.finished']
    const states = ['todo', 'claimed', 'building', 'verifying']
    for (const listener of listeners) {
      await eventually('four events', () => (listener.heard.length >= 4 ? true : undefined))
      await listener.close()
      const mine = listener.heard.filter(({ item }) => item?.number === work.ref.number)
      expect(mine.map(({ event }) => event.type)).toEqual(types)
      expect(mine.map(({ state }) => state)).toEqual(states)
    }
  })

  verifies(
    'AGENT-ROUTING-19',
    'one can ask whether an event of a type exists for a run, an agent or an item',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const built = await take(daemon, await addItem(client), 'agent-21')
      await build(built)
      const waiting = await take(daemon, await addItem(client), 'agent-22')
      const count = async (type: string, correlationId: string) =>
        (await client.events({ query: { type, correlationId } })).items.length
      expect(await count('build.finished', built.claim.run.id)).toBe(1)
      expect(await count('build.finished', waiting.claim.run.id)).toBe(0)
      expect(await count('claim.taken', waiting.claim.run.id)).toBe(1)
      expect(await count('build.finished', 'agent-21')).toBe(1)
      expect(await count('build.finished', 'agent-22')).toBe(0)
      expect(await count('build.finished', `#${built.ref.number}`)).toBe(1)
      expect(await count('build.finished', `#${waiting.ref.number}`)).toBe(0)
      expect(await count('merge.landed', built.claim.run.id)).toBe(0)
      const { items } = await client.events({ query: { correlationId: built.claim.run.id } })
      expect(items.map(({ event }) => event.type)).toEqual(['claim.taken', 'build.started', 'build.finished'])
      expect(await count("build.finished' or '1'='1", built.claim.run.id)).toBe(0)
    },
  )
})

async function addMany(daemon: Daemon, count: number): Promise<void> {
  const titles = Array.from({ length: count }, (_, index) => `Item ${index}`)
  const worker = async () => {
    for (let title = titles.pop(); title !== undefined; title = titles.pop())
      refOf(await daemon.client.addItem({ body: { title } }))
  }
  await Promise.all(Array.from({ length: 10 }, worker))
}

async function readAll(
  { client }: Daemon,
  limit: number,
  from: Cursor = CURSOR_START,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  for (let after = from; ; ) {
    const page = await client.events({ query: { after, limit } })
    all.push(...page.items)
    if (page.items.length < limit) return all
    after = page.cursor
  }
}

async function endOf(daemon: Daemon): Promise<Cursor> {
  return (await readAll(daemon, 1_000)).at(-1)?.cursor ?? CURSOR_START
}

const ids = (events: readonly StoredEvent[]) => events.map(({ id }) => id)
const added = (events: readonly StoredEvent[]) => events.filter(({ event }) => event.type === 'item.added')
const heardOf = (events: readonly StoredEvent[], number: number) =>
  events.find(({ item, event }) => item?.number === number && event.type === 'item.added')

function expectOrder(events: readonly StoredEvent[]): void {
  expect(new Set(ids(events)).size).toBe(events.length)
  for (const [index, { cursor }] of events.entries()) {
    const before = events[index - 1]
    if (before !== undefined)
      expect(isAfter(cursor, before.cursor), `${before.cursor} then ${cursor}`).toBe(true)
  }
}

function isAfter(later: Cursor, earlier: Cursor): boolean {
  const [a = 0n, b = 0n] = later.split('.').map(BigInt)
  const [c = 0n, d = 0n] = earlier.split('.').map(BigInt)
  return a > c || (a === c && b > d)
}
