// As ending-alone.long.test.ts, for a daemon that is told to end, and one that hangs.
import { expect, test } from 'vitest'
import { everythingIn, isAlive, waitGone } from '../kit/processes.ts'
import { told, useShops } from '../kit/shop.ts'
import { atWork, type Down, goesOn } from './at-work.ts'

const shop = useShops()

test('a daemon that is told to end takes its agents and their engines along', async () => {
  const { workspace, daemon } = await atWork(shop)
  process.kill(daemon.pid, 'SIGTERM')
  await waitGone(daemon.pid)
  expect(everythingIn(workspace)).toEqual([])
  expect(await told<Down>(workspace, 'down')).toEqual({ stopped: false, pid: null, ended: [] })
  await goesOn(workspace)
})

test('a daemon that does not answer is ended by treadle down', { timeout: 600_000 }, async () => {
  const { workspace, daemon } = await atWork(shop)
  process.kill(daemon.pid, 'SIGSTOP')
  const down = await told<Down>(workspace, 'down')
  expect(down.ended.toSorted()).toEqual(['agent-1', 'agent-2', 'daemon'])
  expect(isAlive(daemon.pid)).toBe(false)
  expect(everythingIn(workspace)).toEqual([])
  await goesOn(workspace)
})
