// status: what needs the owner first, then who is at work, what comes next and what is done.
import type { Agent } from '@treadle/contracts/agent'
import type { Answer, Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { otherHolds, resourceLines } from '@treadle/contracts/words/resources'
import { duration, timeAgo, timeOfDay } from '@treadle/contracts/words/time'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { dashboardLink, findDaemon, type Running } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { evidenceCell, type PageOf, reasonOf, stateCell } from '../items/item-table.ts'
import { findLeftovers, readSession } from '../leftovers.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { pagesOf } from '../pages.ts'
import { json, type Program } from '../program.ts'
import { spendLine } from '../spend-line.ts'
import { flowed } from '../terminal/columns.ts'
import { linked } from '../terminal/link.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { findWorkspace } from '../workspace.ts'
import { holdLines } from './costs.ts'
import { unseenLines } from './notifications.ts'
import { heldUpLines } from './questions.ts'
import { readinessNotes } from './ready.ts'

/** So many of what needs the owner, and of what comes next. */
const WAITING_MAX = 10
const NEXT_MAX = 5
const ENDED_MAX = 1_000

export function statusCommands(program: Program): void {
  const { root, env } = program
  root
    .command('status')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await status(findWorkspace(env), env, options)
    })
}

async function status(paths: WorkspacePaths, env: CliEnv, options: { json?: boolean }): Promise<number> {
  const running = await findDaemon(paths, env)
  if (running === null) return statusAlone(paths, options)
  if (options.json) await printFacts(paths, running)
  else await printStatus(paths, running, await pagesOf(running, env))
  return 0
}

async function printFacts(paths: WorkspacePaths, running: Running): Promise<void> {
  const { client } = running
  const [health, { items: agents }, { items }, settings, daily, monthly, { items: questions }] =
    await Promise.all([
      client.health(),
      client.listAgents(),
      client.listItems(),
      client.workspace(),
      client.costTotals({ query: { period: 'daily' } }),
      client.costTotals({ query: { period: 'monthly' } }),
      client.listQuestions({ query: { status: 'open' } }),
    ])
  const { config, target, warnings, errors, holds, resting, readiness, resources } = settings
  printJson({
    running: true,
    workspace: paths.root,
    url: running.url,
    token: running.token,
    pid: running.pid,
    health,
    target,
    approval: config.merge.approval,
    warnings: [...errors, ...warnings],
    holds,
    readiness,
    resting,
    resources,
    costs: { daily, monthly },
    agents,
    items,
    questions,
  })
}

async function printStatus(paths: WorkspacePaths, running: Running, pageOf: PageOf): Promise<void> {
  const { client } = running
  const [{ items: agents }, board, { items: queue }, settings, { items: questions }, { items: unseen }] =
    await Promise.all([
      client.listAgents(),
      client.board({ query: { ended: ENDED_MAX } }),
      client.queue({ query: { limit: NEXT_MAX } }),
      client.workspace(),
      client.listQuestions({ query: { status: 'open' } }),
      client.listNotifications({ query: { limit: 500 } }),
    ])
  for (const line of heldUpLines(questions)) print(`${line}\n`)
  printWaiting(board.items, pageOf)
  printAtWork(agents, board.items, pageOf)
  printNext(queue, board, pageOf)
  print(`\n${doneWords(board.items)}`)
  print(
    `\n${paint('bold', paths.root)}  merges into ${settings.target}, approval: ${settings.config.merge.approval}`,
  )
  await printMoney(client, settings)
  // The whole link is wider than a terminal; `open` has it.
  print(
    process.stdout.isTTY
      ? `Dashboard: treadle open (${running.url})`
      : `Dashboard: ${await dashboardLink(running)}`,
  )
  for (const line of unseenLines(unseen)) print(line)
}

function printWaiting(items: readonly Item[], pageOf: PageOf): void {
  const waiting = items.filter(({ needsHuman }) => needsHuman)
  if (waiting.length === 0) {
    print(paint('green', 'Nothing needs you.'))
    return
  }
  print(paint(['bold', 'yellow'], `NEEDS YOU (${waiting.length})`))
  const rows = waiting
    .slice(0, WAITING_MAX)
    .map((item) => [
      linked(itemLabel(item), pageOf(item)),
      stateCell(item),
      plainText(item.title),
      evidenceCell(item),
      timeAgo(item.updatedAt, Date.now()),
      reasonOf(item),
    ])
  print(listing(['#', 'WHAT', 'TITLE', 'EVIDENCE', 'SINCE', 'WHY'], rows, { drop: ['WHY', 'SINCE'] }))
  if (waiting.length > WAITING_MAX)
    print(paint('dim', `and ${waiting.length - WAITING_MAX} more: treadle list --needs-me`))
  const [first] = waiting
  if (first !== undefined)
    print(paint('dim', `Look at one: treadle show ${first.number}   all in one place: treadle watch`))
}

