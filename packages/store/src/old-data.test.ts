// What an earlier version has left is opened by this one, and goes on: dumps of real workspaces are in fixtures.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CURSOR_START } from '@treadle/contracts/event'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from './connect.ts'
import { DRIVERS, newItem, openAt, temporaryDir, useTestDatabases } from './testing/both-drivers.ts'
import { claimFor } from './testing/claim.ts'
import { fixtureText, useDumps } from './testing/load-dump.ts'
import { withPool } from './testing/pool.ts'

const WORKSPACE = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), words: 'workshop:/srv/ada/repository' }
const STATES = {
  1: 'done',
  2: 'building',
  3: 'escalated',
  4: 'in_review',
  5: 'rework',
  6: 'done',
  7: 'conflicted',
  8: 'todo',
  9: 'rework',
}

/** Lessons as engines had them written down: `id` is what the lesson says. */
const SAID = [
  { id: 'said by one model alone', by: 'claude-code', seenIn: ['1/1'], weighed: false },
  { id: 'said by two items', by: 'claude-code', seenIn: ['1/1', '1/3'], weighed: false },
  { id: 'said by weighed', by: 'claude-code', seenIn: ['1/1'], weighed: true },
  { id: 'said by the system itself', by: 'treadle', seenIn: ['1/1'], weighed: false },
]

async function expectAsItWas(store: OpenStore): Promise<void> {
  const items = await store.items.list({ limit: 100 })
  expect(Object.fromEntries(items.map(({ number, state }) => [number, state]))).toEqual(STATES)
  const sentBack = items.flatMap(({ number, sentBackBy }) =>
    sentBackBy === null ? [] : [[number, sentBackBy]],
  )
  expect(sentBack).toEqual([
    [5, 'review'],
    [9, 'push'],
  ])
  expect((await store.lessons.list({ limit: 100 })).length).toBeGreaterThan(0)
  expect((await store.conflicts.list({ limit: 10 })).map(({ issueNumber }) => issueNumber)).toEqual([7])
  expect((await store.events.after({ after: CURSOR_START, limit: 1_000 })).items.length).toBeGreaterThan(100)
}

async function expectItGoesOn(store: OpenStore): Promise<void> {
  const queue = (await store.items.queue(10)).map(({ number }) => number)
  expect(queue).toEqual([5, 9, 8])
  const ref = { projectNumber: 1, number: 8 }
  const runId = crypto.randomUUID()
  await claimFor(store, { ref, agentId: 'agent-2', requestId: 'request-1', runId, at: new Date() })
  expect(await store.items.find(ref)).toMatchObject({ claimedByAgentId: 'agent-2' })
  expect((await store.items.add(newItem(), new Date())).number).toBe(10)
  // The feed waits for transactions that began earlier, also for those of others on the same server.
  const latest = async () => (await store.events.tail({ limit: 1, without: [] })).items[0]?.event.type
  await expect.poll(latest).toBe('claim.taken')
}

const loadDump = useDumps()

describe.each(DRIVERS)('the data of version 034 in the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test.each(['034-stopped', '034-killed'])(
    '%s: all of it is there, work goes on, and ideas can begin',
    async (name, context) => {
      const place = places(context as unknown as Parameters<typeof places>[0])
      await loadDump(place, name)
      const store = await openAt(place)
      await expectAsItWas(store)
      await expectItGoesOn(store)
      expect(await store.ideas.list({ limit: 10 })).toEqual([])
      await store.close()
    },
  )
})

