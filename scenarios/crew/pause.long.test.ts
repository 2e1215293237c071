// Pause: at the end of a phase or at once, the whole tree, and nobody takes a halted agent for a sick one.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '@treadle/contracts/agent'
import { ApiError } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { agentOf, crewProcesses, stateOf, untilAgent } from '../kit/agents.ts'
import type { Daemon } from '../kit/daemon.ts'
import { readOrEmpty } from '../kit/processes.ts'
import {
  type Attempts,
  addRepair,
  eventsOf,
  itemNumber,
  letGo,
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
const SOON = { heartbeatMs: 200, degradedMs: 600, unresponsiveMs: 1_200 }

/** A child of the engine that leaves its session and counts, beside the wait that the test ends. */
const counting: Attempts = [
  [
    { write: { file: 'notes/at-work.txt', text: 'half way\n' } },
    {
      run: {
        command: `setsid sh -c 'while :; do echo x >> ../../../../home/count; sleep 0.02; done' & while [ ! -e ../../../../home/go-1 ]; do sleep 0.05; done`,
      },
    },
    { delete: { file: 'notes/at-work.txt' } },
    repair(1),
  ],
]

let opened: Promise<Daemon> | undefined
/** One crew for both tests, which run in their order; it begins with one agent. */
function crew(): Promise<Daemon> {
  const scripts = [counting, [[repair(2)]], slowRepair(3), [[repair(4)]]]
  opened ??= up(shop({ scripts, settings: { limits: SOON } }), 1)
  return opened
}

verifies(
  ['ORCH-1.4-3', 'ORCH-1.4-4', 'AC-1.4.b', 'AC-1.4.c', 'AC-2.5.b', 'ORCH-2.5-4', 'ORCH-2.5-11'],
  'pause --now halts the whole tree and its clock; it is not sick; resume goes on where it was',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    await addRepair(daemon, 1)
    const before = await untilHolding(daemon, 1)
    await eventually('the counting child', () => (counted(workspace) > 3 ? true : undefined))
    const paused = await order(workspace, 'pause', '--now')
    expect(paused).toMatchObject({ wanted: 'paused', status: 'paused', substate: 'frozen' })
    expect(session(workspace, 1)).toMatchObject({ status: 'paused', currentProjectNumber: 1 })
    const tree = crewProcesses(daemon)
    expect(tree.length).toBeGreaterThanOrEqual(4)
    expect(tree.map(stateOf)).toEqual(tree.map(() => 'T'))
    const [count, beat] = [counted(workspace), (await agentOf(daemon)).lastHeartbeatAt ?? '']
    await addRepair(daemon, 2)
    await sleep(SOON.unresponsiveMs + 800)
    expect(counted(workspace)).toBe(count)
    const still = await agentOf(daemon)
    expect(still).toMatchObject({ health: 'healthy', substate: 'frozen', pid: paused.pid })
    expect((still.lastHeartbeatAt ?? '') > beat).toBe(true)
    expect(await itemNumber(daemon, 2)).toMatchObject({ state: 'todo', claimedByAgentId: null })
    await refusesClaim(daemon)
    expect(await order(workspace, 'pause', '--now')).toMatchObject({ substate: 'frozen', pid: paused.pid })
    const resumed = await order(workspace, 'resume')
    expect(resumed).toMatchObject({
      wanted: 'running',
      status: 'working',
      substate: null,
      pid: paused.pid,
    })
    expect(await order(workspace, 'resume')).toMatchObject({ wanted: 'running', pid: paused.pid })
    const statuses = (await daemon.client.events({ query: { type: 'agent.status_changed' } })).items
    expect(statuses.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ from: 'paused', to: 'idle' }),
    )
    await eventually('the counting', () => (counted(workspace) > count ? true : undefined))
    await untilAgent(daemon, 'at work', ({ status }) => status === 'working')
    // Its own clock has stood still: the deadline has moved by as much.
    const after = await itemNumber(daemon, 1)
    const moved = Date.parse(after.deadlineAt ?? '') - Date.parse(before.deadlineAt ?? '')
    expect(moved).toBeGreaterThan(SOON.unresponsiveMs)
    letGo(workspace, 'go-1')
    expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: before.fence })
    await until(daemon, 2, 'done')
    expect((await eventsOf(daemon, 1)).map(({ event }) => event.type)).not.toContain('run.resumed')
  },
)

verifies(
  ['AC-2.5.a', 'AC-2.5.e', 'ORCH-2.5-1'],
  'a pause shows at once, lets the phase end, halts at the checkpoint, and nothing new is claimed',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    await daemon.client.startAgents({ body: { count: 2 } })
    await addRepair(daemon, 3)
    const held = await untilHolding(daemon, 3)
    const n = Number(held.claimedByAgentId?.slice('agent-'.length))
    const idle = 3 - n
    const both = await told<Agent[]>(workspace, 'agent', 'pause', '--all')
    expect(both.map(({ status, wanted }) => [status, wanted])).toEqual([
      ['paused', 'paused'],
      ['paused', 'paused'],
    ])
    await untilAgent(daemon, 'halted', ({ substate }) => substate === 'frozen', idle)
    await addRepair(daemon, 4)
    expect(await agentOf(daemon, n)).toMatchObject({ status: 'paused', substate: 'draining' })
    await eventually('the pause in the session file', () =>
      session(workspace, n).status === 'paused' ? true : undefined,
    )
    // The phase goes on: its engine is awake, and its end is told before the halt.
    letGo(workspace, 'go-3')
    await untilAgent(daemon, 'halted', ({ substate }) => substate === 'frozen', n)
    expect(await itemNumber(daemon, 3)).toMatchObject({ state: 'verifying', attempts: 1 })
    await sleep(500)
    expect(await itemNumber(daemon, 3)).toMatchObject({ state: 'verifying' })
    expect(await itemNumber(daemon, 4)).toMatchObject({ state: 'todo', claimedByAgentId: null })
    const status = await told<{ agents: Agent[] }>(workspace, 'status')
    expect(status.agents.map(({ substate }) => substate)).toEqual(['frozen', 'frozen'])
    await told<Agent[]>(workspace, 'agent', 'resume', '--all')
    await until(daemon, 3, 'done')
    await until(daemon, 4, 'done')
  },
)

async function refusesClaim({ client }: Daemon): Promise<void> {
  const params = { projectNumber: 1, issueNumber: 2 }
  const refused = await client
    .claimItem({ params, body: { agentId: 'agent-1' } })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 409, code: 'refused' })
}

function counted({ home }: Workspace): number {
  return readOrEmpty(join(home, 'count')).length
}

function order(workspace: Workspace, name: string, ...more: string[]): Promise<Agent> {
  return told<Agent>(workspace, 'agent', name, '1', ...more)
}
