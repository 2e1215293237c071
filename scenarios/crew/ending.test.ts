// However it ends, no process is left, and the next start goes on with what was in hand.
import { expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { everythingIn, isAlive, kill, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  eventsOf,
  letGo,
  mergedOnMain,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

interface Down {
  readonly stopped: boolean
  readonly pid: number | null
  readonly ended: readonly string[]
}

const shop = useShops()

test('a daemon that is told to end takes its agents and their engines along', async () => {
  const { workspace, daemon } = await atWork()
  process.kill(daemon.pid, 'SIGTERM')
  await waitGone(daemon.pid)
  expect(everythingIn(workspace)).toEqual([])
  expect(await told<Down>(workspace, 'down')).toEqual({ stopped: false, pid: null, ended: [] })
  await goesOn(workspace)
})

test('agents whose daemon was killed are ended by treadle down', async () => {
  const { workspace, daemon } = await atWork()
  kill(daemon.pid)
  await waitGone(daemon.pid)
  // They wait for the next daemon.
  expect(everythingIn(workspace).length).toBeGreaterThanOrEqual(2)
  expect(await told<Down>(workspace, 'down')).toEqual({
    stopped: false,
    pid: null,
    ended: ['agent-1', 'agent-2'],
  })
  expect(everythingIn(workspace)).toEqual([])
  expect(await told<Down>(workspace, 'down')).toEqual({ stopped: false, pid: null, ended: [] })
  await goesOn(workspace)
})

test('a daemon that does not answer is ended by treadle down', async () => {
  const { workspace, daemon } = await atWork()
  process.kill(daemon.pid, 'SIGSTOP')
  const down = await told<Down>(workspace, 'down')
  expect(down.ended.toSorted()).toEqual(['agent-1', 'agent-2', 'daemon'])
  expect(isAlive(daemon.pid)).toBe(false)
  expect(everythingIn(workspace)).toEqual([])
  await goesOn(workspace)
})

/** Two agents, one of them in the middle of an engine's turn. */
async function atWork(): Promise<{ workspace: Workspace; daemon: Daemon }> {
  const workspace = shop({ scripts: [slowRepair(1)] })
  const daemon = await up(workspace, 2)
  await addRepair(daemon, 1)
  await untilHolding(daemon, 1)
  return { workspace, daemon }
}

/** The claim stands: its holder takes the work up again and it is merged once. */
async function goesOn(workspace: Workspace): Promise<void> {
  letGo(workspace, 'go-1')
  const daemon = await up(workspace, 2)
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  const types = (await eventsOf(daemon, 1)).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'run.resumed')).toHaveLength(1)
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  expect(await told<Down>(workspace, 'down')).toMatchObject({ stopped: true, pid: daemon.pid, ended: [] })
  expect(everythingIn(workspace)).toEqual([])
}
