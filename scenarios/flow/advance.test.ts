// The law that one function moves an item, on real databases: fenced, deduplicated, all or nothing.
import { randomUUID } from 'node:crypto'
import type { AgentMove } from '@treadle/contracts/event'
import { phaseRecord } from '@treadle/contracts/run'
import { advance } from '@treadle/flow/advance'
import { runClaim } from '@treadle/flow/claim/claim.run'
import type { Advanced } from '@treadle/flow/ports/moving'
import { report } from '@treadle/flow/report.run'
import { runReview } from '@treadle/flow/review/review.run'
import { COMMIT, green, red, sampleConfig } from '@treadle/flow/work/testing/sample'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

describe.each(DRIVERS)('advance on the %s database', (driver) => {
  const open = useStore(driver)

  async function claimed(world: FlowWorld) {
    const item = await world.add()
    const claim = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
    if (claim.is !== 'claimed') throw new Error(claim.is)
    const tell = (
      event: Parameters<typeof report>[1]['event'],
      { eventId = randomUUID() as string, fence = claim.fence } = {},
    ) => report(world, { runId: claim.run.id, eventId, fence, event })
    return { item, claim, tell }
  }
  const started = { type: 'build.started', branch: 'agent-1/project-1', base: COMMIT } as const
  const finished = { type: 'build.finished', summary: 'done', checkpoint: COMMIT } as const
  const passed: AgentMove = {
    type: 'verify.passed',
    branch: 'agent-1/project-1',
    head: COMMIT,
    gates: [green(), green('witness')],
    pushed: false,
    pushNote: null,
  }

  test('what a claim answers is what is stored: the item, its run and the event', async (context) => {
    const world = new FlowWorld(await open(context))
    const ref = await world.add()
    const before = await world.store.items.find(ref)
    if (before === null) throw new Error('no item')
    await world.store.items.save({
      ...before,
      state: 'rework',
      labels: ['bug', 'ui'],
      priority: 2,
      acceptance: [{ id: 'a', text: 'it holds', status: 'not_met' }],
      testCommand: 'npm test',
      needsRework: true,
      attempts: 3,
      reviewCycles: 1,
      reminders: 2,
      assignedAgentId: 'agent-1',
      branch: 'agent-2/project-1',
      headCommit: COMMIT,
      confidence: { level: 'low', why: 'a guess' },
      reason: 'too clever',
    })
    world.wait(60_000)
    const claim = await runClaim(world, { item: ref, agentId: 'agent-1', requestId: 'request-1' })
    if (claim.is !== 'claimed') throw new Error(claim.is)
    expect(await world.store.items.find(ref)).toEqual(claim.item)
    expect(await world.store.runs.find(claim.run.id)).toEqual(claim.run)
    expect(claim.item).toMatchObject({
      state: 'claimed',
      fence: 1,
      runId: claim.run.id,
      reason: 'too clever',
    })
    expect(await world.store.events.ofItem(ref, 10)).toMatchObject([
      {
        id: `claim:${claim.run.id}`,
        at: claim.item.claimedAt,
        item: ref,
        agentId: 'agent-1',
        runId: claim.run.id,
        state: 'claimed',
        event: { type: 'claim.taken', agentId: 'agent-1', runId: claim.run.id },
      },
    ])
    const again = await runClaim(world, { item: ref, agentId: 'agent-1', requestId: 'request-1' })
    expect(again).toEqual(claim)
  })

  test('an event moves the item once, however often it is sent', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, tell } = await claimed(world)
    const eventId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => tell(started, { eventId })))
    expect(answers.map(({ is }) => is).sort()).toEqual([
      'advanced',
      'duplicate',
      'duplicate',
      'duplicate',
      'duplicate',
    ])
    expect(await world.store.items.find(item)).toMatchObject({ state: 'building' })
    expect((await world.store.events.ofItem(item, 100)).filter(({ id }) => id === eventId)).toHaveLength(1)
  })

  test('who has lost the claim cannot move the item, nor write to its run', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, claim, tell } = await claimed(world)
    await advance(world, {
      item,
      eventId: randomUUID(),
      fence: null,
      agentId: null,
      move: { type: 'claim.released', why: 'taken away' },
    })
    expect((await tell(started)).is).toBe('fenced')
    const second = await runClaim(world, { item, agentId: 'agent-2', requestId: null })
    expect(second).toMatchObject({ is: 'claimed', fence: claim.fence + 1 })
    expect((await tell(started)).is).toBe('fenced')
    expect((await tell({ type: 'run.resumed', from: 'building', why: 'late' })).is).toBe('fenced')
    expect(await world.store.items.find(item)).toMatchObject({
      state: 'claimed',
      claimedByAgentId: 'agent-2',
    })
  })

  test("an old run cannot borrow the new run's token", async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, claim, tell } = await claimed(world)
    await advance(world, {
      item,
      eventId: randomUUID(),
      fence: null,
      agentId: null,
      move: { type: 'claim.released', why: 'taken away' },
    })
    await runClaim(world, { item, agentId: 'agent-2', requestId: null })
    expect((await tell(started, { fence: claim.fence + 1 })).is).toBe('fenced')
    expect((await tell({ type: 'run.resumed', from: 'x', why: 'late' }, { fence: claim.fence + 1 })).is).toBe(
      'fenced',
    )
    expect(await world.store.items.find(item)).toMatchObject({
      state: 'claimed',
      claimedByAgentId: 'agent-2',
    })
  })

  test('a refused move changes nothing and is not recorded', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, tell } = await claimed(world)
    const before = await world.store.items.find(item)
    expect(await tell(passed)).toMatchObject({ is: 'refused' })
    expect(await world.store.items.find(item)).toEqual(before)
    expect((await world.store.events.ofItem(item, 100)).map(({ event }) => event.type)).toEqual([
      'claim.taken',
    ])
  })

  test('when the last step of the transaction fails, none of it happened', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, tell } = await claimed(world)
    await tell(started)
    await tell(finished)
    const before = await world.store.items.find(item)
    const broken = {
      ...world,
      now: world.now,
      config: world.config,
      store: {
        ...world.store,
        jobs: { ...world.store.jobs, send: () => Promise.reject(new Error('no disk')) },
      },
    }
    const order = { item, eventId: randomUUID(), fence: null, agentId: null, move: passed }
    await expect(advance(broken, order)).rejects.toThrow('no disk')
    expect(await world.store.items.find(item)).toEqual(before)
    expect((await advance(world, order)).is).toBe('advanced')
  })

  test('the run follows the item: gates, iterations, outcome and end', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, claim, tell } = await claimed(world)
    await tell(started)
    await tell({ type: 'run.baseline', base: COMMIT, gates: [red()] })
    await tell(finished)
    await tell({ type: 'verify.failed', gates: [red()], why: 'adds fails' })
    await tell({
      type: 'run.phase',
      record: phaseRecord({
        phase: 'test',
        iteration: 0,
        startedAt: world.time.toISOString(),
        durationMs: 5,
        outcome: 'failed',
      }),
    })
    expect(await world.store.runs.find(claim.run.id)).toMatchObject({
      status: 'active',
      iteration: 0,
      base: COMMIT,
      baseline: [{ is: 'failed' }],
      gates: [{ is: 'failed' }],
      history: [{ phase: 'test' }],
    })
    await tell(finished)
    await tell(passed)
    expect(await world.store.runs.find(claim.run.id)).toMatchObject({
      status: 'complete',
      outcome: 'success',
      iteration: 1,
      gates: [{ is: 'passed' }, { is: 'passed' }],
    })
    expect(await world.store.items.find(item)).toMatchObject({ state: 'in_review', claimedByAgentId: null })
  })

  test.for(['human', 'checks'] as const)(
    'with merge.approval %s a delivery is approved by whom the owner said, and once',
    async (approval, context) => {
      const world = new FlowWorld(await open(context))
      world.settings = sampleConfig({ merge: { approval } })
      const { item, tell } = await claimed(world)
      for (const event of [started, finished, passed]) await tell(event)
      await Promise.all([runReview(world, item), runReview(world, item)])
      const after = await world.store.items.find(item)
      if (approval === 'human')
        expect(after).toMatchObject({ state: 'in_review', approval: null, needsHuman: true })
      else
        expect(after).toMatchObject({
          state: 'merging',
          approval: { kind: 'standing_order', by: 'merge.approval=checks' },
        })
      const approvals = (await world.store.events.ofItem(item, 100)).filter(
        ({ event }) => event.type === 'review.approved',
      )
      expect(approvals).toHaveLength(approval === 'checks' ? 1 : 0)
    },
  )

  test('nothing is said of an item that does not exist', async (context) => {
    const world = new FlowWorld(await open(context))
    const nowhere: Advanced = await advance(world, {
      item: { projectNumber: 999, number: 9 },
      eventId: randomUUID(),
      fence: null,
      agentId: null,
      move: started,
    })
    expect(nowhere).toEqual({ is: 'missing' })
  })

  test('an observation is recorded once, under the fence of its run, as it was said', async (context) => {
    const world = new FlowWorld(await open(context))
    const { item, claim, tell } = await claimed(world)
    const observation = { tool: 'read', input: 'a', output: 'b\u0000', durationMs: 1, success: true }
    const observed = { type: 'run.observed', observation } as const
    const eventId = randomUUID()
    const told = await Promise.all([1, 2, 3].map(() => tell(observed, { eventId })))
    expect(told.map(({ is }) => is).sort()).toEqual(['duplicate', 'duplicate', 'recorded'])
    expect((await tell(observed, { fence: claim.fence + 1 })).is).toBe('fenced')
    const stranger = { runId: randomUUID(), eventId: randomUUID(), fence: claim.fence, event: observed }
    expect((await report(world, stranger)).is).toBe('missing')
    const recorded = (await world.store.events.ofItem(item, 10)).filter(
      ({ event }) => event.type === 'run.observed',
    )
    expect(recorded).toMatchObject([
      {
        id: eventId,
        item,
        agentId: 'agent-1',
        runId: claim.run.id,
        state: 'claimed',
        event: { type: 'run.observed' },
      },
    ])
    await tell({ type: 'claim.released', why: 'enough' })
    const again = await runClaim(world, { item, agentId: 'agent-2', requestId: null })
    expect(again.is).toBe('claimed')
    expect((await tell(observed)).is).toBe('fenced')
  })
})
