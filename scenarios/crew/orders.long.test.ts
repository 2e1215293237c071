// What a person orders an agent to do, and what becomes of the work it has in hand.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '@treadle/contracts/agent'
import type { Item } from '@treadle/contracts/item'
import type { OrderGiven } from '@treadle/contracts/order'
import { expect, test } from 'vitest'
import { untilAgent } from '../kit/agents.ts'
import type { Daemon } from '../kit/daemon.ts'
import { everythingIn, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  eventsOf,
  itemNumber,
  letGo,
  mergedOnMain,
  repair,
  session,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops('file')
const REPAIRS = [slowRepair(1), [[repair(2)]], ...[3, 4, 5, 6].map((n) => slowRepair(n))]
let opened: Promise<Daemon> | undefined

/** One crew for both tests, which run in their order; it begins with one agent. */
function crew(): Promise<Daemon> {
  opened ??= up(shop({ scripts: REPAIRS }), 1)
  return opened
}

test('an agent is paused, resumed, stopped, started and restarted', async () => {
  const daemon = await crew()
  await pauseAndResume(daemon)
  await stopAndStart(daemon)
  await restart(daemon)
  expect(mergedOnMain(daemon.workspace)).toEqual(['1/1', '1/2', '1/3', '1/4'])
})

/** It goes on to the end of the phase and is halted there; nothing new is begun until it may go on. */
async function pauseAndResume(daemon: Daemon): Promise<void> {
  const { workspace } = daemon
  await addRepair(daemon, 1)
  await untilHolding(daemon, 1)
  expect(await order(workspace, 'pause')).toMatchObject({
    wanted: 'paused',
    status: 'paused',
    substate: 'draining',
  })
  await addRepair(daemon, 2)
  await eventually('the pause in the session file', () =>
    session(workspace, 1).status === 'paused' ? true : undefined,
  )
  letGo(workspace, 'go-1')
  await untilAgent(daemon, 'halted', ({ substate }) => substate === 'frozen')
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'verifying', claimedByAgentId: 'agent-1' })
  await sleep(500)
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'verifying' })
  expect(await itemNumber(daemon, 2)).toMatchObject({ state: 'todo', claimedByAgentId: null })
  expect(await order(workspace, 'resume')).toMatchObject({ wanted: 'running', substate: null })
  await until(daemon, 1, 'done')
  await until(daemon, 2, 'done')
}

/** The item goes back to the queue, and no process of the agent is left. */
async function stopAndStart(daemon: Daemon): Promise<void> {
  const { workspace } = daemon
  await addRepair(daemon, 3)
  await untilHolding(daemon, 3)
  const stopped = await order(workspace, 'stop')
  expect(stopped).toMatchObject({ wanted: 'stopped', status: 'stopped', pid: null })
  expect(await itemNumber(daemon, 3)).toMatchObject({
    state: 'backlog',
    claimedByAgentId: null,
    reason: 'agent-1 is no longer running',
  })
  expect((await daemon.client.queue()).items.map(({ number }) => number)).toEqual([3])
  expect(everythingIn(workspace)).toEqual([daemon.pid])
  expect(session(workspace, 1).status).toBe('stopped')
  letGo(workspace, 'go-3')
  expect(await order(workspace, 'start')).toMatchObject({ wanted: 'running' })
  expect((await until(daemon, 3, 'done')).fence).toBe(2)
}

/** A new process, the same claim and the same run: the work goes on. */
async function restart(daemon: Daemon): Promise<void> {
  const { workspace } = daemon
  await addRepair(daemon, 4)
  const before = await untilHolding(daemon, 4)
  const pid = (await daemon.client.listAgents()).items[0]?.pid ?? 0
  const after = await order(workspace, 'restart')
  expect(after).toMatchObject({ wanted: 'running' })
  expect(after.pid).not.toBe(pid)
  await waitGone(pid)
  letGo(workspace, 'go-4')
  const done = await until(daemon, 4, 'done')
  expect(done).toMatchObject({ runId: before.runId, fence: before.fence, attempts: 1 })
  const types = (await eventsOf(daemon, 4)).map(({ event }) => event.type)
  expect(types).toContain('run.resumed')
  expect(types).not.toContain('claim.released')
}

test('an item that was taken from an agent goes to another one; to the same only if nobody else is there', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  await daemon.client.startAgents({ body: { count: 2 } })
  for (const n of [5, 6]) {
    await addRepair(daemon, n)
    const from = (await untilHolding(daemon, n)).claimedByAgentId
    const given = await told<OrderGiven>(workspace, 'reassign', String(n), '--yes')
    expect(given.outcome).toBe(`taken from ${from}, back in the queue for the others`)
    const to = (await untilHeld(daemon, n)).claimedByAgentId
    expect(to).not.toBe(from)
    if (n === 5) {
      letGo(workspace, 'go-5')
      await until(daemon, 5, 'done')
    }
  }
  const { claimedByAgentId: last, fence } = await itemNumber(daemon, 6)
  const other = last === 'agent-1' ? '2' : '1'
  await told(workspace, 'agent', 'stop', other)
  const alone = await told<OrderGiven>(workspace, 'reassign', '6', '--yes')
  expect(alone.impact.text).toContain(`No other agent is running, so ${last} may take it again`)
  expect(alone.outcome).toContain(`No other agent is running, so ${last} may take it again`)
  letGo(workspace, 'go-6')
  expect(await until(daemon, 6, 'done')).toMatchObject({ fence: fence + 1 })
})

function untilHeld(daemon: Daemon, n: number): Promise<Item> {
  return eventually(`a holder of #${n}`, async () => {
    const item = await itemNumber(daemon, n)
    return item.claimedByAgentId === null ? undefined : item
  })
}

function order(workspace: Workspace, name: string): Promise<Agent> {
  return told<Agent>(workspace, 'agent', name, '1')
}
