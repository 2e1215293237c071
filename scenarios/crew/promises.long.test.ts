// What is promised of a crew within seconds, each from the order to what the requirement names as its end.
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import { expect, vi } from 'vitest'
import { agentOf, crewProcesses } from '../kit/agents.ts'
import { type Daemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { addOrigin } from '../kit/origin.ts'
import {
  addRepair,
  eventsOf,
  repair,
  session,
  slowRepair,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

type Order = 'start' | 'stop' | 'pause' | 'resume' | 'restart'

const shop = useShops()
const sharedShop = useShops('file')
// Three tries, each with a crew that has to come to its work again.
vi.setConfig({ testTimeout: 600_000 })
let opened: Promise<Daemon> | undefined
let begun: Promise<Daemon> | undefined

/** One agent without work; the first tests of this file share it. */
function atRest(): Promise<Daemon> {
  const open = async () => {
    const daemon = await up(sharedShop({ scripts: [slowRepair(1)] }), 1)
    await untilAlive(daemon, null)
    return daemon
  }
  opened ??= open()
  return opened
}

/** The same agent in the middle of an engine's turn. The other tests share it, and leave it at work. */
function atWork(): Promise<Daemon> {
  const begin = async () => {
    const daemon = await atRest()
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    return daemon
  }
  begun ??= begin()
  return begun
}

function order({ client }: Daemon, name: Order) {
  return client.wantAgent({ params: { id: 'agent-1', order: name }, body: { now: false } })
}

/** Until its own process has said so. */
async function untilAlive(daemon: Daemon, startedAt: string | null): Promise<void> {
  await eventually('a sign of life', async () => {
    const { lastHeartbeatAt } = await agentOf(daemon)
    return (lastHeartbeatAt ?? '') > (startedAt ?? '') ? true : undefined
  })
}

verifies('AC-1.4.a', 'an agent that is started is a process, and idle, within 3 seconds', async () => {
  const daemon = await atRest()
  await expectWithin(3_000, async () => {
    await order(daemon, 'stop')
    const ms = await timed(async () => untilAlive(daemon, (await order(daemon, 'start')).startedAt))
    expect(await agentOf(daemon)).toMatchObject({ status: 'idle', pid: expect.any(Number) })
    return ms
  })
})

verifies('AC-5.5.c', 'an agent is restarted within 10 seconds, as another process', async () => {
  const daemon = await atRest()
  await expectWithin(10_000, async () => {
    const before = await agentOf(daemon)
    const ms = await timed(async () => untilAlive(daemon, (await order(daemon, 'restart')).startedAt))
    expect(await agentOf(daemon)).toMatchObject({ status: 'idle', pid: expect.any(Number) })
    expect((await agentOf(daemon)).pid).not.toBe(before.pid)
    return ms
  })
})

verifies('AC-2.5.a', 'a pause is there within 2 seconds, while an engine is at work', async () => {
  const daemon = await atWork()
  await expectWithin(2_000, async () => {
    const ms = await timed(async () => {
      expect((await order(daemon, 'pause')).status).toBe('paused')
      await eventually('the pause in the session file', () =>
        session(daemon.workspace, 1).status === 'paused' ? true : undefined,
      )
    })
    await order(daemon, 'resume')
    return ms
  })
})

verifies(
  'AC-1.4.d',
  'an agent at work is stopped within 5 seconds, with all that it has started',
  async () => {
    const daemon = await atWork()
    await expectWithin(5_000, async () => {
      const ms = await timed(() => order(daemon, 'stop'))
      expect(crewProcesses(daemon)).toEqual([])
      await order(daemon, 'start')
      await untilHolding(daemon, 1)
      return ms
    })
  },
)

verifies('AC-5.5.b', 'in an emergency everything is killed within 5 seconds', async () => {
  const daemon = await atWork()
  const { workspace } = daemon
  await expectWithin(5_000, async () => {
    const ms = await timed(() => treadle(workspace, ['stop-all', '--yes', '--json']))
    expect(crewProcesses(daemon)).toEqual([])
    await up(workspace, 1)
    await untilHolding(daemon, 1)
    return ms
  })
})

verifies('AC-2.3.a', 'a branch from main is there within 10 seconds of the claim', async () => {
  const workspace = shop({
    scripts: [1, 2, 3].map((n) => [[repair(n)]]),
    settings: { merge: { approval: 'never', target: 'main' } },
  })
  addOrigin(workspace)
  const daemon = await up(workspace, 1)
  await expectWithin(10_000, async (triesBefore) => {
    const n = triesBefore + 1
    await addRepair(daemon, n)
    await until(daemon, n, 'done')
    const events = await eventsOf(daemon, n)
    const at = (type: string) => Date.parse(events.find(({ event }) => event.type === type)?.at ?? '')
    return at('build.started') - at('claim.taken')
  })
})

verifies('AC-1.4.e', 'with the daemon all of its agents end within 10 seconds', async () => {
  const workspace = shop({ scripts: [] })
  await expectWithin(10_000, async () => {
    const daemon = await up(workspace, 5)
    await allAlive(daemon, workspace)
    const ms = await timed(() => stopDaemon(daemon))
    expect(crewProcesses(daemon)).toEqual([])
    return ms
  })
})

async function allAlive({ client }: Daemon, workspace: Workspace): Promise<void> {
  await eventually('five signs of life', async () => {
    const { items } = await client.listAgents()
    return items.every(({ lastHeartbeatAt }) => lastHeartbeatAt !== null) ? true : undefined
  })
  for (const n of [1, 2, 3, 4, 5]) expect(session(workspace, n).status).toBe('idle')
}
