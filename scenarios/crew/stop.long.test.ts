// Stop, crash and the end of the daemon: no process is left, and what was in hand can be gone on with.
import type { Agent } from '@treadle/contracts/agent'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { agentOf, crewProcesses, untilAgent } from '../kit/agents.ts'
import { type Daemon, stopDaemon } from '../kit/daemon.ts'
import { isAlive, kill, waitGone } from '../kit/processes.ts'
import {
  type Attempts,
  addRepair,
  allEvents,
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

const shop = useShops()
const sharedShop = useShops('file')
const TEN = Array.from({ length: 10 }, (_, index) => index + 1)

/** Neither it nor its child in a session of its own listens to SIGTERM. */
const stubborn: Attempts = [
  [
    { write: { file: 'notes/at-work.txt', text: 'half way\n' } },
    {
      run: {
        command: `trap '' TERM; setsid sh -c 'trap "" TERM; while :; do sleep 0.2; done' & while [ ! -e ../../../../home/go-1 ]; do sleep 0.05; done`,
      },
    },
    { delete: { file: 'notes/at-work.txt' } },
    repair(1),
  ],
]

let opened: Promise<Daemon> | undefined
/** One agent for the tests that stop or kill a single one; they run in their order, each with the next item. */
function crew(): Promise<Daemon> {
  const limits = { stopGraceMs: 1_000, heartbeatMs: 200, degradedMs: 600, unresponsiveMs: 1_200 }
  opened ??= up(sharedShop({ scripts: [stubborn, slowRepair(2), slowRepair(3)], settings: { limits } }), 1)
  return opened
}

verifies(
  ['ORCH-1.4-5', 'ORCH-1.4-6', 'AC-1.4.d', 'ORCH-2.5-5', 'AC-2.5.f'],
  'stop: SIGTERM, then SIGKILL for all that did not listen; the state is kept; any order again changes nothing',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    await eventually('the child that does not listen', () =>
      crewProcesses(daemon).length >= 4 ? true : undefined,
    )
    const stopped = await order(workspace, 'stop')
    expect(stopped).toMatchObject({ wanted: 'stopped', status: 'stopped', pid: null })
    expect(crewProcesses(daemon)).toEqual([])
    expect(session(workspace, 1)).toMatchObject({
      status: 'stopped',
      currentProjectNumber: 1,
      currentPhase: 'building',
      branchName: 'agent-1/project-1',
      currentTaskDescription: 'Repair module 1',
    })
    for (const again of ['stop', 'pause', 'resume', 'stop'])
      expect(await order(workspace, again)).toMatchObject({ wanted: 'stopped', status: 'stopped', pid: null })
    letGo(workspace, 'go-1')
    await order(workspace, 'start')
    expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: 2 })
    // What the engine left in a session of its own went with its turn.
    expect(crewProcesses(daemon)).toHaveLength(1)
    const ends = (await allEvents(daemon)).filter(({ event }) => event.type === 'agent.stopped')
    expect(ends).toHaveLength(1)
  },
)

verifies(
  ['AC-1.3.d', 'AC-1.4.f'],
  'an agent that is killed: crashed with the error, in the session file, in a last heartbeat and as an event',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    await addRepair(daemon, 2)
    const held = await untilHolding(daemon, 2)
    // Halted first, so that nobody starts it again before one has looked.
    const { pid } = await order(workspace, 'pause', '--now')
    kill(pid ?? 0)
    const dead = await untilAgent(daemon, 'crashed', ({ status }) => status === 'crashed')
    const why = new RegExp(`process ${pid} is gone \\(SIGKILL\\)`)
    expect(dead).toMatchObject({ pid: null, health: 'unresponsive', lastError: expect.stringMatching(why) })
    expect(session(workspace, 1)).toMatchObject({
      status: 'crashed',
      errorCount: 1,
      lastError: expect.stringMatching(why),
    })
    // The event is the last thing written of a death.
    const crashes = await eventually('the event of the crash', async () => {
      const all = await allEvents(daemon)
      const told = all.flatMap(({ event }) => (event.type === 'agent.crashed' ? event.why : []))
      return told.length > 0 ? told : undefined
    })
    expect(crashes).toEqual([expect.stringMatching(why)])
    const [last] = (await daemon.client.heartbeats({ params: { id: 'agent-1' } })).items
    expect(last).toMatchObject({ status: 'crashed', pid, lastError: expect.stringMatching(why) })
    // Its engine was halted and could not end by itself.
    expect(crewProcesses(daemon)).toEqual([])
    expect(await itemNumber(daemon, 2)).toMatchObject({ claimedByAgentId: 'agent-1', fence: held.fence })
    letGo(workspace, 'go-2')
    await order(workspace, 'resume')
    expect(await until(daemon, 2, 'done')).toMatchObject({ fence: held.fence, runId: held.runId })
    expect((await eventsOf(daemon, 2)).map(({ event }) => event.type)).toContain('run.resumed')
  },
)

