// However it ends, no process is left, and the next start goes on with what was in hand.
import { expect, test } from 'vitest'
import { everythingIn, kill, waitGone } from '../kit/processes.ts'
import { told, useShops } from '../kit/shop.ts'
import { atWork, type Down, goesOn } from './at-work.ts'

const shop = useShops()

test('agents whose daemon was killed are ended by treadle down', async () => {
  const { workspace, daemon } = await atWork(shop)
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
