// With a crew that is never idle somebody looks for improvements before the last items are taken, and for no more money
// than looking may cost.
import { randomUUID } from 'node:crypto'
import type { Reservation } from '@treadle/contracts/cost'
import type { AgentId } from '@treadle/contracts/ids'
import { runLookFirst } from '@treadle/flow/idea/category/look.run'
import type { LookWorld } from '@treadle/flow/idea/category/look-world'
import { runReserve, runSettle } from '@treadle/flow/supervise/spend/spend.run'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import type { ThoughtWorld } from '@treadle/flow/work/thought.run'
import { runClaimThought } from '@treadle/flow/work/thought.run'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, type TestContext, test } from 'vitest'
import { FlowWorld } from './world.ts'

class Looking extends FlowWorld implements LookWorld, ThoughtWorld {
  readonly surveyed = []
  prompt = async () => ({ is: 'prompt', text: 'An improvement, please.' }) as const
  packages = async () => []
  hasTests = () => true
  unready = () => null
  hold = () => null
  /** Everybody is at work: only who asks has nothing to do. */
  isIdle = () => false
  lockSubject = async () => undefined
  endThought = async () => null

  async running(count: number): Promise<void> {
    for (let nth = 1; nth <= 5; nth += 1) {
      await this.store.agents.ensure(`agent-${nth}`, this.time)
      await this.store.agents.patch(`agent-${nth}`, { wanted: nth <= count ? 'running' : 'stopped' })
    }
  }

  async queued(count: number): Promise<void> {
    const [{ queued }] = [await this.store.healthCounts.ofLoop()]
    for (let nth = queued; nth < count; nth += 1) await this.add()
  }

  asked() {
    return this.store.thoughts.list({ kind: 'category_idea', isOpen: true, limit: 100 })
  }
}

const SETTINGS = {
  flags: { enable_ideation: true },
  engines: { default: 'scripted' },
  agents: { ideationBudgetUSD: 1 },
}

describe.each(DRIVERS)('who asks for work on the %s database', (driver) => {
  const open = useStore(driver)
  const looking = async (context: TestContext) => {
    const world = new Looking(await open(context))
    world.settings = sampleConfig(SETTINGS)
    return world
  }

  test('looks first where fewer than three items would be left, one agent of a crew at a time', async (context) => {
    const world = await looking(context)
    await world.running(1)
    expect(await runLookFirst(world, 'agent-1')).toBe(false)
    await world.queued(3)
    // Alone it would keep everybody from building.
    expect(await runLookFirst(world, 'agent-1')).toBe(false)
    await world.running(3)
    world.settings = sampleConfig({ ...SETTINGS, flags: {} })
    expect(await runLookFirst(world, 'agent-1')).toBe(false)
    world.settings = sampleConfig(SETTINGS)
    expect(await Promise.all([1, 2, 3].map((nth) => runLookFirst(world, `agent-${nth}`)))).toEqual(
      expect.arrayContaining([true, false, false]),
    )
    expect(await world.asked()).toHaveLength(1)
    expect(await runLookFirst(world, 'agent-2')).toBe(false)
  })

  test('takes its item where three would be left', async (context) => {
    const world = await looking(context)
    await world.running(3)
    for (const { id, fence } of await world.asked())
      await world.store.thoughts.end(id, fence, { is: 'withdrawn', why: 'a test' }, world.time)
    await world.queued(4)
    expect(await runLookFirst(world, 'agent-1')).toBe(false)
    expect(await world.asked()).toEqual([])
  })

  test('is granted no call of a look that the budget for looking does not cover', async (context) => {
    const world = await looking(context)
    world.wait(24 * 3_600_000)
    const look = async (agentId: AgentId): Promise<Omit<Reservation, 'timestamp'>> => {
      const thought = randomUUID()
      const deadlineAt = new Date(world.time.getTime() + 60_000)
      const given = { kind: 'category_idea', subject: 'security', engine: 'scripted', use: 'idea' } as const
      const words = { system: '', prompt: 'Look.', schema: null, deadlineAt }
      await world.store.thoughts.add({ id: thought, ...given, ...words }, world.time)
      const claimed = await runClaimThought(world, { id: thought, agentId })
      if (claimed.is !== 'claimed') throw new Error('the thought was not claimed')
      const of = { agentId, item: null, runId: null, thoughtId: thought, fence: claimed.thought.fence }
      return { id: randomUUID(), ...of, model: 'm', costUSD: 0.4 }
    }
    const [one, two, three] = [await look('agent-1'), await look('agent-2'), await look('agent-3')]
    expect((await runReserve(world, one)).is).toBe('granted')
    expect((await runReserve(world, two)).is).toBe('granted')
    expect(await runReserve(world, three)).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('agents.ideationBudgetUSD'),
    })
    const { fence: _, item, id, ...of } = one
    const cost = {
      ...of,
      projectNumber: 1,
      itemNumber: null,
      tokens: { input: 1, output: 1 },
      assumed: false,
    }
    const timestamp = world.time.toISOString()
    expect(item).toBeNull()
    await runSettle(world, { id, cost: { ...cost, costUSD: 0.1, timestamp }, next: null })
    expect((await runReserve(world, three)).is).toBe('granted')
    expect(await world.store.ideations.totals(world.time)).toMatchObject({
      spentTodayUSD: 0.1,
      dearestUSD: 0.1,
    })
  })
})
