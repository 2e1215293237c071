// Files of tasks of one build: one agent has them, others are offered something else until they are free again.
import { randomUUID } from 'node:crypto'
import type { AgentHealth } from '@treadle/contracts/agent'
import type { ItemMove } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { bindAdvance } from '@treadle/flow/advance'
import { type Claimed, runClaim } from '@treadle/flow/claim/claim.run'
import { runFurtherFiles } from '@treadle/flow/claim/further-files.run'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import type { AddedItem } from '@treadle/flow/ports/items'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { findWaitCycles } from '@treadle/flow/supervise/wait-cycles'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, newItem, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, type TestContext, test } from 'vitest'
import { FileConflicts, filesTaken, withClearance } from './files.ts'
import { WaitList } from './wait-list.ts'

const BEGIN = Date.parse('2026-11-15T12:00:00Z')
const HOUR_MS = 3_600_000

describe.each(DRIVERS)('files of a build on the %s database', (driver) => {
  const open = useStore(driver)

  /** A build of its own, a clock that the test leads, and agents that ask and claim. */
  async function crewOn(context: TestContext) {
    const store = await open(context)
    const clock = { ms: BEGIN }
    const now = () => new Date(clock.ms)
    const config = () => sampleConfig()
    const moving = bindAdvance({ store, now, config, consequences: CONSEQUENCES })
    const world = { store, now, config, uuid: randomUUID, ...moving }
    const conflicts = new FileConflicts(world)
    const waitList = new WaitList({
      store,
      pollMs: () => HOUR_MS,
      filesTaken: (looked, at) => filesTaken(store, looked, new Date(at)),
      onLocked: (item, lock) => conflicts.tell(item, lock),
      stopping: new AbortController().signal,
    })
    // What earlier tests left is in nobody's way.
    for (const item of await store.items.list({ limit: 1_000 }))
      await world.advance(moveOf(item, { type: 'item.withdrawn', by: 'test' }))
    const build = await runningBuild(store, now())
    const add = (title: string, given: Partial<AddedItem> = {}) =>
      store.items.add({ ...newItem({ title }), build, files: ['src/a.ts'], ...given }, now())
    const claim = (item: Item, agentId: AgentId): Promise<Claimed> =>
      runClaim(world, { item: refOf(item), agentId, requestId: null })
    const offered = async (id: AgentId): Promise<string | null> => {
      const picked = await waitList.pick(id, clock.ms)
      // An offer that nobody takes ends by itself.
      clock.ms += 2_000
      return picked === null ? null : ((await store.items.find(picked))?.title ?? null)
    }
    const move = (item: Item, what: ItemMove) => world.advance(moveOf(item, what))
    const told = async (item: Item) =>
      (await store.events.ofItem(refOf(item), 50, ['conflict.detected'])).map(({ event }) => event)
    const look = async (item: Item) => {
      const found = await store.items.find(refOf(item))
      return found === null ? null : ((await withClearance(world, [found]))[0] ?? null)
    }
    return { ...world, clock, build, add, claim, offered, move, told, look }
  }

  test('one agent has the file: the other is not offered the task, and a claim of it says who has it', async (context) => {
    const { store, now, add, claim, offered, move, look } = await crewOn(context)
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
    const { add, claim } = await crewOn(context)
    const items = [await add('one', { files: ['src/**'] }), await add('two', { files: ['src/deep/x.ts'] })]
    const [one, two] = items
    if (one === undefined || two === undefined) throw new Error('no items')
    const ends = await Promise.all([claim(one, 'agent-1'), claim(two, 'agent-2')])
    expect(ends.map(({ is }) => is).sort()).toEqual(['claimed', 'locked'])
  })

  test('other builds, and items of none, are not held up: what overlaps is offered last', async (context) => {
    const { store, now, add, claim, offered } = await crewOn(context)
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
    const { store, now, clock, config, advance, add, claim, offered, look } = await crewOn(context)
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
    const { store, now, add, claim, offered, told, look } = await crewOn(context)
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

  test('what has waited for a file and gets it is told so', async (context) => {
    const { add, claim, move, told } = await crewOn(context)
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

  test('further files are taken at work; two who want what the other has wait in a circle, which is found', async (context) => {
    const crew = await crewOn(context)
    const { store, now, add, claim, move } = crew
    const one = await add('one', { files: ['src/a.ts'] })
    const two = await add('two', { files: ['src/b.ts'] })
    const further = async (item: Item, agentId: AgentId, files: string[]) => {
      const { runId, fence } = (await store.items.find(refOf(item))) ?? item
      return runFurtherFiles(crew, { runId: runId ?? '', agentId, fence, files })
    }
    await claim(one, 'agent-1')
    await claim(two, 'agent-2')
    const taken = await further(one, 'agent-1', ['./src/a.ts', 'src/c.ts'])
    expect(taken.is === 'taken' && taken.locks.map(({ file }) => file)).toEqual(['src/a.ts', 'src/c.ts'])
    expect(await further(one, 'agent-2', ['src/d.ts'])).toEqual({ is: 'fenced' })
    expect(await further(two, 'agent-2', ['src/d.ts', 'src/c.ts'])).toMatchObject({
      is: 'locked',
      lock: { file: 'src/c.ts', lockedBy: 'agent-1' },
    })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    expect(await further(one, 'agent-1', ['src/b.ts'])).toMatchObject({ is: 'locked' })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([
      [`1/${one.number}`, `1/${two.number}`].sort(),
    ])
    await move(two, { type: 'claim.released', why: 'given back' })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    expect(await further(one, 'agent-1', ['src/b.ts'])).toMatchObject({ is: 'taken' })
  })

  test('a delivered task keeps its files until it has landed', async (context) => {
    const { store, now, add, claim, move, offered } = await crewOn(context)
    const one = await add('one')
    await add('two')
    await claim(one, 'agent-2')
    const commit = 'a'.repeat(40)
    const branch = 'agent-2/project-1'
    await move(one, { type: 'build.started', branch, base: commit })
    await move(one, { type: 'build.finished', summary: 'done', checkpoint: commit })
    await move(one, {
      type: 'verify.passed',
      branch,
      head: commit,
      gates: [GREEN],
      pushed: false,
      pushNote: null,
    })
    expect((await store.items.find(refOf(one)))?.state).toBe('in_review')
    expect(await store.fileLocks.live(now())).toHaveLength(1)
    expect(await offered('agent-1')).toBeNull()
    const approval = { kind: 'human', by: 'ada', at: now().toISOString(), restsOn: 'nothing' } as const
    await move(one, { type: 'review.approved', approval })
    await move(one, { type: 'merge.landed', commit, target: 'build/x', note: null })
    expect(await store.fileLocks.live(now())).toEqual([])
    expect(await offered('agent-1')).toBe('two')
  })

  test('a task whose file belongs to somebody else is not offered until a person says that they agree', async (context) => {
    const { store, now, add, claim, offered, look } = await crewOn(context)
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

const GREEN = {
  is: 'passed',
  gate: 'tests_pass',
  evidence: {
    command: 'npm test',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1,
    output: 'a'.repeat(64),
    outputBytes: 1,
    tail: '',
    report: null,
  },
} as const

function refOf({ projectNumber, number }: Item) {
  return { projectNumber, number }
}

function moveOf(item: Item, move: ItemMove) {
  return { item: refOf(item), eventId: randomUUID(), fence: null, agentId: null, move }
}

async function runningBuild(store: OpenStore, at: Date): Promise<string> {
  const id = randomUUID()
  await store.builds.add({
    id,
    spec: 'list',
    revision: 1,
    userSlug: 'owner',
    title: 'List',
    status: 'running',
    branch: 'build/list',
    target: 'main',
    base: null,
    projectNumber: 1,
    tasksTotal: 2,
    validation: null,
    delivery: null,
    prime: '',
    forecast: null,
    commits: [],
    finalValidation: null,
    failures: [],
    skipped: [],
    spentUSD: null,
    why: null,
    workedMs: 0,
    workingSince: null,
    startedAt: at.toISOString(),
    completedAt: null,
  })
  return id
}