test('a holder that is provably dead is recovered; one that is merely silent keeps its claim', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  const { restarts } = await agentOf(daemon)
  await addRepair(daemon, 3)
  const held = await untilHolding(daemon, 3)
  const { pid } = await agentOf(daemon)
  // Halted by a stranger: nobody is told, and nothing of it can be known but the silence.
  process.kill(pid ?? 0, 'SIGSTOP')
  await untilAgent(daemon, 'unresponsive', ({ health }) => health === 'unresponsive')
  expect(await agentOf(daemon)).toMatchObject({ pid, status: 'working' })
  expect(await itemNumber(daemon, 3)).toMatchObject({ claimedByAgentId: 'agent-1', fence: held.fence })
  process.kill(pid ?? 0, 'SIGCONT')
  await untilAgent(daemon, 'well', ({ health }) => health === 'healthy')
  kill(pid ?? 0)
  const next = await untilAgent(daemon, 'started again', (agent) => agent.pid !== null && agent.pid !== pid)
  expect(next.restarts).toBe(restarts + 1)
  letGo(workspace, 'go-3')
  expect(await until(daemon, 3, 'done')).toMatchObject({ fence: held.fence, runId: held.runId })
  await stopDaemon(daemon)
})

verifies(
  ['ORCH-1.4-1', 'ORCH-1.4-2', 'ORCH-1.4-7', 'ORCH-1.4-10', 'AC-1.4.a', 'AC-1.4.e'],
  'ten agents start and stop together, each a process of its own; with the daemon all of them end',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const daemon = await up(workspace, 10)
    const started = (await daemon.client.listAgents()).items
    expect(started.map(({ status }) => status)).toEqual(TEN.map(() => 'idle'))
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(10)
    expect(started.every(({ pid }) => pid !== null && pid !== daemon.pid && isAlive(pid))).toBe(true)
    for (const n of TEN) expect(session(workspace, n).status).toBe('idle')
    const stopped = await told<Agent[]>(workspace, 'agent', 'stop', '--all')
    expect(stopped.map(({ status, pid }) => [status, pid])).toEqual(TEN.map(() => ['stopped', null]))
    expect(crewProcesses(daemon)).toEqual([])
    const again = await told<Agent[]>(workspace, 'agent', 'start', '--all')
    expect(again.map(({ status }) => status)).toEqual(TEN.map(() => 'idle'))
    await eventually('ten signs of life', async () => {
      const { items } = await daemon.client.listAgents()
      const since = again[0]?.startedAt ?? ''
      return items.every(({ lastHeartbeatAt }) => (lastHeartbeatAt ?? '') > since) ? true : undefined
    })
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    const all = crewProcesses(daemon)
    expect(all.length).toBeGreaterThanOrEqual(11)
    await stopDaemon(daemon)
    for (const pid of all) await waitGone(pid, 1_000)
    for (const n of TEN) expect(session(workspace, n).status).toBe('stopped')
  },
)

function order(workspace: Workspace, name: string, ...more: string[]): Promise<Agent> {
  return told<Agent>(workspace, 'agent', name, '1', ...more)
}
