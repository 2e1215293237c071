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

const shop = useShops('file')
let opened: Promise<Daemon> | undefined

/** Two agents, one of them in the middle of an engine's turn; the crew that the test before has left, if there is one. */
async function atWork(n: number): Promise<{ workspace: Workspace; daemon: Daemon }> {
  opened ??= up(shop({ scripts: [slowRepair(1), slowRepair(2), slowRepair(3)] }), 2)
  const daemon = await opened
  await addRepair(daemon, n)
  await untilHolding(daemon, n)
  return { workspace: daemon.workspace, daemon }
}

/** The claim stands: its holder takes the work up again and it is merged once. */
async function goesOn(workspace: Workspace, n: number): Promise<Daemon> {
  letGo(workspace, `go-${n}`)
  opened = up(workspace, 2)
  const daemon = await opened
  expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  const types = (await eventsOf(daemon, n)).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'run.resumed')).toHaveLength(1)
  expect(mergedOnMain(workspace).filter((item) => item === `1/${n}`)).toHaveLength(1)
  return daemon
}

test('a daemon that is told to end takes its agents and their engines along', async () => {
  const { workspace, daemon } = await atWork(1)
  process.kill(daemon.pid, 'SIGTERM')
  await waitGone(daemon.pid)
  expect(everythingIn(workspace)).toEqual([])
  expect(await told<Down>(workspace, 'down')).toEqual({ stopped: false, pid: null, ended: [] })
  await goesOn(workspace, 1)
})

test('agents whose daemon was killed are ended by treadle down', async () => {
  const { workspace, daemon } = await atWork(2)
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
  await goesOn(workspace, 2)
})

test('a daemon that does not answer is ended by treadle down', { timeout: 600_000 }, async () => {
  const { workspace, daemon } = await atWork(3)
  process.kill(daemon.pid, 'SIGSTOP')
  const down = await told<Down>(workspace, 'down')
  expect(down.ended.toSorted()).toEqual(['agent-1', 'agent-2', 'daemon'])
  expect(isAlive(daemon.pid)).toBe(false)
  expect(everythingIn(workspace)).toEqual([])
  const { pid } = await goesOn(workspace, 3)
  // In the end one that answers is told to end.
  expect(await told<Down>(workspace, 'down')).toMatchObject({ stopped: true, pid, ended: [] })
  expect(everythingIn(workspace)).toEqual([])
})
