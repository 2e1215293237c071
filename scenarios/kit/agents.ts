// Agents as the daemon shows them, and their processes as the machine does.
import type { Agent } from '@treadle/contracts/agent'
import type { Daemon } from './daemon.ts'
import { everythingIn, readOrEmpty } from './processes.ts'
import { eventually } from './wait.ts'

export async function agentOf({ client }: Pick<Daemon, 'client'>, n = 1): Promise<Agent> {
  const agent = (await client.listAgents()).items.find(({ id }) => id === `agent-${n}`)
  if (agent === undefined) throw new Error(`there is no agent-${n}`)
  return agent
}

export function untilAgent(
  daemon: Pick<Daemon, 'client'>,
  what: string,
  test: (agent: Agent) => boolean,
  n = 1,
): Promise<Agent> {
  return eventually(`agent-${n} ${what}`, async () => {
    const agent = await agentOf(daemon, n)
    return test(agent) ? agent : undefined
  })
}

/** Everything that runs in the workspace but the daemon. */
export function crewProcesses({ workspace, pid }: Daemon): number[] {
  return everythingIn(workspace).filter((found) => found !== pid)
}

/** One letter, as the kernel gives it: T is halted. */
export function stateOf(pid: number): string {
  return /\) (\S) /.exec(readOrEmpty(`/proc/${pid}/stat`))?.[1] ?? ''
}

export async function agentsOf({ client }: Pick<Daemon, 'client'>): Promise<Agent[]> {
  return (await client.listAgents()).items
}
