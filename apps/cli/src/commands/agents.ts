// The agents, one by one: how each is, and the orders to it.
import type { Agent } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import type { AgentId } from '@treadle/contracts/ids'
import { timeAgo } from '@treadle/contracts/words/time'
import { callerName } from '../caller-name.ts'
import { paint, print, printJson, withProgress } from '../output.ts'
import { asAgent, json, type Program, refuseMore, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'

export function agentCommands(program: Program): void {
  const agent = program.root.command('agent')
  agent
    .command('list', { isDefault: true })
    .description('every agent')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listAgents(client, options))
    })
  for (const order of ['start', 'stop', 'pause', 'resume', 'restart'] as const) {
    const command = agent
      .command(order)
      .description(`${order} one agent, or all`)
      .argument('[id]', 'agent-1, or just 1', asAgent)
      .option('--all', 'every agent')
    if (order === 'pause') command.option('--now', 'in the middle of a phase (default: at its end)')
    command.addOption(json()).action((id, options) => {
      if (id === undefined && !options.all) command.error("error: missing required argument 'id', or --all")
      if (id !== undefined && options.all) command.error('error: say which agent, or --all, not both')
      return withClient(program, (client) => orderAgent(client, order, id, options))
    })
  }
}

export function agentTable(agents: readonly Agent[]): string {
  if (agents.length === 0) return 'No agents. Start some: treadle up --agents 2'
  const rows = agents.map((agent) => [
    agent.id,
    statusWords(agent),
    agent.health === 'healthy' ? paint('green', agent.health) : paint('yellow', agent.health),
    agent.item === null ? '' : `#${agent.item.number}`,
    agent.phase ?? '',
    String(agent.tasksCompleted),
    agent.lastHeartbeatAt === null ? 'never' : timeAgo(agent.lastHeartbeatAt, Date.now()),
    agent.lastError ?? '',
  ])
  const heads = ['AGENT', 'STATUS', 'HEALTH', 'ITEM', 'PHASE', 'DONE', 'SEEN', 'LAST ERROR']
  return listing(heads, rows, { drop: ['DONE', 'LAST ERROR', 'PHASE'] })
}

async function listAgents(client: Client, options: { json?: boolean }): Promise<void> {
  const { items } = await client.listAgents()
  options.json ? printJson(items) : print(agentTable(items))
}

type AgentOrder = 'start' | 'stop' | 'pause' | 'resume' | 'restart'

interface AgentOrderOptions {
  readonly now?: boolean
  readonly json?: boolean
}

/** To one agent, or without a name to everyone at once. */
async function orderAgent(
  client: Client,
  order: AgentOrder,
  id: string | undefined,
  options: AgentOrderOptions,
): Promise<void> {
  const ids = id === undefined ? concerned(order, (await client.listAgents()).items) : [id]
  const body = { by: callerName(), now: options.now ?? false }
  const given = Promise.all(ids.map((each) => client.wantAgent({ params: { id: each, order }, body })))
  const agents = await withProgress(`${order} ${id ?? 'all'}`, given)
  if (options.json) return printJson(id === undefined ? agents : agents[0])
  for (const agent of agents) print(`${agent.id}: wanted ${agent.wanted}, ${statusWords(agent)}`)
  if (agents.length === 0) print('There are no agents.')
}

/** Agents that an order to everyone is about: a restart leaves those that were stopped alone. */
function concerned(order: AgentOrder, agents: readonly Agent[]): AgentId[] {
  const all = order === 'restart' ? agents.filter(({ wanted }) => wanted !== 'stopped') : agents
  return all.map(({ id }) => id)
}

function statusWords({ status, substate }: Agent): string {
  return substate === null ? status : `${status} (${substate})`
}
