// The ledger's rules on both databases: who may spend, what a death costs, and what is told once.
import { randomUUID } from 'node:crypto'
import type { Reservation } from '@treadle/contracts/cost'
import { CURSOR_START, type Fact } from '@treadle/contracts/event'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Granting } from '@treadle/contracts/routes/costs'
import { runClaim } from '@treadle/flow/claim/claim.run'
import {
  noticeDear,
  runAdvice,
  runBudgets,
  runLog,
  runReserve,
  runSettle,
  runTotals,
  sweepReservations,
} from '@treadle/flow/supervise/spend/spend.run'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { FlowWorld } from './world.ts'

type ItemAsk = Omit<Reservation, 'timestamp' | 'item'> & { readonly item: ItemRef }

/** A month of its own, far from those of other tests. */
let lastYear = 2_030
class Spender extends FlowWorld {
  budget(daily: number, monthly = 1_000, limits: object = {}): void {
    this.settings = sampleConfig({ agents: { dailyBudgetUSD: daily, monthlyBudgetUSD: monthly }, limits })
  }

  async claim(agentId: AgentId): Promise<ItemAsk> {
    const item: ItemRef = await this.add()
    const claimed = await runClaim(this, { item, agentId, requestId: null })
    if (claimed.is !== 'claimed') throw new Error('the item was not claimed')
    const { run, fence } = claimed
    return { id: randomUUID(), agentId, item, runId: run.id, fence, model: 'm', costUSD: 0.5 }
  }

  cost(ask: ItemAsk, costUSD: number, tokens = { input: 0, output: 0 }) {
    return {
      agentId: ask.agentId,
      projectNumber: ask.item.projectNumber,
      itemNumber: ask.item.number,
      runId: ask.runId,
      model: 'claude-sonnet-4-5',
      tokens,
      costUSD,
      assumed: false,
      timestamp: this.time.toISOString(),
    }
  }

  async spent(): Promise<number> {
    return (await runTotals(this, 'daily')).totalUSD
  }

  /** The feed waits for whoever has a transaction open on the same server; so a mark of its own is waited for. */
  async #settled(): Promise<void> {
    const id = randomUUID()
    const nobody = { item: null, agentId: null, runId: null, state: null }
    const event = { type: 'item.added', title: 'a mark in the feed' } as const
    await this.store.events.append({ id, at: this.time, ...nobody, event })
    const isRead = async () => {
      const page = await this.store.events.after({ after: CURSOR_START, limit: 1_000, type: event.type })
      return page.items.some((each) => each.id === id)
    }
    await expect.poll(isRead, { interval: 20 }).toBe(true)
  }

  async facts<T extends Fact['type']>(type: T): Promise<Extract<Fact, { type: T }>[]> {
    await this.#settled()
    const { items } = await this.store.events.after({ after: CURSOR_START, limit: 1_000, type })
    const mine = items.filter(({ at }) => at.startsWith(`${this.time.getUTCFullYear()}-`))
    return mine.map(({ event }) => event as Extract<Fact, { type: T }>)
  }
}

const again = (ask: ItemAsk, costUSD = ask.costUSD): ItemAsk => ({ ...ask, id: randomUUID(), costUSD })