describe.each(DRIVERS)('the data of version 037 in the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test('reviews that waited for a reviewer, or were being read, are asked for as thoughts by the next look', async (context) => {
    const place = places(context)
    await loadDump(place, '037-stopped')
    await withPool(place, (pool) =>
      pool.query(
        `update reviews set status = 'in_review', waits_for = null, claimed_by_agent_id = 'review-agent',
           claimed_at = now(), fence = 2 where item_number = 4`,
      ),
    )
    const store = await openAt(place)
    await expectAsItWas(store)
    const review = await store.reviews.latest({ projectNumber: 1, number: 4 })
    expect(review).toMatchObject({
      status: 'pending',
      waitsFor: 'checks',
      judgement: null,
      checkedAt: expect.any(String),
    })
    expect((await store.reviews.list({ status: 'approved', limit: 10 })).length).toBeGreaterThan(0)
    expect(await store.thoughts.list({ limit: 10 })).toEqual([])
    await expectItGoesOn(store)
    await store.close()
  })

  test('what was delivered and decided is as it was, and an export of it is taken in', async (context) => {
    const dir = temporaryDir()
    const file = join(dir, 'export.jsonl')
    writeFileSync(file, fixtureText('037-export.jsonl.gz'))
    const store = await openAt(places(context))
    await store.importFrom(file)
    await expectAsItWas(store)
    const decided = (await store.reviews.list({ limit: 100 })).map(({ issueNumber, status, waitsFor }) => [
      issueNumber,
      status,
      waitsFor,
    ])
    expect(decided).toContainEqual([4, 'pending', 'person'])
    expect(decided).toContainEqual([1, 'approved', null])
    await store.close()
    rmSync(dir, { recursive: true })
  })
})

