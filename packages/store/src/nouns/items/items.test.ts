import type { Item } from '@treadle/contracts/item'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { DRIVERS, newItem, newProject, useStore } from '../../testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

describe.each(DRIVERS)('items on the %s database', (driver) => {
  const open = useStore(driver)

  test('an item is read as it was added', async (context) => {
    const { items } = await open(context)
    const projectNumber = newProject()
    const given = newItem({
      projectNumber,
      title: 'Größe \u{1F600}',
      body: 'line\n"quoted" \\u0000',
      labels: ['a', 'b'],
      priority: 7,
      acceptance: ['it works', 'it is fast'],
      testCommand: 'npm test',
      measure: { command: 'du -k dist', better: 'lower' },
      mayChangeTests: true,
      engine: 'scripted',
      model: 'claude-opus-5-5',
      effort: 'high',
      status: 'backlog',
      target: 'build/list',
    })
    const reverts = { number: 7, commit: 'c'.repeat(40) }
    const added = await items.add({ ...given, reverts }, at)
    expect(added).toEqual({
      projectNumber,
      number: 1,
      title: given.title,
      body: given.body,
      labels: ['a', 'b'],
      priority: 7,
      rank: 1,
      acceptance: [
        { id: null, text: 'it works', status: 'pending' },
        { id: null, text: 'it is fast', status: 'pending' },
      ],
      testCommand: 'npm test',
      measure: { command: 'du -k dist', better: 'lower' },
      mayChangeTests: true,
      reverts,
      engine: 'scripted',
      model: 'claude-opus-5-5',
      effort: 'high',
      parent: null,
      dependsOn: [],
      blockedBy: [],
      files: [],
      phase: null,
      estimateHours: null,
      source: 'person',
      specTask: null,
      build: null,
      owner: null,
      requiresCoordination: false,
      clearance: null,
      target: 'build/list',
      state: 'backlog',
      status: 'backlog',
      needsHuman: false,
      needsRework: false,
      sentBackBy: null,
      startsAnew: false,
      attempts: 0,
      reviewCycles: 0,
      reminders: 0,
      claimedByAgentId: null,
      assignedAgentId: null,
      claimedAt: null,
      fence: 0,
      runId: null,
      branch: null,
      headCommit: null,
      mergeCommit: null,
      approval: null,
      confidence: null,
      evidence: null,
      reason: null,
      deadlineAt: null,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    })
    expect(await items.find({ projectNumber, number: 1 })).toEqual(added)
    expect(await items.find({ projectNumber, number: 2 })).toBeNull()
  })

  test('an item that waits for another is in no queue until that one is done', async (context) => {
    const { items, tx } = await open(context)
    const projectNumber = newProject()
    const first = await items.add(newItem({ projectNumber }), at)
    const second = await items.add(newItem({ projectNumber }), at)
    const last = await items.add(
      newItem({ projectNumber, dependsOn: [first.number, second.number], files: ['src/**'], phase: 'api' }),
      at,
    )
    const queued = async () =>
      (await items.queue(1_000)).filter((item) => item.projectNumber === projectNumber)
    const blockers = async () => (await items.find(last))?.blockedBy
    const end = (item: Item) => tx(() => items.save({ ...item, state: 'done', status: 'done' }))
    expect((await queued()).map(({ number }) => number)).toEqual([first.number, second.number])
    expect(await blockers()).toEqual([first.number, second.number])
    await end(first)
    expect(await blockers()).toEqual([second.number])
    expect((await queued()).map(({ number }) => number)).toEqual([second.number])
    await end(second)
    expect(await blockers()).toEqual([])
    expect(await queued()).toMatchObject([{ number: last.number, files: ['src/**'], phase: 'api' }])
  })

  test('characters that PostgreSQL refuses are replaced', async (context) => {
    const { items } = await open(context)
    const added = await items.add(
      newItem({
        projectNumber: newProject(),
        title: 'a\ud800b',
        body: '\ud800 half',
        labels: ['\0', '\udc00'],
      }),
      at,
    )
    expect(added).toMatchObject({ title: 'a\uFFFDb', body: '\uFFFD half', labels: ['\uFFFD', '\uFFFD'] })
  })

  test('the newest item that takes a merge back is found from the merged one, unless it was withdrawn', async (context) => {
    const { items } = await open(context)
    const projectNumber = newProject()
    const merged = await items.add(newItem({ projectNumber }), at)
    const reverts = { number: merged.number, commit: 'c'.repeat(40) }
    expect(await items.revertOf(merged)).toBe(null)
    const first = await items.add({ ...newItem({ projectNumber }), reverts }, at)
    await items.add({ ...newItem({ projectNumber: newProject() }), reverts }, at)
    expect(await items.revertOf(merged)).toEqual(first)
    const second = await items.add({ ...newItem({ projectNumber }), reverts }, at)
    expect(await items.revertOf(merged)).toEqual(second)
    await items.save({ ...second, state: 'withdrawn', status: 'withdrawn' })
    expect(await items.revertOf(merged)).toEqual(first)
    expect(await items.revertOf(first)).toBe(null)
  })

  test('every field is saved', async (context) => {
    const { items, tx } = await open(context)
    const projectNumber = newProject()
    const other = await items.add(newItem({ projectNumber }), at)
    const added = await items.add(newItem({ projectNumber }), at)
    const changed: Item = {
      projectNumber,
      number: added.number,
      startsAnew: true,
      title: 'new title',
      body: 'new body',
      labels: ['x'],
      priority: 3,
      rank: 2.5,
      acceptance: [{ id: 'AC-1', text: 'yes', status: 'met' }],
      testCommand: 'make test',
      measure: { command: 'make small', better: null },
      mayChangeTests: true,
      reverts: { number: 8, commit: 'd'.repeat(40) },
      engine: 'scripted',
      model: 'claude-opus-5-5',
      effort: 'high',
      parent: other.number,
      dependsOn: [other.number],
      blockedBy: [other.number],
      files: ['src/**'],
      phase: 'api',
      estimateHours: 1.5,
      source: 'survey',
      specTask: { spec: 'shopping-list', revision: 2, id: 'T3' },
      build: '00000000-0000-4000-8000-000000000045',
      owner: '@treadle/api',
      requiresCoordination: true,
      clearance: null,
      target: 'build/list',
      state: 'merging',
      status: 'in_review',
      needsHuman: true,
      needsRework: true,
      sentBackBy: 'review',
      attempts: 1,
      reviewCycles: 2,
      reminders: 3,
      claimedByAgentId: 'agent-4',
      assignedAgentId: 'agent-5',
      claimedAt: '2026-02-03T04:05:06.007Z',
      fence: 5,
      runId: '018f0000-0000-7000-8000-000000000000',
      branch: 'agent-4/project-1',
      headCommit: 'a'.repeat(40),
      mergeCommit: 'b'.repeat(64),
      approval: { kind: 'human', by: 'owner', at: '2026-02-03T04:05:06.007Z' },
      confidence: { level: 'low', why: 'a guard, not a token' },
      evidence: { level: 'supported', why: 'no test was red before the change' },
      reason: 'because',
      deadlineAt: '2026-02-04T04:05:06.007Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-02-03T04:05:06.007Z',
    }
    // Nothing may stay as it was, or a column that is not written would go unnoticed; what is looked up is no column.
    for (const [name, value] of Object.entries(changed))
      if (name !== 'projectNumber' && name !== 'number' && name !== 'clearance')
        expect(value, name).not.toEqual(added[name as keyof Item])
    await tx(async () => {
      expect(await items.lock(changed)).toEqual(added)
      await items.save(changed)
    })
    expect(await items.find(changed)).toEqual(changed)
    await items.save(added)
    expect(await items.find(changed)).toEqual(added)
  })

  test('numbers of a project have no gaps and no doubles, also when many add and some give up', async (context) => {
    const { items, tx } = await open(context)
    const projectNumber = newProject()
    const numbers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        try {
          return await tx(async () => {
            const { number } = await items.add(newItem({ projectNumber }), at)
            if (index % 3 === 0) throw new Error('changed my mind')
            return number
          })
        } catch {
          return null
        }
      }),
    )
    const kept = numbers.filter((number) => number !== null).sort((one, other) => one - other)
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('the list is by number and can be narrowed', async (context) => {
    const { items } = await open(context)
    const projectNumber = newProject()
    for (const status of ['todo', 'backlog', 'todo'] as const)
      await items.add(newItem({ projectNumber, status }), at)
    const numbers = async (filter: Parameters<typeof items.list>[0]) =>
      (await items.list(filter)).map(({ number }) => number)
    expect(await numbers({ projectNumber, limit: 10 })).toEqual([1, 2, 3])
    expect(await numbers({ projectNumber, limit: 2 })).toEqual([1, 2])
    expect(await numbers({ projectNumber, status: 'todo', limit: 10 })).toEqual([1, 3])
    expect(await numbers({ projectNumber, status: 'done', limit: 10 })).toEqual([])
    expect(await numbers({ projectNumber, numbers: [3, 1, 9], limit: 10 })).toEqual([1, 3])
  })

  test('the board has all that is not over and the newest of what is, and counts the rest', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    const before = await store.items.board({ openMax: 10_000, endedMax: 10_000 })
    const ended = before.items.filter(({ state }) => state === 'done' || state === 'withdrawn').length
    for (let n = 0; n < 5; n += 1) {
      const item = await store.items.add(newItem({ title: `Board ${n}`, projectNumber }), at)
      // The first three are over, the first of them last.
      const updatedAt = new Date(Date.now() + 60_000 - n * 1_000).toISOString()
      if (n < 3) await store.items.save({ ...item, state: n === 2 ? 'withdrawn' : 'done', updatedAt })
    }
    const { items, leftOut } = await store.items.board({ openMax: 10_000, endedMax: 2 })
    expect(items.filter((item) => item.projectNumber === projectNumber).map(({ title }) => title)).toEqual([
      'Board 0',
      'Board 1',
      'Board 3',
      'Board 4',
    ])
    expect(leftOut).toEqual({ open: 0, ended: ended + 1 })
    const few = await store.items.board({ openMax: 1, endedMax: 0 })
    expect(few.items).toHaveLength(1)
    expect(few.leftOut).toEqual({ open: before.items.length - ended + 1, ended: ended + 3 })
  })

  test('items are found by holder, by deadline and by state', async (context) => {
    const { items } = await open(context)
    const projectNumber = newProject()
    const [one, two] = [
      await items.add(newItem({ projectNumber }), at),
      await items.add(newItem({ projectNumber }), at),
    ]
    await items.save({
      ...one,
      state: 'building',
      claimedByAgentId: 'agent-77',
      deadlineAt: '2001-01-01T00:00:00.000Z',
    })
    await items.save({ ...two, state: 'in_review', deadlineAt: '2001-01-01T00:00:00.001Z' })
    expect((await items.heldBy('agent-77'))?.number).toBe(one.number)
    expect(await items.heldBy('agent-78')).toBeNull()
    const due = async (now: string) => (await items.due(new Date(now), 10)).map(({ number }) => number)
    expect(await due('2000-12-31T23:59:59.999Z')).toEqual([])
    expect(await due('2001-01-01T00:00:00.000Z')).toEqual([one.number])
    expect(await due('2001-01-02T00:00:00.000Z')).toEqual([one.number, two.number])
    expect(await items.inStates([], 10)).toEqual([])
    expect((await items.inStates(['in_review', 'merging'], 100)).map(({ number }) => number)).toContain(
      two.number,
    )
  })
})

