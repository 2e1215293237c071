// Commands about conflicts: those that wait for a person, and those that are foreseen.
import type { Client } from '@treadle/contracts/client'
import type { Conflict, ConflictSide, PredictedConflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { stateWords } from '../items/item-table.ts'
import { paint, pairs, print, printJson } from '../output.ts'
import { asAgent, asNumber, json, type Program, project, refuseMore, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'

interface Json {
  readonly json?: boolean
}
interface Which {
  readonly number: number
  readonly project: number
}

export function conflictCommands(program: Program): void {
  const conflicts = program.root.command('conflicts')
  conflicts
    .command('list', { isDefault: true })
    .description('what waits for you, and what is coming')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listConflicts(client, options))
    })
  conflicts
    .command('files')
    .description('files that agents have in builds, and who waits for them')
    .addOption(json())
    .action((options) => withClient(program, (client) => listFiles(client, options)))
  conflicts
    .command('show')
    .description('the files, and the git commands to resolve it by hand')
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => showConflict(client, { number, project: options.project }, options)),
    )
  conflicts
    .command('resolve')
    .description('mark resolved: it is resolved on the branch; the merge goes on')
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) =>
        settle(client, 'resolveConflict', { number, project: options.project }, options),
      ),
    )
  conflicts
    .command('abort')
    .description('give the change up and put the item back in the backlog')
    .argument('<number>', 'item number', asNumber)
    .addOption(new Option('--to <agent>', 'keep it for this agent').argParser(asAgent))
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) =>
        settle(client, 'abortConflict', { number, project: options.project }, options),
      ),
    )
}

async function listFiles(client: Client, options: Json): Promise<void> {
  const { items, waits } = await client.listLocks()
  if (options.json) return printJson({ items, waits })
  if (items.length === 0) return print('No agent has files of a build.')
  for (const { file, item, lockedBy, expiresAt } of items) {
    const until = new Date(expiresAt).toLocaleString()
    print(
      `${plainText(file)}  ${paint('dim', `${lockedBy} for ${itemLabel(item)}, until ${until} at least`)}`,
    )
    const waiting = waits.filter(({ waitingFor }) => waitingFor === `${item.projectNumber}/${item.number}`)
    for (const { waiter, file: wanted } of waiting)
      if (wanted === file) print(`  #${waiter.split('/')[1]} waits for it`)
  }
}

async function listConflicts(client: Client, options: Json): Promise<void> {
  const [{ items: pending }, { items: predicted }] = await Promise.all([
    client.conflictQueue(),
    client.predictedConflicts(),
  ])
  if (options.json) return printJson({ pending, predicted })
  if (pending.length === 0) print('No conflict waits for you.')
  else print(pendingTable(pending))
  if (predicted.length > 0)
    print(`\n${paint('dim', 'COMING, AS THINGS ARE NOW')}\n${predictedTable(predicted)}`)
}

function pendingTable(pending: readonly Conflict[]): string {
  const heads = ['#', 'FILES', 'TITLE', 'WHICH', 'BRANCH']
  const rows = pending.map((conflict) => [
    `#${conflict.issueNumber}`,
    String(conflict.conflictingFiles.length),
    conflict.issueTitle,
    conflict.conflictingFiles.join(', '),
    conflict.branchName,
  ])
  const [first] = pending
  return `${listing(heads, rows, { drop: ['BRANCH'] })}\n${paint('dim', `How to resolve one: treadle conflicts show ${first?.issueNumber}`)}`
}

function predictedTable(predicted: readonly PredictedConflict[]): string {
  return pairs(
    predicted.map(({ one, other, files }) => [
      `  ${nameOf(one)} and ${nameOf(other)}`,
      files.map(({ path, lines }) => [path, ...lines.slice(0, 3).map(linesWord)].join(' ')).join(', '),
    ]),
  )
}

function nameOf({ item, branch, committed }: ConflictSide): string {
  return `${item === null ? branch : itemLabel(item)}${committed ? '' : ' (at work)'}`
}

function linesWord({ from, to }: { from: number; to: number }): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`
}

async function showConflict(client: Client, which: Which, options: Json): Promise<void> {
  const { id } = await findConflict(client, which)
  const shown = await client.showConflict({ params: { id } })
  if (options.json) return printJson(shown)
  const { conflict, commands } = shown
  print(
    `${paint('bold', `#${conflict.issueNumber} ${conflict.issueTitle}`)}\n${conflict.status}: ${conflict.why}`,
  )
  for (const file of conflict.conflictingFiles) print(`  ${file}`)
  if (conflict.status === 'resolved') return print(`\n${conflict.how ?? ''}`)
  print(`\n${paint('dim', 'RESOLVE IT BY HAND')}\n${commands.map((command) => `  ${command}`).join('\n')}`)
  print(`\n${paint('dim', `or give it up: treadle conflicts abort ${conflict.issueNumber}`)}`)
}

async function settle(
  client: Client,
  order: 'resolveConflict' | 'abortConflict',
  which: Which,
  options: Json & { to?: string },
): Promise<void> {
  const { id } = await findConflict(client, which)
  const params = { id }
  const by = callerName()
  const settled =
    order === 'resolveConflict'
      ? await client.resolveConflict({ params, body: { by } })
      : await client.abortConflict({ params, body: { by, agentId: options.to ?? null } })
  if (options.json) return printJson(settled)
  print(`${itemLabel(settled.item)} is now: ${stateWords(settled.item)}`)
}

/** The open conflict of an item, or else its last one. */
async function findConflict(client: Client, { number, project: inProject }: Which): Promise<Conflict> {
  const { items } = await client.listConflicts({ query: { limit: 1_000 } })
  const own = items.filter((each) => each.issueNumber === number && each.projectNumber === inProject)
  const found = own.find(({ status }) => status !== 'resolved') ?? own[0]
  if (found !== undefined) return found
  throw new UserError(`#${number} has had no conflict.`, 'treadle conflicts lists those that wait.')
}
