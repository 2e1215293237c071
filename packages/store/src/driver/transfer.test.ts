import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CURSOR_START } from '@treadle/contracts/event'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../connect.ts'
import {
  newItem,
  openAt,
  type TestDatabase,
  temporaryDir,
  useTestDatabases,
} from '../testing/both-drivers.ts'
import { claimFor } from '../testing/claim.ts'
import { PG_MAJOR } from './embedded.ts'
import type { TextRow } from './transfer.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

/** Rows of every table, with values that a careless copy would change. */
async function fill(store: OpenStore): Promise<void> {
  // More than go in one batch; in one transaction, for it is not their commits that are tried.
  await store.tx(async () => {
    for (let project = 1; project <= 2; project += 1)
      for (let count = 0; count < 300; count += 1)
        await store.items.add(
          newItem({ projectNumber: project, body: `"\\n\t\u{1F600} ${count}`, labels: ['ä'] }),
          at,
        )
  })
  const ref = { projectNumber: 2, number: 3 }
  const runId = randomUUID()
  await claimFor(store, { ref, agentId: 'agent-1', requestId: 'request-1', runId, at })
  await store.agents.ensure('agent-1', at)
  await store.agents.countRestart('agent-1', at)
  const beat = { pid: 7, status: 'working', memoryUsage: 0.1 + 0.2, cpuUsage: 1e-7, engine: 'e' } as const
  const said = { agentId: 'agent-1', currentProjectNumber: null, timestamp: at.toISOString(), drained: false }
  const rest = { phase: null, tasksCompleted: 1, errorCount: 2, lastError: 'no\n"', ...said }
  await store.agents.beat('agent-1', { ...beat, ...rest }, at)
  const provenance = { runId, attempt: 1, commit: null }
  const lesson = {
    type: 'gotcha',
    glob: 'src/**',
    action: null,
    topic: 'x',
    signature: null,
    unconfirmed: true,
  } as const
  const payload = { big: 1e22, tiny: 1e-300, deep: [{ a: null }] }
  const words = { content: 'mind\nthe "gap"', discoveredBy: 'ada', seenAt: '1/2' }
  await store.lessons.record({ ...lesson, ...words, confidence: 0.1 + 0.2, provenance, payload }, at)
  await fillLedger(store, runId)
  for (let count = 0; count < 20; count += 1)
    await store.events.append({
      id: randomUUID(),
      at,
      item: count % 2 === 0 ? ref : null,
      agentId: 'agent-1',
      runId,
      state: null,
      event: { type: 'item.added', title: `${count}` },
    })
}

async function fillLedger({ ledger }: OpenStore, runId: string): Promise<void> {
  const of = { agentId: 'agent-1', runId, model: 'm "x"', timestamp: at.toISOString() }
  const tokens = { input: 2 ** 53 - 1, output: 1 }
  const cost = { ...of, projectNumber: 2, itemNumber: 3, tokens, costUSD: 0.1 + 0.2, assumed: true }
  await ledger.log({ ...cost, id: 'cost-0001' })
  const item = { projectNumber: 2, number: 3 }
  await ledger.reserve({ ...of, id: 'reservation-1', item, fence: 1, costUSD: 0.000_001 })
  await ledger.cross({ period: 'monthly', startsAt: at, limitUSD: 500, percent: 90 }, 450, at)
  await ledger.beginStop({ agents: ['agent-1'], at })
}

async function rowsOf(store: OpenStore): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>()
  await store.copyTo({
    ...store,
    receive: async (rows: AsyncIterable<TextRow> | Iterable<TextRow>) => {
      for await (const { table, row } of rows)
        tables.set(table, [...(tables.get(table) ?? []), JSON.stringify(row)])
      return 0
    },
  })
  for (const rows of tables.values()) rows.sort()
  return tables
}

