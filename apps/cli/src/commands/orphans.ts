// Agents that an earlier daemon has left behind: look at them, let them go on, or remove them.
import type { Client } from '@treadle/contracts/client'
import type { Orphan } from '@treadle/contracts/orphan'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { agree, type Consent } from '../confirm.ts'
import { paint, print, printJson, tell, withProgress } from '../output.ts'
import { asAgent, json, type Program, refuseMore, withClient } from '../program.ts'

interface Options extends Consent {
  readonly json?: boolean
}

export function orphanCommands(program: Program): void {
  const orphans = program.root.command('orphans')
  orphans
    .command('list', { isDefault: true })
    .description('session files without a process, processes without a daemon')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => list(client, options))
    })
  orphans
    .command('recover')
    .description('let the agent run again, as its session file says')
    .argument('<id>', 'agent-1, or just 1', asAgent)
    .addOption(json())
    .action((id, options) => withClient(program, (client) => recover(client, id, options)))
  orphans
    .command('delete')
    .description('end its process, remove its session file and release what it holds')
    .argument('<id>', 'agent-1, or just 1', asAgent)
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(json())
    .action((id, options) => withClient(program, (client) => remove(client, id, options)))
}

/** Lists orphans at `treadle up`; nothing is done about them until somebody decides. */
export async function tellOrphans(client: Client): Promise<void> {
  const { items } = await client.listOrphans()
  for (const orphan of items) tell(paint('yellow', wordsOf(orphan)))
  if (items.length > 0)
    tell('Let one go on: treadle orphans recover <id>. Remove it: treadle orphans delete <id>')
}

async function list(client: Client, options: Options): Promise<void> {
  const { items } = await client.listOrphans()
  if (options.json) return printJson(items)
  print(items.length === 0 ? 'Nothing was left behind.' : items.map(wordsOf).join('\n'))
}

async function recover(client: Client, id: string, options: Options): Promise<void> {
  const given = { params: { id, act: 'recover' as const }, body: { by: callerName() } }
  const orphan = await withProgress(`recover ${id}`, client.settleOrphan(given))
  options.json ? printJson(orphan) : print(`${id} runs again.`)
}

async function remove(client: Client, id: string, options: Options): Promise<void> {
  const { items } = await client.listOrphans()
  const found = items.find(({ agentId }) => agentId === id)
  if (found !== undefined) await agree(`This will remove: ${wordsOf(found)}`, options)
  const given = { params: { id, act: 'delete' as const }, body: { by: callerName(), confirm: true } }
  const orphan = await withProgress(`delete ${id}`, client.settleOrphan(given))
  options.json ? printJson(orphan) : print(`${id} is gone.`)
}

function wordsOf({ agentId, process, session, problem, item }: Orphan): string {
  const running = process === null ? 'no process' : `process ${process.pid}, which no daemon looks after`
  const holds = item === null ? '' : `, holds #${item.number}`
  const said = problem === null ? sessionWords(session) : `its session file cannot be read (${problem})`
  return `${agentId}: ${running}; ${said}${holds}`
}

function sessionWords(session: Orphan['session']): string {
  if (session === null) return 'no session file'
  const on = session.currentProjectNumber === null ? '' : ` on #${session.currentProjectNumber}`
  return `its session file says ${session.status}${on}`
}