describe.each(DRIVERS)('spending on the %s database', (driver) => {
  const open = useStore(driver)
  const spender = async (context: TestContext) => {
    const world = new Spender(await open(context))
    lastYear += 1
    world.time = new Date(Date.UTC(lastYear, 4, 10, 12))
    return world
  }

  test('money is set aside before a call, settled after it, and asked for again in the same step', async (context) => {
    const world = await spender(context)
    world.budget(2)
    const first = await world.claim('agent-1')
    expect(await runReserve(world, first)).toMatchObject({ is: 'granted', why: null })
    expect(await runReserve(world, first)).toMatchObject({ is: 'granted' })
    expect(await runTotals(world, 'daily')).toMatchObject({
      totalUSD: 0,
      reservedUSD: 0.5,
      remainingUSD: 1.5,
    })
    const second = again(first)
    const settled = await runSettle(world, { id: first.id, cost: world.cost(first, 0.2), next: second })
    expect(settled).toMatchObject({ settled: true, next: { is: 'granted' } })
    expect(await runTotals(world, 'daily')).toMatchObject({ totalUSD: 0.2, reservedUSD: 0.5, calls: 1 })
    // Its answer may have been lost on the way: nothing is booked twice.
    await runSettle(world, { id: first.id, cost: world.cost(first, 0.2), next: second })
    expect(await runTotals(world, 'daily')).toMatchObject({ totalUSD: 0.2, reservedUSD: 0.5, calls: 1 })
    expect(await runSettle(world, { id: second.id, cost: null, next: null })).toEqual({
      settled: true,
      next: null,
    })
    expect(await runTotals(world, 'daily')).toMatchObject({ totalUSD: 0.2, reservedUSD: 0, calls: 1 })
  })

  verifies(
    'ORCH-S5-10',
    'the budget is one for all agents: what others have set aside is not free',
    async (context) => {
      const world = await spender(context)
      world.budget(1.2)
      const [one, two, three] = [
        await world.claim('agent-1'),
        await world.claim('agent-2'),
        await world.claim('agent-3'),
      ]
      expect((await runReserve(world, one)).is).toBe('granted')
      expect((await runReserve(world, two)).is).toBe('granted')
      expect(await runReserve(world, three)).toMatchObject({ is: 'wait' })
      await runSettle(world, { id: one.id, cost: world.cost(one, 0.1), next: null })
      expect((await runReserve(world, three)).is).toBe('granted')
      await runSettle(world, { id: two.id, cost: world.cost(two, 0.5), next: null })
      await runSettle(world, { id: three.id, cost: world.cost(three, 0.5), next: null })
      expect(await runReserve(world, again(one))).toMatchObject({ is: 'refused', shareUSD: 0.1 })
      const totals = await runTotals(world, 'daily')
      expect(totals.totalUSD).toBe(1.1)
      expect(totals.agents.map(({ agentId, costUSD }) => [agentId, costUSD])).toEqual(
        expect.arrayContaining([
          ['agent-1', 0.1],
          ['agent-2', 0.5],
          ['agent-3', 0.5],
        ]),
      )
    },
  )

  test('who has lost its claim gets no money', async (context) => {
    const world = await spender(context)
    world.budget(5)
    const ask = await world.claim('agent-1')
    expect(await runReserve(world, { ...ask, fence: ask.fence - 1 })).toMatchObject({ is: 'refused' })
    expect(await world.facts('budget.crossed')).toEqual([])
  })

  test('what a dead holder has left is spent at its worst case, until somebody knows better', async (context) => {
    const world = await spender(context)
    world.budget(5)
    const [one, two, three] = [
      await world.claim('agent-1'),
      await world.claim('agent-2'),
      await world.claim('agent-3'),
    ]
    for (const ask of [one, two, three]) await runReserve(world, ask)
    // A new process of agent-1 asks; agent-2's process is gone; agent-3 is well.
    world.wait(1_000)
    for (const id of ['agent-2', 'agent-3'] as const) {
      await world.store.agents.ensure(id, world.time)
      await world.store.agents.patch(id, { startedAt: new Date(world.time.getTime() - 60_000) })
    }
    await world.store.agents.patch('agent-2', { pid: null })
    await world.store.agents.patch('agent-3', { pid: 1 })
    const next = again(one)
    expect((await runReserve(world, next)).is).toBe('granted')
    expect(await sweepReservations(world)).toBe(1)
    expect(await sweepReservations(world)).toBe(0)
    const totals = await runTotals(world, 'daily')
    expect(totals).toMatchObject({ totalUSD: 1, assumedUSD: 1, reservedUSD: 1 })
    // The real figure was on its way.
    await runSettle(world, { id: two.id, cost: world.cost(two, 0.02), next: null })
    expect(await runTotals(world, 'daily')).toMatchObject({ totalUSD: 0.52, assumedUSD: 0.5, reservedUSD: 1 })
    for (const ask of [next, three]) await runSettle(world, { id: ask.id, cost: null, next: null })
    expect((await world.store.ledger.open()).length).toBe(0)
  })

  test('each threshold of each budget is told once; another limit and another day have their own', async (context) => {
    const world = await spender(context)
    world.budget(10, 100)
    const ask = await world.claim('agent-1')
    const told = async () =>
      (await world.facts('budget.crossed')).map(({ period, percent, level }) => [period, percent, level])
    await runLog(world, randomUUID(), world.cost(ask, 4.99))
    expect(await told()).toEqual([])
    await runLog(world, randomUUID(), world.cost(ask, 0.01))
    await runLog(world, randomUUID(), world.cost(ask, 0.01))
    expect(await told()).toEqual([['daily', 50, 'info']])
    await runLog(world, randomUUID(), world.cost(ask, 4.2))
    expect(await told()).toEqual([
      ['daily', 50, 'info'],
      ['daily', 75, 'warning'],
      ['daily', 90, 'error'],
    ])
    expect((await runBudgets(world)).hold.is).toBe('claims')
    await runLog(world, randomUUID(), world.cost(ask, 1))
    expect((await runBudgets(world)).hold.is).toBe('all')
    expect((await told()).at(-1)).toEqual(['daily', 100, 'critical'])
    world.budget(20, 100)
    expect((await runBudgets(world)).hold.is).toBe('none')
    await runLog(world, randomUUID(), world.cost(ask, 0))
    expect((await told()).slice(4)).toEqual([['daily', 50, 'info']])
    world.wait(24 * 3_600_000)
    expect(await runTotals(world, 'daily')).toMatchObject({ totalUSD: 0, health: 'healthy' })
    expect(await runTotals(world, 'monthly')).toMatchObject({
      totalUSD: 10.21,
      calls: 6,
      label: '$10.21 / $100.00 (10.2%)',
    })
    await runLog(world, randomUUID(), world.cost(ask, 40))
    expect((await told()).slice(5)).toEqual([
      ['daily', 50, 'info'],
      ['daily', 75, 'warning'],
      ['daily', 90, 'error'],
      ['daily', 100, 'critical'],
      ['monthly', 50, 'info'],
    ])
  })

  test('a call that no longer fits is refused, and that is the end of the budget', async (context) => {
    const world = await spender(context)
    world.budget(2)
    const ask = await world.claim('agent-1')
    await runLog(world, randomUUID(), world.cost(ask, 1.75))
    expect((await runBudgets(world)).hold).toEqual({ is: 'none' })
    const refused: Granting = await runReserve(world, ask)
    expect(refused).toMatchObject({ is: 'refused' })
    expect(refused.why).toContain('$1.75 / $2.00 (87.5%), and the next call may cost $0.50')
    expect((await runBudgets(world)).hold).toMatchObject({ is: 'all' })
    const crossed = (await world.facts('budget.crossed')).at(-1)
    expect(crossed).toMatchObject({ percent: 100, level: 'critical', spentUSD: 1.75, nextUSD: 0.5 })
    await runReserve(world, again(ask))
    expect((await world.facts('budget.crossed')).filter(({ percent }) => percent === 100)).toHaveLength(1)
    world.budget(4)
    expect((await runReserve(world, again(ask))).is).toBe('granted')
  })

  test('a cost from the future is booked now', async (context) => {
    const world = await spender(context)
    world.budget(50)
    const ask = await world.claim('agent-1')
    const timestamp = new Date(world.time.getTime() + 3 * 24 * 3_600_000).toISOString()
    const cost = { ...world.cost(ask, 0.45, { input: 100_000, output: 10_000 }), timestamp }
    const { is, entry } = await runLog(world, randomUUID(), cost)
    expect([is, entry.costUSD, entry.timestamp]).toEqual(['logged', 0.45, world.time.toISOString()])
    expect(await world.spent()).toBe(0.45)
    expect(await world.facts('cost.logged')).toMatchObject([{ costUSD: 0.45, assumed: false }])
  })

  test('the crew begins only so many calls within a minute', async (context) => {
    const world = await spender(context)
    world.budget(50, 500, { callsPerMinute: 2 })
    let ask = await world.claim('agent-1')
    for (const is of ['granted', 'granted', 'wait']) {
      expect((await runReserve(world, ask)).is).toBe(is)
      await runSettle(world, { id: ask.id, cost: world.cost(ask, 0.01), next: null })
      ask = again(ask)
    }
    world.wait(60_001)
    expect((await runReserve(world, ask)).is).toBe('granted')
  })

  test('however reserving, settling and crashing interleave, one call for each agent is the most that is overspent', async (context) => {
    const world = await spender(context)
    const agents = ['agent-1', 'agent-2', 'agent-3'] as const
    const act = fc.record({
      agent: fc.constantFrom(...agents),
      does: fc.constantFrom('reserve', 'settle', 'crash', 'renew'),
      cents: fc.integer({ min: 1, max: 150 }),
    })
    let day = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.array(act, { maxLength: 30 }),
        async (limit, acts) => {
          day += 1
          world.time = new Date(Date.UTC(lastYear, 6, day, 12))
          for (const left of await world.store.ledger.open())
            await world.store.ledger.close(left.id, 'released', world.time)
          world.budget(Math.max(limit, 1) / 100, 1_000, { callsPerMinute: 1_000 })
          await playAll(world, acts, Math.max(limit, 1) / 100)
        },
      ),
      { numRuns: driver === 'embedded' ? 5 : 8 },
    )
  })

  verifies(
    'ORCH-S4-21',
    'an item that costs more than five dollars is told to the owner, once',
    async (context) => {
      const world = await spender(context)
      const [dear, fair] = [await world.claim('agent-1'), await world.claim('agent-2')]
      const spend = async (ask: ItemAsk, usd: number) => {
        await runLog(world, randomUUID(), world.cost(ask, usd))
        await noticeDear(world)
      }
      const told = async () => (await world.facts('owner.notified')).map(({ about, text }) => [about, text])
      await spend(dear, 3)
      await spend(fair, 5)
      await spend(dear, 2)
      expect(await told()).toEqual([])
      await spend(dear, 0.4)
      const text = expect.stringMatching(/^#\d+ has cost \$5\.40, more than \$5\.00.*treadle rollback/)
      expect(await told()).toEqual([['cost', text]])
      await spend(dear, 9)
      expect(await told()).toHaveLength(1)
      world.settings = sampleConfig({ limits: { itemCostUSD: 4 } })
      await noticeDear(world)
      expect(await told()).toHaveLength(2)
    },
  )

  test('an item that has cost its limit is granted no further call; another one is', async (context) => {
    const world = await spender(context)
    const [dear, fair] = [await world.claim('agent-1'), await world.claim('agent-2')]
    world.budget(100, 1_000, { itemCostUSD: 2 })
    await runLog(world, randomUUID(), world.cost(dear, 1.5))
    expect(await runReserve(world, dear)).toMatchObject({ is: 'granted' })
    const settled = { id: dear.id, cost: world.cost(dear, 0.5), next: { ...dear, id: randomUUID() } }
    expect((await runSettle(world, settled)).next).toMatchObject({
      is: 'refused',
      isItemSpent: true,
      why: expect.stringMatching(/^#\d+ has cost \$2\.00 of the \$2\.00 .*limits\.itemCostUSD/),
    })
    expect(await runReserve(world, fair)).toMatchObject({ is: 'granted' })
  })

  test('what the last days have cost is worked out day by day', async (context) => {
    const world = await spender(context)
    const ask = await world.claim('agent-1')
    world.budget(100)
    for (const usd of [2, 8, 4]) {
      await runLog(world, randomUUID(), world.cost(ask, usd))
      world.wait(24 * 3_600_000)
    }
    const { days, ...advice } = await runAdvice(world)
    expect(days.slice(0, 4).map(({ costUSD }) => costUSD)).toEqual([4, 8, 2, 0])
    expect(advice).toMatchObject({ suggestedUSD: 12, limitUSD: 100 })
  })
})