describe.each(DRIVERS)('the queue on the %s database', (driver) => {
  const open = useStore(driver)
  const projectNumber = 1

  verifies(
    ['ORCH-2.1-1', 'ORCH-2.1-2'],
    'the queue holds exactly the unclaimed items that are todo or backlog',
    async (context) => {
      const { items, tx } = await open(context)
      const waiting: number[] = []
      await tx(async () => {
        const states = ['todo', 'backlog', 'claimed', 'building', 'in_review', 'escalated', 'done'] as const
        for (let count = 0; count < 350; count += 1) {
          const item = await items.add(newItem({ projectNumber }), at)
          const state = states[count % states.length] ?? 'todo'
          const held = count % 5 === 0
          await items.save({ ...item, state, claimedByAgentId: held ? 'agent-1' : null })
          if (!held && (state === 'todo' || state === 'backlog')) waiting.push(item.number)
        }
      })
      const queue = await items.queue(1_000)
      expect(queue.map(({ number }) => number)).toEqual(waiting)
      expect(waiting.length).toBe(80)
      expect(
        queue.every(
          ({ status, claimedByAgentId }) => claimedByAgentId === null && /todo|backlog/.test(status),
        ),
      ).toBe(true)
      expect((await items.queue(3)).map(({ number }) => number)).toEqual(waiting.slice(0, 3))
    },
  )

  verifies(
    'ORCH-2.1-3',
    'the queue is sorted by priority, none last, then by number; rework goes first; who waits for a person is left out',
    async (context) => {
      const { items, tx } = await open(context)
      for (const item of await items.queue(1_000)) await items.save({ ...item, state: 'done' })
      const names = new Map<number, string>()
      await tx(async () => {
        const rows = [
          ['none', null, {}],
          ['nine', 9, {}],
          ['one', 1, {}],
          ['other one', 1, {}],
          ['zero', 0, {}],
          ['rework', null, { state: 'rework', needsRework: true }],
          ['urgent rework', 2, { state: 'rework', needsRework: true }],
          ['for a person', 0, { state: 'backlog', needsHuman: true }],
          ['other none', null, { state: 'backlog' }],
        ] as const
        for (const [name, priority, change] of rows) {
          const item = await items.add(newItem({ projectNumber, priority }), at)
          await items.save({ ...item, ...change })
          names.set(item.number, name)
        }
      })
      const order = (await items.queue(100)).map(({ number }) => names.get(number))
      expect(order).toEqual([
        'urgent rework',
        'rework',
        'zero',
        'one',
        'other one',
        'nine',
        'none',
        'other none',
      ])
    },
  )

  test('of one priority the rank comes before the age, and to space the ranks out changes no order', async (context) => {
    const { items, tx } = await open(context)
    for (const item of await items.queue(1_000)) await items.save({ ...item, state: 'done' })
    const project = newProject()
    const added: Item[] = []
    for (const priority of [1, 1, 1, null, null])
      added.push(await items.add(newItem({ projectNumber: project, priority }), at))
    const order = async () => (await items.queue(100)).map(({ number }) => number)
    expect(added.every(({ rank, number }) => rank === number)).toBe(true)
    await items.plan({ ...(added[2] as Item), rank: -7 }, at)
    await items.plan({ ...(added[4] as Item), rank: 3.999_999_999_999_999 }, at)
    expect(await order()).toEqual([3, 1, 2, 5, 4])
    await tx(async () => {
      await items.lockPlans(project)
      await items.respace(project)
    })
    expect(await order()).toEqual([3, 1, 2, 5, 4])
    const ranks = (await items.plans(project)).map(({ rank }) => rank)
    expect(ranks.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
  })
})