describe('moving the data', () => {
  const embedded = useTestDatabases('embedded')
  const server = useTestDatabases('server')

  test('from the embedded database to a server, through a file and back, nothing changes', async (context) => {
    const home = await openAt(embedded(context))
    await fill(home)
    const original = await rowsOf(home)
    expect([...original.keys()].sort()).toEqual(
      [
        'agent_restarts',
        'agents',
        'budget_crossings',
        'budget_stops',
        'claims',
        'cost_entries',
        'cost_reservations',
        'events',
        'feed',
        'heartbeats',
        'items',
        'lessons',
        'projects',
        'runs',
      ].sort(),
    )
    const shared = await openAt(server(context))
    await home.copyTo(shared)
    const without = (tables: Map<string, string[]>) =>
      new Map([...tables].filter(([name]) => name !== 'feed'))
    expect(without(await rowsOf(shared))).toEqual(without(original))

    const dir = temporaryDir()
    const file = join(dir, 'export.jsonl')
    await shared.exportTo(file)
    const back = await openAt(embedded(context))
    await back.importFrom(file)
    expect(without(await rowsOf(back))).toEqual(without(original))

    // What comes next follows on what was there.
    expect((await back.items.add(newItem({ projectNumber: 2 }), at)).number).toBe(301)
    const last = { id: randomUUID(), at, item: null, agentId: null, runId: null, state: null }
    await back.events.append({ ...last, event: { type: 'item.added', title: 'last' } })
    const feed = async () => {
      const { items } = await back.events.after({ after: CURSOR_START, limit: 100 })
      return items.map(({ event }) => ('title' in event ? event.title : event.type))
    }
    // It waits for transactions of others on the same server.
    await expect
      .poll(feed)
      .toEqual(['claim.taken', ...Array.from({ length: 20 }, (_, count) => `${count}`), 'last'])
    await expect(back.importFrom(file)).rejects.toMatchObject({ kind: 'store_not_empty' })
    await Promise.all([home.close(), shared.close(), back.close()])
    rmSync(dir, { recursive: true })
  })

  test('a file that is cut off, or is none of ours, changes nothing', async (context) => {
    const store = await openAt(embedded(context))
    await store.items.add(newItem(), at)
    const dir = temporaryDir()
    const file = join(dir, 'export.jsonl')
    await store.exportTo(file)
    await store.close()
    const whole = readFileSync(file)
    const other = await openAt(embedded(context))
    truncateSync(file, whole.lastIndexOf('\n', whole.length - 2) + 1)
    await expect(other.importFrom(file)).rejects.toMatchObject({ kind: 'store_export' })
    writeFileSync(file, 'something else\n')
    await expect(other.importFrom(file)).rejects.toMatchObject({ kind: 'store_export' })
    writeFileSync(file, whole.toString().replace('"001_foundation"', '"001_foundation","999_later"'))
    await expect(other.importFrom(file)).rejects.toThrow('newer Treadle (999_later)')
    expect(await other.items.list({ limit: 10 })).toEqual([])
    writeFileSync(file, whole)
    await other.importFrom(file)
    expect(await other.items.list({ limit: 10 })).toHaveLength(1)
    await other.close()
    rmSync(dir, { recursive: true })
  })

  test('where only a directory of an older PostgreSQL is left, the newest export is taken over', async (context) => {
    const place = embedded(context)
    const store = await openAt(place)
    await store.items.add(newItem({ title: 'from before' }), at)
    await store.close()
    // As an upgrade finds it.
    rmSync(dirOf(place, `db-${PG_MAJOR}`), { recursive: true })
    mkdirSync(dirOf(place, `db-${PG_MAJOR - 1}`))
    const said: string[] = []
    const upgraded = await openAt(place, { log: (message) => said.push(message) })
    expect((await upgraded.items.list({ limit: 10 })).map(({ title }) => title)).toEqual(['from before'])
    expect(said).toContainEqual(expect.stringContaining('older version'))
    await upgraded.close()
    const again = await openAt(place)
    expect(await again.items.list({ limit: 10 })).toHaveLength(1)
    await again.close()
  })
})

function dirOf({ target }: TestDatabase, name: string): string {
  if (target.is !== 'embedded') throw new Error('not embedded')
  return join(target.dir, name)
}
