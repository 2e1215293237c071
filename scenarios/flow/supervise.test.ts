// The one recovery authority, on real databases and a clock that is moved by hand.

import { runClaim } from '@treadle/flow/claim/claim.run'
import type { AdvanceRequest } from '@treadle/flow/ports/moving'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { COMMIT, green, sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const HOUR = 3_600_000

describe.each(DRIVERS)('the sweep on the %s database', (driver) => {
  const open = useStore(driver)

  async function held(world: FlowWorld) {
    const item = await world.add()
    await runClaim(world, { item, agentId: 'agent-1', requestId: null })
    return item
  }

  verifies(
    ['AC-2.1.d', 'AC-5.5.e', 'ORCH-2.1-7'],
    'a claim older than 8 h whose agent is silent goes back to the queue, once',
    async (context) => {
      const world = new FlowWorld(await open(context))
      // The execution deadline is put out of the way: here only the lease is looked at.
      world.settings = sampleConfig({ limits: { executionMs: 100 * HOUR } })
      const item = await held(world)
      world.health.set('agent-1', 'unresponsive')
      world.wait(8 * HOUR)
      await runSweep(world)
      expect(await world.store.items.find(item)).toMatchObject({
        state: 'claimed',
        claimedByAgentId: 'agent-1',
      })
      world.wait(1)
      await runSweep(world)
      await runSweep(world)
      expect(await world.store.items.find(item)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
      expect(
        (await world.store.events.ofItem(item, 50)).filter(({ event }) => event.type === 'claim.expired'),
      ).toHaveLength(1)
      expect(
        (await world.store.items.queue(1_000)).some(
          ({ projectNumber }) => projectNumber === item.projectNumber,
        ),
      ).toBe(true)
    },
  )

  test('a healthy holder is not robbed by the lease', async (context) => {
    const world = new FlowWorld(await open(context))
    world.settings = sampleConfig({ limits: { executionMs: 100 * HOUR } })
    const item = await held(world)
    world.health.set('agent-1', 'healthy')
    world.wait(50 * HOUR)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({
      state: 'claimed',
      claimedByAgentId: 'agent-1',
    })
  })

  verifies(
    'AC-2.2.f',
    'an execution of more than 8 h ends: run failed, item in the backlog, claim released',
    async (context) => {
      const world = new FlowWorld(await open(context))
      const item = await held(world)
      world.health.set('agent-1', 'healthy')
      world.wait(8 * HOUR - 1)
      await runSweep(world)
      expect(await world.store.items.find(item)).toMatchObject({ state: 'claimed' })
      world.wait(2)
      await runSweep(world)
      const after = await world.store.items.find(item)
      expect(after).toMatchObject({
        status: 'backlog',
        claimedByAgentId: null,
        reason: 'timeout: no result in claimed',
      })
      expect(await world.store.runs.find(after?.runId ?? '')).toMatchObject({
        status: 'error',
        outcome: 'failed',
      })
    },
  )

  test('the clock of a halted holder stands still, and goes on where it stood', async (context) => {
    const world = new FlowWorld(await open(context))
    const item = await held(world)
    world.health.set('agent-1', 'healthy')
    world.wait(7 * HOUR)
    const frozenFor = 9 * HOUR
    world.wait(frozenFor)
    await runSweep({ ...world, isFrozen: async () => true })
    expect(await world.store.items.find(item)).toMatchObject({ state: 'claimed' })
    const move = { type: 'claim.extended', byMs: frozenFor, why: 'agent-1 was paused' } as const
    const eventId = `test:extended:${item.projectNumber}`
    await world.advance({ item, eventId, fence: null, agentId: 'agent-1', move })
    world.wait(HOUR - 1)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({
      state: 'claimed',
      claimedByAgentId: 'agent-1',
    })
    world.wait(2)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
  })

  test('an item whose job got lost gets another one', async (context) => {
    const world = new FlowWorld(await open(context))
    world.settings = sampleConfig({ merge: { approval: 'checks' } })
    const item = await held(world)
    const say = (move: AdvanceRequest['move'], n: number) =>
      world.advance({ item, eventId: `test:${item.projectNumber}:${n}`, fence: null, agentId: null, move })
    await say({ type: 'build.started', branch: 'b', base: COMMIT }, 1)
    await say({ type: 'build.finished', summary: '', checkpoint: COMMIT }, 2)
    await say(
      { type: 'verify.passed', branch: 'b', head: COMMIT, gates: [green()], pushed: false, pushNote: null },
      3,
    )
    const fresh = await runSweep(world)
    world.wait(16_000)
    const later = await runSweep(world)
    expect([fresh.jobs, later.jobs]).toEqual([0, 1])
  })
})
