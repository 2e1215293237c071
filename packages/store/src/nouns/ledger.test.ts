import { randomUUID } from 'node:crypto'
import type { CostEntry, Reservation } from '@treadle/contracts/cost'
import { describe, expect, test } from 'vitest'
import { DRIVERS, newItem, newProject, useStore } from '../testing/both-drivers.ts'

/** Days of their own, so that the tests can share a store. */
let lastYear = 2_000
function newDay(): { day: Date; at: (hours: number) => Date } {
  lastYear += 1
  const day = new Date(Date.UTC(lastYear, 0, 1))
  return { day, at: (hours) => new Date(day.getTime() + hours * 3_600_000) }
}

const entry = (given: Partial<CostEntry> & { timestamp: string }): CostEntry => ({
  id: randomUUID(),
  agentId: 'agent-1',
  projectNumber: 1,
  itemNumber: 1,
  runId: null,
  model: 'claude-sonnet-4-5',
  tokens: { input: 1_000, output: 100 },
  costUSD: 0.25,
  assumed: false,
  ...given,
})

const reservation = (given: Partial<Reservation> = {}): Reservation => ({
  id: randomUUID(),
  agentId: 'agent-1',
  item: { projectNumber: 1, number: 1 },
  runId: randomUUID(),
  fence: 1,
  model: 'm',
  costUSD: 0.5,
  timestamp: new Date('2026-01-02T03:04:05.678Z').toISOString(),
  ...given,
})

