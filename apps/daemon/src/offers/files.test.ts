// Files of tasks of one build: one agent has them, others are offered something else until they are free again.
import type { AgentHealth } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { DRIVERS, newItem, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { crewOn, refOf, runningBuild } from './testing/build-crew.ts'

describe.each(DRIVERS)('files of a build on the %s database', (driver) => {
  const open = useStore(driver)

  test('one agent has the file: the other is not offered the task, and a claim of it says who has it', async (context) => {
    const { store, now, add, claim, offered, move, look } = await crewOn(await open(context))
    const one = await add('one')
    const two = await add('two', { files: ['./src//a.ts', 'src/b.ts'] })
    expect((await look(two))?.clearance).toEqual({ is: 'ready' })
    expect(await claim(one, 'agent-2')).toMatchObject({ is: 'claimed' })
    expect((await look(one))?.clearance).toBeNull()
    expect((await look(two))?.clearance).toEqual({
      is: 'locked',
      by: 'agent-2',
      item: refOf(one),
      file: 'src/a.ts',
    })
    expect(await offered('agent-1')).toBeNull()
    expect(await claim(two, 'agent-1')).toMatchObject({
      is: 'locked',
      lock: { lockedBy: 'agent-2', item: refOf(one), file: 'src/a.ts' },
    })
    expect(await store.fileLocks.waits(now())).toEqual([
      expect.objectContaining({ waiter: `1/${two.number}`, waitingFor: `1/${one.number}` }),
    ])
    await add('three', { files: ['src/c.ts'] })
    expect(await offered('agent-1')).toBe('three')
    await move(one, { type: 'claim.released', why: 'given back' })
    expect(await store.fileLocks.waits(now())).toEqual([])
    await move(one, { type: 'item.withdrawn', by: 'test' })
    expect(await offered('agent-1')).toBe('two')
    expect(await claim(two, 'agent-1')).toMatchObject({ is: 'claimed' })
    expect((await store.fileLocks.live(now())).map(({ file, lockedBy }) => [file, lockedBy])).toEqual([
      ['src/a.ts', 'agent-1'],
      ['src/b.ts', 'agent-1'],
    ])
  })

  test('of two claims at one moment one has the file', async (context) => {
    const { add, claim } = await crewOn(await open(context))
    const items = [await add('one', { files: ['src/**'] }), await add('two', { files: ['src/deep/x.ts'] })]
    const [one, two] = items
    if (one === undefined || two === undefined) throw new Error('no items')
    const ends = await Promise.all([claim(one, 'agent-1'), claim(two, 'agent-2')])
    expect(ends.map(({ is }) => is).sort()).toEqual(['claimed', 'locked'])
  })

  test('other builds, and items of none, are not held up: what overlaps is offered last', async (context) => {
    const { store, now, add, claim, offered } = await crewOn(await open(context))
    const busy = await add('busy', { files: ['src/a.ts'] })
    await claim(busy, 'agent-2')
    const other = await runningBuild(store, now())
    const first = await add('of another build', { build: other })
    await store.items.add({ ...newItem({ title: 'of none' }), files: ['src/*.ts'] }, now())
    await store.items.add({ ...newItem({ title: 'elsewhere' }), files: ['docs/a.md'] }, now())
    await store.items.add(newItem({ title: 'names no files' }), now())
    const order: (string | null)[] = []
    for (const id of ['agent-3', 'agent-4', 'agent-5', 'agent-6'] as const) {
      const title = await offered(id)
      order.push(title)
      const item = (await store.items.queue(10)).find((each) => each.title === title)
      if (item !== undefined) expect(await claim(item, id)).toMatchObject({ is: 'claimed' })
    }
    expect(order).toEqual(['elsewhere', 'names no files', first.title, 'of none'])
  })

  test('a holder that goes silent loses its files with its claim, by the one sweep; until then its signs of life keep both', async (context) => {
    const { store, now, clock, config, advance, add, claim, offered, look } = await crewOn(
      await open(context),
    )
    const { claimMs, degradedMs } = config().limits
    const one = await add('one')
    const two = await add('two')
    await claim(one, 'agent-2')
    let health: AgentHealth = 'healthy'
    const sweep = () => runSweep({ store, now, config, advance, healthOf: async () => health })
    // Old, and well: what it holds stays.
    clock.ms += claimMs - 1
    await store.fileLocks.beat('agent-2', new Date(clock.ms + degradedMs))
    clock.ms += degradedMs - 1
    expect(await offered('agent-1')).toBeNull()
    // Silent: the lock ends by itself, before anybody has swept.
    health = 'unresponsive'
    expect(await store.fileLocks.live(now())).toEqual([])
    expect((await look(two))?.clearance).toEqual({ is: 'ready' })
    expect(await claim(two, 'agent-1')).toMatchObject({ is: 'claimed' })
    expect((await sweep()).leases).toBe(1)
    expect((await look(one))?.clearance).toMatchObject({ is: 'locked', by: 'agent-1' })
    expect((await store.fileLocks.live(now())).map(({ lockedBy }) => lockedBy)).toEqual(['agent-1'])
  })

  test('a more urgent task takes the file: its owner gives it up and comes after it', async (context) => {
    const { store, now, add, claim, offered, told, look } = await crewOn(await open(context))
    const owner = await add('owner', { priority: 5 })
    await claim(owner, 'agent-2')
    const equal = await add('equal', { priority: 5 })
    expect(await offered('agent-1')).toBeNull()
    expect(await offered('agent-1')).toBeNull()
    expect(await told(equal)).toEqual([
      expect.objectContaining({
        file: 'src/a.ts',
        requestor: { item: refOf(equal), agentId: null, priority: 5 },
        owner: { item: refOf(owner), agentId: 'agent-2', priority: 5 },
        decision: {
          action: 'DENY',
          target: `#${equal.number}`,
          reason: `File owned by #${owner.number}`,
          suggestion: 'Wait or request change',
        },
      }),
    ])
    const urgent = await add('urgent', { priority: 1 })
    expect(await offered('agent-1')).toBe('urgent')
    expect(await told(urgent)).toEqual([
      expect.objectContaining({
        decision: {
          action: 'PREEMPT',
          target: `#${owner.number}`,
          message: `#${urgent.number} needs src/a.ts for higher priority work`,
          followUp: 'PAUSE_AND_YIELD',
        },
      }),
    ])
    expect(await look(owner)).toMatchObject({
      state: 'backlog',
      claimedByAgentId: null,
      reason: `#${urgent.number} needs src/a.ts for higher priority work`,
    })
    expect(await claim(urgent, 'agent-1')).toMatchObject({ is: 'claimed' })
    expect((await look(owner))?.clearance).toMatchObject({ is: 'locked', by: 'agent-1' })
    // Whoever gave it up does not take it back.
    expect(await claim(owner, 'agent-2')).toMatchObject({ is: 'locked' })
    expect(await store.fileLocks.waits(now())).toEqual([
      expect.objectContaining({ waiter: `1/${owner.number}`, waitingFor: `1/${urgent.number}` }),
    ])
  })

  test('nobody gives a file up for a task that whoever looks may not have', async (context) => {
    const may = { kept: 'agent-3' as AgentId | null, passes: false }
    const crew = await crewOn(await open(context), {
      keptFor: async ({ title }) => (title === 'urgent' ? may.kept : null),
      passesOver: async ({ title }) => title === 'urgent' && may.passes,
    })
    const owner = await crew.add('owner', { priority: 5 })
    await crew.claim(owner, 'agent-2')
    const urgent = await crew.add('urgent', { priority: 1 })
    const isAtWork = async () => (await crew.store.items.find(refOf(owner)))?.state === 'claimed'
    expect(await crew.offered('agent-1')).toBeNull()
    expect(await isAtWork()).toBe(true)
    Object.assign(may, { kept: null, passes: true })
    expect(await crew.offered('agent-1')).toBeNull()
    expect(await isAtWork()).toBe(true)
    expect(await crew.told(urgent)).toEqual([])
    Object.assign(may, { kept: 'agent-3', passes: false })
    expect(await crew.offered('agent-3')).toBe('urgent')
    expect(await isAtWork()).toBe(false)
  })

  test('what has waited for a file and gets it is told so', async (context) => {
    const { add, claim, move, told } = await crewOn(await open(context))
    const one = await add('one')
    const two = await add('two')
    await claim(one, 'agent-2')
    await claim(two, 'agent-1')
    await move(one, { type: 'item.withdrawn', by: 'test' })
    await claim(two, 'agent-1')
    expect(
      (await told(two)).map((event) => event.type === 'conflict.detected' && event.decision.action),
    ).toEqual(['DENY', 'GRANT'])
  })

  test('a delivered task keeps its files until it has landed', async (context) => {
    const { store, now, clock, config, advance, add, claim, move, deliver, offered } = await crewOn(
      await open(context),
    )
    const one = await add('one')
    await add('two')
    await claim(one, 'agent-2')
    await deliver(one)
    expect((await store.items.find(refOf(one)))?.state).toBe('in_review')
    expect(await store.fileLocks.live(now())).toHaveLength(1)
    expect(await offered('agent-1')).toBeNull()
    // However long that takes: a person is reminded, and its files stay with it.
    const sweep = () => runSweep({ store, now, config, advance, healthOf: async () => 'healthy' as const })
    clock.ms += config().limits.reviewWaitMs
    expect((await sweep()).deadlines).toBe(1)
    clock.ms += config().limits.reviewWaitMs - 1
    expect(await store.fileLocks.live(now())).toHaveLength(1)
    expect(await offered('agent-1')).toBeNull()
    const approval = { kind: 'human', by: 'ada', at: now().toISOString(), restsOn: 'nothing' } as const
    await move(one, { type: 'review.approved', approval })
    await move(one, { type: 'merge.landed', commit: 'b'.repeat(40), target: 'build/x', note: null })
    expect(await store.fileLocks.live(now())).toEqual([])
    expect(await offered('agent-1')).toBe('two')
  })

  test('a task whose file belongs to somebody else is not offered until a person says that they agree', async (context) => {
    const { store, now, add, claim, offered, look } = await crewOn(await open(context))
    const item = await add('theirs', { owner: '@team/api' })
    expect(await look(item)).toMatchObject({
      requiresCoordination: true,
      clearance: { is: 'owned', by: '@team/api' },
    })
    expect(await offered('agent-1')).toBeNull()
    expect(await claim(item, 'agent-1')).toEqual({ is: 'owned', by: '@team/api' })
    await store.items.plan({ ...item, requiresCoordination: false }, now())
    expect((await look(item))?.clearance).toEqual({ is: 'ready' })
    expect(await offered('agent-1')).toBe('theirs')
  })
})
