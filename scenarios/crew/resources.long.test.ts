// Real agents on one machine: their calls of a model are one pool, also when one of them or the daemon is killed, and
// each is kept to cores of its own.
import { coresIn } from '@treadle/flow/supervise/own-cores'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { agentOf } from '../kit/agents.ts'
import type { Daemon } from '../kit/daemon.ts'
import { kill, readOrEmpty, waitGone } from '../kit/processes.ts'
import { addRepair, changeSettings, mergedOnMain, until, up } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { type ModelAsked, repairing, useModelCrew } from './model-crew.ts'

const crewWith = useModelCrew({ items: 2, agents: 2, limits: { callsAtOnce: 1, heartbeatMs: 500 } })

const resourcesOf = async ({ client }: Daemon) => {
  const { resources } = await client.workspace()
  if (resources === null) throw new Error('the daemon does not say what the machine has')
  return resources
}

const allowed = (pid: number | null) =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readOrEmpty(`/proc/${pid ?? 0}/status`))?.[1] ?? ''

const moduleIn = ({ messages }: ModelAsked) =>
  Number(/Repair module (\d+)/.exec(messages.map(({ text }) => text).join('\n'))?.[1])

verifies(
  'ORCH-S5-24',
  'with as many cores as agents each agent is kept to its own, and with the setting off each may use all',
  async () => {
    const { daemon } = await crewWith(repairing)
    const all = coresIn(allowed(process.pid))
    const found = await eventually('cores', async () => {
      const { cores } = await resourcesOf(daemon)
      return cores.why !== null || Object.keys(cores.agents).length === 2 ? cores : undefined
    })
    // A machine with one core, or without taskset, says so and keeps nobody.
    if (found.why !== null) return expect(found).toMatchObject({ agents: {}, why: expect.any(String) })
    const agents = [await agentOf(daemon, 1), await agentOf(daemon, 2)]
    const lists = agents.map(({ pid }) => coresIn(allowed(pid)))
    expect(lists.flat().toSorted((a, b) => a - b)).toEqual(all)
    expect(agents.map(({ id, pid }) => [id, allowed(pid)])).toEqual(Object.entries(found.agents))
    await changeSettings(daemon, { agents: { ownCores: false } })
    await eventually('all cores for all', () =>
      agents.every(({ pid }) => allowed(pid) === allowed(process.pid)) ? true : undefined,
    )
    expect((await resourcesOf(daemon)).cores).toMatchObject({ agents: {}, why: 'agents.ownCores is false' })
  },
)

verifies(
  'ORCH-S5-24',
  'calls of two agents are one pool: one waits for the other, has its turn when that is killed, and a new daemon knows of it',
  async () => {
    const model = Promise.withResolvers<void>()
    const { daemon, asked } = await crewWith(async (request) => {
      await model.promise
      return repairing(request)
    })
    const { workspace } = daemon
    const untilCalls = (at: Daemon, underWay: number, waiting: number) =>
      eventually(`${underWay} calls under way, ${waiting} waiting`, async () => {
        const { calls } = await resourcesOf(at)
        return calls.underWay === underWay && calls.waiting === waiting ? calls : undefined
      })
    for (const n of [1, 2]) await addRepair(daemon, n)
    await untilCalls(daemon, 1, 1)
    const [first] = asked()
    expect(asked()).toHaveLength(1)
    if (first === undefined) throw new Error('the model was not asked')
    const mine = moduleIn(first)
    const { item } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: mine } })
    const holder = (await daemon.client.listAgents()).items.find(({ id }) => id === item.claimedByAgentId)
    if (holder?.pid == null) throw new Error('nobody works on it')
    kill(holder.pid)
    // The call of the killed agent is over, and the other one has its turn.
    await eventually('the other asks the model', () =>
      asked().some((request) => moduleIn(request) !== mine) ? true : undefined,
    )
    // The killed one is started again, and waits for its turn like anybody.
    await untilCalls(daemon, 1, 1)
    expect(asked()).toHaveLength(2)

    kill(daemon.pid)
    await waitGone(daemon.pid)
    const next = await up(workspace, 2)
    await eventually('the call under way is known', async () =>
      (await resourcesOf(next)).calls.underWay > 0 ? true : undefined,
    )
    model.resolve()
    for (const n of [1, 2]) await until(next, n, 'done')
    expect(mergedOnMain(workspace)).toHaveLength(2)
    await untilCalls(next, 0, 0)
  },
)
