// Orders to the whole crew and the queue, the log of orders, and work that was kept.
import { resolve } from 'node:path'
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import { type KeptWork, type Order, RolloutPhase } from '@treadle/contracts/order'
import { timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { type Consent, giveOrder } from '../confirm.ts'
import { paint, print, printJson, tell, withProgress } from '../output.ts'
import { asAgent, asCount, asNumber, json, type Program, project, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'

interface Options extends Consent {
  readonly json?: boolean
}

const yes = () => new Option('-y, --yes', 'do not ask')

export function orderCommands(program: Program): void {
  crewOrders(program)
  queueOrders(program)
  lookBack(program)
}

function crewOrders(program: Program): void {
  const { root } = program
  root
    .command('stop-all')
    .option('--graceful', 'let them finish cleanly instead')
    .addOption(yes())
    .addOption(json())
    .action((options) => order(program, { is: options.graceful ? 'stop_all' : 'emergency_stop' }, options))
  root
    .command('pause-all')
    .option('--now', 'in the middle of a phase')
    .addOption(json())
    .action((options) => order(program, { is: 'pause_all', now: options.now ?? false }, options))
  root
    .command('resume-all')
    .addOption(json())
    .action((options) => order(program, { is: 'resume_all' }, options))
  root
    .command('reset')
    .argument('<agent>', 'agent-1, or just 1', asAgent)
    .addOption(yes())
    .addOption(json())
    .action((agentId, options) => order(program, { is: 'reset', agentId }, options))
  root
    .command('rollback')
    .addOption(
      new Option('--phase <n>', '2 multi-agent, 3 review, 4 ideation, 5 monitoring')
        .choices(['2', '3', '4', '5'])
        .makeOptionMandatory(),
    )
    .addOption(yes())
    .addOption(json())
    .action((options) =>
      order(program, { is: 'rollback', phase: RolloutPhase.parse(Number(options.phase)) }, options),
    )
}

function queueOrders(program: Program): void {
  const { root } = program
  root
    .command('reassign')
    .argument('<number>', 'item number', asNumber)
    .addOption(new Option('--to <agent>', 'only this agent is offered it while it runs').argParser(asAgent))
    .addOption(project())
    .addOption(yes())
    .addOption(json())
    .action((number, options) => {
      const item = { projectNumber: options.project, number }
      return order(program, { is: 'reassign', item, to: options.to ?? null }, options)
    })
  root
    .command('recover')
    .addOption(yes())
    .addOption(json())
    .action((options) => order(program, { is: 'recover' }, options))
  root
    .command('purge')
    .option('--undo [id]', 'put back what the last purge took out, or the one with this id')
    .addOption(yes())
    .addOption(json())
    .action((options) => {
      const purge = typeof options.undo === 'string' ? options.undo : null
      return order(program, options.undo ? { is: 'undo_purge', purge } : { is: 'purge' }, options)
    })
}

function lookBack(program: Program): void {
  const { root } = program
  root
    .command('audit')
    .addOption(new Option('--limit <n>', 'at most so many').argParser(asCount(1_000)).default(50))
    .addOption(json())
    .action((options) => withClient(program, (client) => showAudit(client, options)))
  root
    .command('undelete')
    .argument('[what]', "a reference from the list, or a run's id")
    .option('--branch <name>', 'name of the new branch')
    .option('--worktree <dir>', 'check it out there as well')
    .addOption(new Option('--item <number>', 'list only this item').argParser(asNumber))
    .option('--all', 'list also what changed nothing')
    .addOption(json())
    .action((what, options) =>
      withClient(program, (client) =>
        what === undefined ? listKept(client, options) : restore(client, what, options),
      ),
    )
}

async function order(program: Program, wanted: Order, options: Options): Promise<void> {
  await withClient(program, async (client) => {
    const given = await giveOrder(client, wanted, options)
    if (options.json) printJson(given)
    else print(`${given.outcome}.`)
    for (const fault of given.failed) tell(paint('red', fault))
    if (given.failed.length > 0) program.exitCode = 1
    if (given.order === 'purge' && given.impact.items.length > 0 && !options.json)
      print(`Put it back: treadle purge --undo ${given.id}`)
  })
}

async function showAudit(client: Client, options: Options & { limit: number }): Promise<void> {
  const { items } = await client.audit({ query: { limit: Math.max(1, options.limit) } })
  if (options.json) return printJson(items)
  if (items.length === 0) return print('No order was given yet.')
  const rows = items.map(({ at, by, order: name, target, outcome }) => [
    new Date(at).toLocaleString('sv'),
    by,
    name.replaceAll('_', ' '),
    target ?? '',
    outcome,
  ])
  print(listing(['WHEN', 'WHO', 'ORDER', 'TARGET', 'OUTCOME'], rows, { drop: ['TARGET'] }))
}

async function listKept(client: Client, options: Options & { item?: number; all?: boolean }): Promise<void> {
  const query = { issueNumber: options.item, all: options.all ? 'true' : 'false' }
  const { items } = await withProgress('looking', client.listKept({ query }))
  if (options.json) return printJson(items)
  if (items.length === 0) return print('Nothing is kept that is not on a branch or is not merged.')
  const heads = ['KEPT', 'ITEM', 'AGENT', 'KIND', 'FILES', 'REFERENCE']
  print(listing(heads, items.map(keptRow), { drop: ['AGENT', 'KIND', 'FILES'] }))
  print('\nBring one back: treadle undelete <reference or run> [--branch name] [--worktree dir]')
}

function keptRow(kept: KeptWork): string[] {
  const more = kept.fileCount > 2 ? ` and ${kept.fileCount - 2} more` : ''
  return [
    timeAgo(kept.at, Date.now()),
    kept.item === null ? '' : itemLabel(kept.item),
    kept.agentId ?? '',
    kept.kind.replaceAll('_', ' '),
    kept.files.slice(0, 2).join(', ') + more,
    kept.ref.replace(/^refs\/treadle\//, ''),
  ]
}

interface RestoreOptions extends Options {
  readonly branch?: string
  readonly worktree?: string
}

async function restore(client: Client, what: string, options: RestoreOptions): Promise<void> {
  const { branch } = options
  const worktree = options.worktree === undefined ? undefined : resolve(options.worktree)
  const done = await client.restoreKept({ body: { what, branch, worktree, by: callerName() } })
  if (options.json) return printJson(done)
  const { target } = await client.workspace()
  print(
    `${done.branch} is at ${done.commit.slice(0, 8)}${done.worktree === null ? '' : `, in ${done.worktree}`}`,
  )
  print(`Look at it: git diff ${target}...${done.branch}`)
}