describe.each(DRIVERS)('the data of version 016 in the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test('of a daemon that was stopped: items, agents and words are carried over, and work goes on', async (context) => {
    const place = places(context)
    await loadDump(place, '016-stopped')
    const store = await openAt(place)
    await expectAsItWas(store)
    const [first, ...others] = await store.agents.list()
    expect(first).toMatchObject({ id: 'agent-1', pid: null, pidStarted: null, workspace: WORKSPACE })
    expect(others.map(({ id, workspace }) => [id, workspace])).toEqual([
      ['agent-2', null],
      ['agent-3', null],
      ['agent-4', null],
    ])
    await expectItGoesOn(store)
    await store.close()
    // A second start finds everything done.
    const again = await openAt(place)
    expect(await again.items.find({ projectNumber: 1, number: 9 })).toMatchObject({ sentBackBy: 'push' })
    await again.close()
  })

  test('of a daemon that was killed: the process of its agent is still known, and whose it is', async (context) => {
    const place = places(context)
    await loadDump(place, '016-killed')
    const store = await openAt(place)
    await expectAsItWas(store)
    expect(await store.agents.find('agent-1')).toMatchObject({
      pid: expect.any(Number),
      pidStarted: expect.stringMatching(/^[0-9a-f]{8}-\d+$/),
      workspace: WORKSPACE,
      item: { projectNumber: 1, number: 2 },
    })
    await expectItGoesOn(store)
    await store.close()
  })

  test('what words alone told of orders and of flaky tests is a field afterwards', async (context) => {
    const place = places(context)
    await loadDump(place, '016-stopped')
    const warnings = [
      'all 2 tests were skipped',
      'flaky: a > b passed 2 of 3 runs on the same tree (it is new)',
    ]
    await withPool(place, async (pool) => {
      await pool.query(
        `update runs set gates = gates || jsonb_build_array(jsonb_build_object('is', 'passed_with_warnings',
           'gate', 'tests_pass', 'evidence', gates -> 0 -> 'evidence', 'warnings', $1::jsonb))
         where item_number = 1`,
        [JSON.stringify(warnings)],
      )
      await pool.query(
        `insert into events (xid, subject, event_id, type, payload, at)
         select 1, 'none', 'order-old-' || n, 'order.given', jsonb_build_object('type', 'order.given', 'order', 'purge',
           'by', 'owner', 'target', null, 'impact', 'all', 'outcome', outcome), now()
         from (values (1, 'not done: no'), (2, 'withdrew #1')) as told (n, outcome)`,
      )
    })
    const store = await openAt(place)
    const run = (await store.runs.ofItem({ projectNumber: 1, number: 1 }, 10)).at(-1)
    expect(run?.gates.at(-1)).toMatchObject({ is: 'passed_with_warnings', warnings, flaky: ['a > b'] })
    expect(run?.gates.slice(0, -1).every((gate) => !('flaky' in gate))).toBe(true)
    const orders = await store.events.newest({ type: 'order.given', limit: 10 })
    const failed = orders.flatMap(({ id, event }) =>
      id.startsWith('order-old-') && event.type === 'order.given' ? [[id, event.failed]] : [],
    )
    expect(failed.sort()).toEqual([
      ['order-old-1', true],
      ['order-old-2', undefined],
    ])
    await store.close()
  })

  test('what a model said reaches no prompt afterwards, and people still find it', async (context) => {
    const place = places(context)
    await loadDump(place, '016-stopped')
    await withPool(place, async (pool) => {
      for (const { id, by, seenIn, weighed } of SAID)
        await pool.query(
          `insert into lessons (id, fingerprint, type, confidence, provenance, payload, occurrences, created_at,
             updated_at, content, discovered_by, seen_in, weighed)
           values ($1, $2, 'gotcha', 0.7, '{"runId": "78ede6d9-c61f-4e7d-bee2-9b800a95540e", "attempt": 1, "commit": null}',
             '{}', 1, now(), now(), $2, $3, $4::jsonb, $5)`,
          [crypto.randomUUID(), id, by, JSON.stringify(seenIn), weighed],
        )
    })
    const store = await openAt(place)
    const told = (await store.lessons.recall({ limit: 100 })).map(({ content }) => content)
    expect(told.join('\n')).not.toMatch(/Played|one model alone/)
    for (const known of ['two items', 'weighed', 'the system itself'])
      expect(told).toContain(`said by ${known}`)
    expect(told).toContain('What helped: a change to src/module-04.txt')
    // A failure that went away without any file: nothing can be said but that.
    expect(told).toContain('What helped: a change to other files')
    expect(told).toContain(
      'Avoid: one test failed without a reason that can be read: shaky. What helped: another change',
    )
    const found = await store.lessons.list({ limit: 100 })
    const alone = found.filter(({ content }) => content === 'said by one model alone')
    expect(alone).toMatchObject([{ unconfirmed: true, confidence: 0.7 }])
    const resolutions = found.filter(({ type }) => type === 'resolution')
    expect(resolutions).toHaveLength(3)
    for (const { payload } of resolutions) {
      expect(payload).toMatchObject({ said: 'Played 1 steps.', engine: 'scripted' })
      expect(payload).not.toHaveProperty('summary')
    }
    const trap = found.find(({ content }) => content.startsWith('Avoid:') && content.includes('shaky'))
    expect(trap).toMatchObject({ payload: { said: 'Played 1 steps.' }, unconfirmed: false })
    await store.close()
  })

  test('what nobody could move stands by its number, in the order that it had, and can be moved', async (context) => {
    const place = places(context)
    await loadDump(place, '016-stopped')
    await withPool(place, async (pool) => {
      await pool.query(`insert into items (project_number, number, title, body, labels, priority, acceptance, state,
          needs_human, needs_rework, attempts, review_cycles, reminders, fence, created_at, updated_at)
        select 1, 9 + n, 'old ' || n, '', '[]', priority, '[]', 'todo', false, false, 0, 0, 0, 0, now(), now()
        from (values (1, null), (2, 3), (3, null), (4, 3)) as old (n, priority)`)
      await pool.query('update projects set last_item_number = 13 where number = 1')
    })
    const store = await openAt(place)
    const order = async () => (await store.items.queue(10)).map(({ number }) => number)
    expect(await order()).toEqual([5, 9, 11, 13, 8, 10, 12])
    const old = await store.items.list({ limit: 100 })
    expect(old.every(({ rank, number }) => rank === number)).toBe(true)
    const last = old.find(({ number }) => number === 12)
    if (last === undefined) throw new Error('there is no #12')
    await store.items.plan({ ...last, rank: 7.5 }, new Date())
    expect(await order()).toEqual([5, 9, 11, 13, 12, 8, 10])
    await store.close()
  })

  test('an export of version 016 is taken in with the fields that it lacks', async (context) => {
    const dir = temporaryDir()
    const file = join(dir, 'export.jsonl')
    writeFileSync(file, fixtureText('016-export.jsonl.gz'))
    const store = await openAt(places(context))
    await store.importFrom(file)
    await expectAsItWas(store)
    expect(await store.agents.find('agent-1')).toMatchObject({ pidStarted: null, workspace: WORKSPACE })
    await store.close()
    rmSync(dir, { recursive: true })
  })
})
