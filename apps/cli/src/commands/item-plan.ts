// What an item has to do with others: the options of add, and edit.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import { type Item, type ItemChanges, type ItemPlan, type NewItem, RankMove } from '@treadle/contracts/item'
import { clearanceWords } from '@treadle/contracts/words/clearance'
import { blockedWords, planWords } from '@treadle/contracts/words/plan'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { print, printJson } from '../output.ts'
import {
  asAmount,
  asCount,
  asNumber,
  gather,
  gatherNumbers,
  json,
  type Program,
  project,
  withClient,
} from '../program.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'

export interface PlanOptions {
  readonly after?: number[] | false
  readonly parent?: number | false
  readonly files?: string[] | false
  readonly phase?: string | false
  readonly estimate?: string | false
}

export function planOptions(): Option[] {
  return [
    new Option('--after <number>', 'begin only when this item is done (repeatable)').argParser(gatherNumbers),
    new Option('--parent <number>', 'the item that this one is a part of').argParser(asNumber),
    new Option('--files <glob>', 'files that it will touch (repeatable)').argParser(gather),
    new Option('--phase <name>', 'the part of a plan that it belongs to'),
    new Option('--estimate <hours>', 'how long it will probably take').argParser(asAmount),
  ]
}

export function planOf({ after, parent, files, phase, estimate }: PlanOptions): Partial<ItemPlan> {
  return {
    ...(after === undefined ? {} : { dependsOn: after === false ? [] : after }),
    ...(parent === undefined ? {} : { parent: parent === false ? null : parent }),
    ...(files === undefined ? {} : { files: files === false ? [] : files }),
    ...(phase === undefined ? {} : { phase: phase === false ? null : phase }),
    ...(estimate === undefined ? {} : { estimateHours: estimate === false ? null : Number(estimate) }),
  }
}

/** What the task of a specification says of an item that is made of it; its other options go before. */
export async function taskOf(client: Client, named: string): Promise<Partial<NewItem>> {
  const [, slug = '', id = ''] = /^([a-z0-9-]+)\/([\w.-]+)$/.exec(named) ?? []
  if (slug === '')
    throw new UserError(`${named} names no task.`, 'Name specification and task: --task shopping-list/T3', 2)
  const { revision, tasks } = await client.showSpecification({ params: { id: slug } })
  const task = tasks.find((each) => each.id === id)
  if (task === undefined)
    throw new UserError(`${slug} has no task ${id}.`, `Its tasks: treadle spec show ${slug}`, 2)
  const { file, phase, estimateHours } = task
  return { specTask: { spec: slug, revision, id }, files: [file], phase, estimateHours }
}

/** The same options, each of which can be taken away as well. */
function editOptions(command: Command): Command {
  for (const option of planOptions()) command.addOption(option)
  return command
    .option('--no-after', 'wait for nothing')
    .option('--no-parent', 'be a part of nothing')
    .option('--no-files', 'name no files')
    .option('--no-phase', 'no phase')
    .option('--no-estimate', 'no estimate')
    .addOption(new Option('--priority <n>', 'smaller is sooner').argParser(asCount(1_000)))
    .option('--no-priority', 'behind everything that has one')
    .option('--agreed', 'the owner of its files agrees')
    .addOption(
      new Option('--rank <place>', 'first, last, before:<number> or after:<number>').argParser(asRank),
    )
}

/** A place beside an item that has another priority takes that priority, too. */
function asRank(text: string): RankMove {
  const read = RankMove.safeParse(text.replace(':#', ':'))
  if (read.success) return read.data
  throw new InvalidArgumentError('Give first, last, before:<number> or after:<number>.')
}

export function editCommand(program: Program): void {
  editOptions(program.root.command('edit').argument('<number>', 'item number', asNumber))
    .addOption(project())
    .addOption(json())
    .action((number: number, options: EditOptions) =>
      withClient(program, (client) => editItem(client, number, options)),
    )
}

interface EditOptions extends PlanOptions {
  readonly priority?: number | false
  readonly rank?: RankMove
  readonly agreed?: boolean
  readonly project: number
  readonly json?: boolean
}

async function editItem(client: Client, number: number, options: EditOptions): Promise<void> {
  const { priority, rank, agreed } = options
  const changes: ItemChanges = {
    ...planOf(options),
    ...(priority === undefined ? {} : { priority: priority === false ? null : priority }),
    ...(rank === undefined ? {} : { rank }),
    ...(agreed === true ? { requiresCoordination: false } : {}),
  }
  if (Object.keys(changes).length === 0)
    throw new UserError('Nothing to change was named.', 'treadle edit --help shows what can be.', 2)
  const item: Item = await client.editItem({
    params: { projectNumber: options.project, issueNumber: number },
    body: { by: callerName(), ...changes },
  })
  if (options.json) return printJson(item)
  print(`Edited ${itemLabel(item)}: ${planWords(changes)}`)
}

/** Why an item stands where it does; of one that is withdrawn and blocks it, that too. */
export async function whyWords(client: Client, item: Item): Promise<string> {
  const { blockedBy, projectNumber } = item
  const query = { status: 'withdrawn' as const, projectNumber }
  const withdrawn = blockedBy.length === 0 ? [] : (await client.listItems({ query })).items
  const ready = item.build !== null && item.clearance?.is === 'ready' ? clearanceWords(item.clearance) : null
  const why = blockedWords(item, withdrawn) ?? item.reason ?? ready
  return why === null ? '' : `: ${plainText(why)}`
}