function printAtWork(agents: readonly Agent[], items: readonly Item[], pageOf: PageOf): void {
  const busy = agents.filter(({ item }) => item !== null)
  print(`\n${paint('bold', `AT WORK (${busy.length})`)}`)
  if (agents.length === 0) {
    print('No agents. Start some: treadle up --agents 2')
    return
  }
  const now = Date.now()
  const rows = busy.map((agent) => {
    const item = items.find(
      ({ number, projectNumber }) =>
        number === agent.item?.number && projectNumber === agent.item.projectNumber,
    )
    if (item === undefined) return [`#${agent.item?.number}`, '', '', agent.id, '']
    const since = item.claimedAt === null ? '' : duration(Math.max(0, now - Date.parse(item.claimedAt)))
    return [linked(itemLabel(item), pageOf(item)), stateCell(item), plainText(item.title), agent.id, since]
  })
  if (rows.length > 0) print(listing(['#', 'STATE', 'TITLE', 'AGENT', 'FOR'], rows, { drop: ['FOR'] }))
  const others = agents.filter(({ item }) => item === null).map(({ id, status: is }) => `${id} ${is}`)
  if (others.length > 0) print(paint('dim', others.join(', ')))
}

function printNext(queue: readonly Item[], board: Answer<'board'>, pageOf: PageOf): void {
  if (board.items.length === 0) print('\nNo items. Add one: treadle add "what should change"')
  if (queue.length === 0) return
  const queued = board.items.filter(
    ({ state, blockedBy }) =>
      (state === 'todo' || state === 'rework' || state === 'backlog') && blockedBy.length === 0,
  )
  print(`\n${paint('bold', 'NEXT')}`)
  const rows = queue.map((item) => [
    linked(itemLabel(item), pageOf(item)),
    plainText(item.title),
    item.priority === null ? '' : `priority ${item.priority}`,
    plainText(item.labels.join(', ')),
  ])
  print(listing(['#', 'TITLE', 'PRIORITY', 'LABELS'], rows, { drop: ['LABELS', 'PRIORITY'] }))
  const more = queued.length + board.leftOut.open - queue.length
  if (more > 0) print(paint('dim', `and ${more} more: treadle list --status todo`))
}

/** The end of an item is its last change. */
function doneWords(items: readonly Item[]): string {
  const done = items.filter(({ state }) => state === 'done')
  const today = new Date().toDateString()
  const now = done.filter(({ updatedAt }) => new Date(updatedAt).toDateString() === today)
  return `${now.length} done today${done.length > now.length ? paint('dim', ` · ${done.length} in all`) : ''}`
}

/** The budgets, and whatever holds the crew up. */
async function printMoney(client: Client, settings: Answer<'workspace'>): Promise<void> {
  const { config, warnings, errors, holds, resting, readiness, resources } = settings
  const [daily, monthly] = await Promise.all([
    client.costTotals({ query: { period: 'daily' } }),
    client.costTotals({ query: { period: 'monthly' } }),
  ])
  print(`${spendLine(daily)}\n${spendLine(monthly)}`)
  for (const line of holdLines(daily)) print(line)
  const { hold } = daily
  for (const line of resources === null ? [] : resourceLines(resources)) print(paint('yellow', line))
  for (const why of otherHolds(holds, resources).filter((each) => hold.is === 'none' || each !== hold.why))
    print(paint('yellow', `No new item is claimed: ${why.replace(/\.$/, '')}.`))
  for (const line of config.tests.readiness === 'off' ? [] : readinessNotes(readiness)) print(flowed(line))
  for (const { engine, until, why, triesOne } of resting) {
    const then = `rests until ${timeOfDay(until)}${triesOne === true ? ', then tries one' : ''}`
    print(paint('yellow', `The engine ${engine} ${then}; nothing is claimed for it: ${why}`))
  }
  for (const notice of [...errors, ...warnings]) print(paint('yellow', `Settings: ${notice}`))
}

/** No daemon answers. Agents that still run go on by themselves; their session files say what they do. */
function statusAlone(paths: WorkspacePaths, options: { json?: boolean }): number {
  const left = findLeftovers(paths)
  const agents = left.filter(({ name }) => name !== 'daemon')
  const sessions = agents.flatMap(({ name }) => readSession(paths, name) ?? [])
  if (options.json) {
    const alone = { agents: agents.map(({ name, pid }) => ({ id: name, pid })), sessions }
    printJson({ running: false, workspace: paths.root, ...(agents.length === 0 ? {} : alone) })
    return 0
  }
  if (agents.length === 0) {
    print(`Not running in ${paths.root}. Start with: treadle up`)
    return 0
  }
  const words = 'The daemon does not answer. These agents go on by themselves and report when it is back:'
  tell(paint('yellow', words))
  for (const { name, pid } of agents) {
    const found = sessions.find(({ agentId }) => agentId === name)
    const item = found?.currentProjectNumber == null ? '' : `, on #${found.currentProjectNumber}`
    const phase = found?.currentPhase == null ? '' : ` (${found.currentPhase})`
    print(`${name} (process ${pid}): ${found?.status ?? 'unknown'}${item}${phase}`)
  }
  print('Start the daemon again: treadle up')
  return 0
}
