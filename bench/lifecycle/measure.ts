// How long the orders of an agent's life take, each from the question to what the requirement names as its end.
import { existsSync } from 'node:fs'
import type { Agent } from '@treadle/contracts/agent'
import { agentOf, crewProcesses } from '../../scenarios/kit/agents.ts'
import { type Daemon, stopDaemon } from '../../scenarios/kit/daemon.ts'
import { readOrEmpty } from '../../scenarios/kit/processes.ts'
import { addRepair, letGo, session, untilHolding } from '../../scenarios/kit/shop.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

export type Order = 'start' | 'stop' | 'pause' | 'resume' | 'restart'

const CREW = 10
const QUERIES = 200

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await act()
  return performance.now() - before
}

export function order({ client }: Daemon, name: Order, now = false): Promise<Agent> {
  return client.wantAgent({ params: { id: 'agent-1', order: name }, body: { now } })
}

/** Until its own process has said that it is idle. */
export function timeStart(daemon: Daemon, name: 'start' | 'restart'): Promise<number> {
  return timed(async () => {
    const { startedAt } = await order(daemon, name)
    await eventually('a sign of life', async () => {
      const agent = await agentOf(daemon)
      return agent.status === 'idle' && (agent.lastHeartbeatAt ?? '') > (startedAt ?? '') ? true : undefined
    })
  })
}

/** Until both the daemon and the session file say so, while an engine is at work. */
export function timePause(daemon: Daemon): Promise<number> {
  return timed(async () => {
    await order(daemon, 'pause')
    await eventually('the pause in the session file', () =>
      session(daemon.workspace, 1).status === 'paused' ? true : undefined,
    )
  })
}

export async function atWork(daemon: Daemon, n: number): Promise<void> {
  await addRepair(daemon, n)
  await untilHolding(daemon, n)
}

export function finish({ workspace }: Daemon, n: number): void {
  letGo(workspace, `go-${n}`)
}

/** Until no process of the agent is left. */
export function timeStop(daemon: Daemon): Promise<number> {
  return timed(async () => {
    await order(daemon, 'stop')
    if (crewProcesses(daemon).length > 0) throw new Error('a process was left')
  })
}

/** Until there are as many session files as agents. */
export function timeSessionFiles(daemon: Daemon): Promise<number> {
  const { workspace, client } = daemon
  const files = Array.from({ length: CREW }, (_, at) => `${workspace.paths.sessions}/agent-${at + 1}.session`)
  return timed(async () => {
    await client.startAgents({ body: { count: CREW } })
    await eventually('ten session files', () => (files.every((file) => existsSync(file)) ? true : undefined))
  })
}

export async function untilAllBeat({ client }: Daemon): Promise<void> {
  await eventually('ten signs of life', async () => {
    const { items } = await client.listAgents()
    return items.length === CREW && items.every((agent) => agent.lastHeartbeatAt !== null) ? true : undefined
  })
}

export async function timeHealth({ client }: Daemon): Promise<number[]> {
  const took: number[] = []
  for (let turn = 0; turn < QUERIES; turn += 1) took.push(await timed(() => client.crewHealth()))
  return took
}

export function timeShutdown(daemon: Daemon): Promise<number> {
  return timed(() => stopDaemon(daemon))
}

export interface IdleShare {
  readonly daemon: number
  /** Of all agents together. */
  readonly agents: number
}

/** What a crew that waits for work takes of one processor, by the kernel's own count. */
export async function idleShare(daemon: Daemon, forMs: number): Promise<IdleShare> {
  const agents = crewProcesses(daemon)
  const used = () => [processorMs([daemon.pid]), processorMs(agents)] as const
  const before = used()
  const began = performance.now()
  await new Promise((done) => setTimeout(done, forMs))
  const tookMs = performance.now() - began
  const after = used()
  return { daemon: (after[0] - before[0]) / tookMs, agents: (after[1] - before[1]) / tookMs }
}

/** In clock ticks of the kernel, which are a hundredth of a second everywhere. */
const TICK_MS = 10

function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = readOrEmpty(`/proc/${pid}/stat`)
    const [user = '0', system = '0'] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return sum + (Number(user) + Number(system)) * TICK_MS
  }, 0)
}