interface Act {
  readonly agent: AgentId
  readonly does: string
  readonly cents: number
}

/** Two of the acts are under way at a time, as from different agents. */
async function playAll(world: Spender, acts: readonly Act[], limit: number): Promise<void> {
  const asks = new Map<AgentId, ItemAsk>()
  for (const agent of new Set(acts.map((each) => each.agent))) asks.set(agent, await world.claim(agent))
  const granted = new Map<AgentId, ItemAsk>()
  let dearest = 0.5
  const play = async ({ agent, does, cents }: Act) => {
    const ask = asks.get(agent)
    const held = granted.get(agent)
    if (ask === undefined) return
    const next = again(ask)
    // A crash: whatever was granted is forgotten by its holder, and the next process asks anew.
    if (does === 'reserve' || does === 'crash' || held === undefined) {
      granted.delete(agent)
      if ((await runReserve(world, next)).is === 'granted') granted.set(agent, next)
      return
    }
    dearest = Math.max(dearest, cents / 100)
    const cost = world.cost(ask, cents / 100)
    granted.delete(agent)
    const settled = await runSettle(world, { id: held.id, cost, next: does === 'renew' ? next : null })
    if (settled.next?.is === 'granted') granted.set(agent, next)
  }
  for (let at = 0; at < acts.length; at += 2) {
    const pair = acts.slice(at, at + 2)
    const apart = new Set(pair.map((each) => each.agent)).size === pair.length
    if (apart) await Promise.all(pair.map(play))
    else for (const each of pair) await play(each)
    expect(await world.spent()).toBeLessThanOrEqual(limit + asks.size * dearest + 1e-9)
  }
  const { totalUSD, reservedUSD } = await runTotals(world, 'daily')
  expect(reservedUSD).toBeCloseTo(granted.size * 0.5, 9)
  if (totalUSD >= limit) {
    const [ask] = asks.values()
    if (ask !== undefined) expect((await runReserve(world, again(ask))).is).not.toBe('granted')
  }
}
