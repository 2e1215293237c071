// What people say to a run, on real databases and a clock that is moved by hand.
import { randomUUID } from 'node:crypto'
import { runGuide } from '@treadle/flow/ask/guide.run'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { report } from '@treadle/flow/report.run'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const HOUR = 3_600_000

describe.each(DRIVERS)('guidance on the %s database', (driver) => {
  const open = useStore(driver)

  async function held(world: FlowWorld) {
    world.health.set('agent-1', 'healthy')
    const item = await world.add()
    const claimed = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
    if (claimed.is !== 'claimed') throw new Error(claimed.is)
    const { run, fence } = claimed
    const say = (event: Parameters<typeof report>[1]['event']) =>
      report(world, { runId: run.id, eventId: randomUUID(), fence, event })
    const guide = (text: string, answers: string | null = null, id: string = randomUUID()) =>
      runGuide(world, { runId: run.id, guidance: { id, by: 'owner', text, answers } })
    const events = (...types: ('run.guided' | 'claim.extended' | 'engine.suspended')[]) =>
      world.store.events.ofItem(item, 50, types)
    return { item, run, say, guide, events }
  }

  test('words are recorded once by their id, told of at once, and refused when the run is over', async (context) => {
    const world = new FlowWorld(await open(context))
    const { run, say, guide, events } = await held(world)
    const hints: string[] = []
    const deaf = world.store.listenToHints((hint) => {
      if (hint.is === 'guided') hints.push(hint.runId)
    })
    const id = randomUUID()
    // The listening begins a moment after it was asked for.
    await expect
      .poll(async () => {
        await guide('first')
        return hints.includes(run.id)
      })
      .toBe(true)
    deaf()
    const before = (await events('run.guided')).length
    const said = await guide('second', null, id)
    expect(await guide('second', null, id)).toEqual(said)
    expect(await events('run.guided')).toHaveLength(before + 1)
    expect((await guide('nobody asked', 'a-question')).is).toBe('not_asked')
    await say({ type: 'claim.released', why: 'enough' })
    expect((await guide('too late')).is).toBe('over')
    expect(
      (await runGuide(world, { runId: randomUUID(), guidance: { id, by: 'a', text: 'b', answers: null } }))
        .is,
    ).toBe('missing')
  })

  test('a run that waits for an answer, or for a limit to end, loses no time by it', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, say, guide, events } = await held(world)
    const question = { id: 'q1', kind: 'guidance' as const, title: 'Which?', options: [] }
    await say({ type: 'run.asked', question })
    world.wait(20 * HOUR)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({ state: 'claimed' })
    await guide('the first')
    const [extended] = await events('claim.extended')
    expect(extended?.event).toMatchObject({ byMs: 20 * HOUR })
    world.wait(7 * HOUR)
    const until = new Date(world.now().getTime() + 5 * HOUR).toISOString()
    await say({ type: 'run.paused', until, why: 'used up' })
    world.wait(5 * HOUR + 1)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({ state: 'claimed' })
    world.wait(HOUR)
    await runSweep(world)
    expect(await world.store.items.find(item)).toMatchObject({ state: 'backlog' })
  })

  test('an item is given back with the engine that was refused, and no attempt is counted', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, say, events } = await held(world)
    await say({ type: 'claim.released', why: 'The key or login of the engine was refused', engine: 'native' })
    expect(await world.store.items.find(item)).toMatchObject({ state: 'backlog', attempts: 0 })
    const [suspended] = await events('engine.suspended')
    const until = new Date(world.now().getTime() + world.config().limits.engineBreakMs).toISOString()
    expect(suspended?.event).toMatchObject({
      engine: 'native',
      why: 'The key or login of the engine was refused',
      until,
    })
  })
})
