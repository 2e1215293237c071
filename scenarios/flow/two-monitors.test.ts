import type { OpenStore } from '@treadle/store/connect'
import { openAt, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { afterAll, expect, test } from 'vitest'
import { CoordinatedWorld, sampleBuild } from './coordinated.ts'

const MINUTE = 60_000
const places = useTestDatabases('server')
const opened: OpenStore[] = []
afterAll(async () => {
  for (const store of opened) await store.close()
})

test('two daemons on one database: neither ends what the other one tells, so nothing is told or decided again and again', async (context) => {
  const place = places(context)
  const stores = await Promise.all(
    ['here', 'there'].map((id) => openAt(place, { workspace: { id, shared: true } })),
  )
  opened.push(...stores)
  const [here, there] = stores
  if (here === undefined || there === undefined) return
  const one = await CoordinatedWorld.begin(here)
  const other = new CoordinatedWorld(there)
  await one.runs('agent-1', 'working')
  const task = await one.task({ phase: 'database' })
  await one.claims('agent-1', task)
  await one.store.agents.ensure('agent-2', one.time)
  await one.store.agents.patch('agent-2', { wanted: 'running', status: 'idle', startedAt: one.time })
  one.isMine = () => true
  one.isElsewhere = () => false
  await one.store.builds.add(sampleBuild({ status: 'failed', why: '4 tasks failed' }, one.time))
  for (const nth of [1, 2, 3, 4]) {
    await one.passes(nth === 1 ? 7 * MINUTE : MINUTE)
    // The other one has begun a moment ago, and has no agents.
    other.time = one.time
    other.awakeSince = () => other.time
    await other.passes(1)
  }
  expect(await one.told('alert.stuck_task')).toHaveLength(1)
  expect(await one.told('alert.component_down')).toHaveLength(1)
  expect(await one.told('alert.build_failed')).toHaveLength(1)
  // Once its daemon is gone, its agent says nothing any more either, and somebody has to look after the task.
  one.wait(30 * MINUTE)
  other.time = one.time
  other.awakeSince = () => one.began
  await other.passes(1)
  expect(await one.store.items.find(task)).toMatchObject({ state: 'escalated' })
})