describe.each(DRIVERS)('the ledger on the %s database', (driver) => {
  const open = useStore(driver)

  test('a cost counts once; a real figure replaces an assumed one, and nothing replaces a real one', async (context) => {
    const { ledger } = await open(context)
    const { day, at } = newDay()
    const given = entry({ timestamp: at(1).toISOString(), costUSD: 0.5, assumed: true })
    expect(await ledger.log(given)).toBe('logged')
    expect(await ledger.log(given)).toBe('duplicate')
    expect(await ledger.spentSince(day)).toBe(0.5)
    const real = { ...given, costUSD: 0.012_345, assumed: false, timestamp: at(2).toISOString() }
    expect(await ledger.log(real)).toBe('replaced')
    expect(await ledger.log({ ...real, costUSD: 9 })).toBe('duplicate')
    expect(await ledger.log({ ...given, costUSD: 9 })).toBe('duplicate')
    expect(await ledger.find(given.id)).toEqual(real)
    expect(await ledger.find('never-logged')).toBeNull()
    expect(await ledger.spentSince(day)).toBe(0.012_345)
    expect(await ledger.spentSince(at(2))).toBe(0.012_345)
    expect(await ledger.spentSince(at(2.5))).toBe(0)
  })

  test('an item has one cost: all that was booked for it, whoever spent it', async (context) => {
    const { ledger } = await open(context)
    const item = { projectNumber: 1, number: 4_711 }
    expect(await ledger.spentOn(item)).toBeNull()
    const timestamp = newDay().at(1).toISOString()
    const mine = { projectNumber: 1, itemNumber: item.number, timestamp }
    await ledger.log(entry({ ...mine, agentId: 'agent-1', costUSD: 0.5 }))
    await ledger.log(entry({ ...mine, agentId: 'review-agent', costUSD: 0.25 }))
    await ledger.log(entry({ ...mine, projectNumber: 2, costUSD: 9 }))
    expect(await ledger.spentOn(item)).toBe(0.75)
  })

  test('the same cost logged many times at once counts once', async (context) => {
    const { ledger } = await open(context)
    const { day, at } = newDay()
    const given = entry({ timestamp: at(1).toISOString() })
    const said = await Promise.all(Array.from({ length: 8 }, () => ledger.log(given)))
    expect(said.filter((is) => is === 'logged')).toHaveLength(1)
    expect(await ledger.spentSince(day)).toBe(0.25)
  })

  test('each day has its sum by agent, from midnight to midnight UTC, and no day is left out', async (context) => {
    const { ledger } = await open(context)
    const { day, at } = newDay()
    const log = (hours: number, agentId: string, costUSD: number) =>
      ledger.log(entry({ timestamp: at(hours).toISOString(), agentId, costUSD }))
    await log(-0.001, 'agent-1', 100)
    await log(0, 'agent-1', 0.1)
    await log(23.999, 'agent-10', 0.2)
    await log(1, 'agent-2', 0.3)
    await log(1, 'agent-2', 0.000_001)
    await log(48, 'agent-1', 1)
    await log(72, 'agent-1', 100)
    expect(await ledger.byDay(day, 3)).toEqual([
      {
        day: day.toISOString().slice(0, 10),
        usd: 0.600_001,
        byAgent: [
          { agentId: 'agent-1', usd: 0.1 },
          { agentId: 'agent-2', usd: 0.300_001 },
          { agentId: 'agent-10', usd: 0.2 },
        ],
      },
      { day: at(24).toISOString().slice(0, 10), usd: 0, byAgent: [] },
      { day: at(48).toISOString().slice(0, 10), usd: 1, byAgent: [{ agentId: 'agent-1', usd: 1 }] },
    ])
  })

  test('a hundred small costs add up to the millionth', async (context) => {
    const store = await open(context)
    const { day, at } = newDay()
    await store.tx(async () => {
      for (let n = 0; n < 100; n += 1)
        await store.ledger.log(entry({ timestamp: at(1).toISOString(), costUSD: 0.000_1 + 0.000_2 }))
    })
    expect(await store.ledger.spentSince(day)).toBe(0.03)
  })

  test('sums are told by agent and by item, the dearest first', async (context) => {
    const { ledger } = await open(context)
    const { day, at } = newDay()
    expect(await ledger.sumsSince(day)).toEqual({
      costUSD: 0,
      assumedUSD: 0,
      calls: 0,
      tokens: { input: 0, output: 0 },
      agents: [],
      items: [],
    })
    const timestamp = at(3).toISOString()
    await ledger.log(entry({ timestamp }))
    await ledger.log(entry({ timestamp, agentId: 'agent-2', itemNumber: 2, costUSD: 2 }))
    await ledger.log(entry({ timestamp, agentId: 'agent-2', itemNumber: null, costUSD: 0.5, assumed: true }))
    await ledger.log(entry({ timestamp: new Date(day.getTime() - 1).toISOString(), costUSD: 100 }))
    const one = { calls: 1, tokens: { input: 1_000, output: 100 } }
    expect(await ledger.sumsSince(day)).toEqual({
      costUSD: 2.75,
      assumedUSD: 0.5,
      calls: 3,
      tokens: { input: 3_000, output: 300 },
      agents: [
        { agentId: 'agent-2', costUSD: 2.5, calls: 2, tokens: { input: 2_000, output: 200 } },
        { agentId: 'agent-1', costUSD: 0.25, ...one },
      ],
      items: [
        { projectNumber: 1, itemNumber: 2, costUSD: 2, ...one },
        { projectNumber: 1, itemNumber: null, costUSD: 0.5, ...one },
        { projectNumber: 1, itemNumber: 1, costUSD: 0.25, ...one },
      ],
    })
  })

  test('a reservation is open until it is closed, once', async (context) => {
    const { ledger } = await open(context)
    const held = reservation()
    const before = new Date(Date.parse(held.timestamp) - 1)
    expect(await ledger.callsSince(before)).toBe(0)
    expect(await ledger.reserve(held)).toBe(true)
    expect(await ledger.reserve(held)).toBe(false)
    expect(await ledger.open()).toEqual([held])
    expect(await ledger.callsSince(before)).toBe(1)
    expect(await ledger.callsSince(new Date(held.timestamp))).toBe(0)
    expect(await ledger.close(held.id, 'settled', new Date())).toEqual(held)
    expect(await ledger.close(held.id, 'released', new Date())).toBeNull()
    expect(await ledger.close('no-such-one', 'released', new Date())).toBeNull()
    expect(await ledger.open()).toEqual([])
    expect(await ledger.reserve(held)).toBe(false)
  })

  test('a threshold is crossed once for a period and a limit', async (context) => {
    const { ledger } = await open(context)
    const { day, at } = newDay()
    const crossing = { period: 'daily', startsAt: day, limitUSD: 2, percent: 50 } as const
    expect(await ledger.hasCrossed(crossing)).toBe(false)
    const crossed = await Promise.all([1, 2, 3].map(() => ledger.cross(crossing, 1, at(1))))
    expect(crossed.filter(Boolean)).toHaveLength(1)
    expect(await ledger.hasCrossed(crossing)).toBe(true)
    for (const other of [
      { ...crossing, percent: 75 },
      { ...crossing, limitUSD: 4 },
      { ...crossing, period: 'monthly' as const },
      { ...crossing, startsAt: at(24) },
    ])
      expect(await ledger.hasCrossed(other), JSON.stringify(other)).toBe(false)
  })

  test('who was stopped for the budget is remembered until that ends', async (context) => {
    const { ledger } = await open(context)
    const { at } = newDay()
    expect(await ledger.stop()).toBeNull()
    await ledger.beginStop({ agents: ['agent-1', 'agent-3'], at: at(1) })
    expect(await ledger.stop()).toEqual({ agents: ['agent-1', 'agent-3'], at: at(1) })
    await ledger.endStop(at(2))
    expect(await ledger.stop()).toBeNull()
  })

  test('what delivered items cost is told with their size', async (context) => {
    const store = await open(context)
    const projectNumber = newProject() + 1_000
    const { at } = newDay()
    const acceptance = ['works', 'is fast']
    const added = await store.items.add(
      newItem({ title: 'abc', body: 'de', acceptance, projectNumber }),
      at(1),
    )
    const waiting = await store.items.add(newItem({ projectNumber }), at(1))
    for (const { number } of [added, waiting, added])
      await store.ledger.log(entry({ timestamp: at(1).toISOString(), projectNumber, itemNumber: number }))
    expect(await store.ledger.delivered(10)).toEqual([])
    await store.items.save({ ...added, state: 'done', status: 'done' })
    expect(await store.ledger.delivered(10)).toEqual([{ size: 17, costUSD: 0.5 }])
    expect(await store.ledger.delivered(0)).toEqual([])
  })
})
