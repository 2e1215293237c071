// Idle agents wait at the daemon and are called; with polling out of the way nothing else can bring them work.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { isAlive, kill, waitGone } from '../kit/processes.ts'
import { type Attempts, addRepair, eventsOf, repair, session, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const quick = (n: number): Attempts => [[repair(n)]]
const HOUR = 3_600_000
const limits = { pollMs: HOUR }

async function pidOf({ client }: Daemon): Promise<number> {
  return eventually('an agent', async () => (await client.listAgents()).items[0]?.pid ?? undefined)
}

verifies(
  ['ORCH-2.2-1', 'ORCH-2.2-12'],
  'an idle agent is called to a new item, and to the next, also by the daemon that came after a killed one; told to end while it waits, it ends at once',
  async () => {
    const workspace = shop({ scripts: [quick(1), quick(2), quick(3)], settings: { limits } })
    const first = await up(workspace, 1)
    await eventually('an idle agent', () => (session(workspace, 1).status === 'idle' ? true : undefined))
    await addRepair(first, 1)
    await addRepair(first, 2)
    await until(first, 1, 'done')
    await until(first, 2, 'done')
    const pid = await pidOf(first)
    kill(first.pid)
    await waitGone(first.pid)
    const second = await up(workspace, 1)
    expect(await pidOf(second)).toBe(pid)
    await addRepair(second, 3)
    await until(second, 3, 'done')
    const claims = (await eventsOf(second, 3)).filter(({ event }) => event.type === 'claim.taken')
    expect(claims).toHaveLength(1)
    // One that is told to end while it waits ends at once: sooner than the daemon would answer its question.
    await eventually('an idle agent', () => (session(workspace, 1).status === 'idle' ? true : undefined))
    process.kill(pid, 'SIGTERM')
    await waitGone(pid, 12_000)
    expect(isAlive(second.pid)).toBe(true)
  },
)
