// add: a new item, in the words of the options or of what a survey has found.
import { readFileSync } from 'node:fs'
import { ApiError, type Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import { Effort, type NewItem } from '@treadle/contracts/item'
import { Better, type Measure } from '@treadle/contracts/measure'
import { blockedWords } from '@treadle/contracts/words/plan'
import { Option } from 'commander'
import { itemOfFinding } from '../items/finding.ts'
import { paint, print, printJson } from '../output.ts'
import { asCount, gather, json, type Program, project, withClient } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace } from '../workspace.ts'
import { type PlanOptions, planOf, planOptions, taskOf } from './item-plan.ts'

export function addCommand(program: Program): void {
  const add = program.root
    .command('add')
    .argument('[title]', 'what should change')
    .option(
      '--finding <key>',
      'put right what treadle survey has found; title, description and measure are made of it',
    )
    .option('--body <text>', 'description')
    .option('--body-file <file>', 'description from a file (- for standard input)')
    .option('--accept <criterion>', 'acceptance criterion (repeatable)', gather, [])
    .option('--label <label>', 'label (repeatable)', gather, [])
    .option('--test <command>', 'what must be green for this item (default: the whole suite)')
    .option('--measure <command>', 'what must improve by the change: fails before it, succeeds after it')
    .addOption(
      new Option('--better <way>', 'of the measure, the last number that it prints counts').choices(
        Better.options,
      ),
    )
    .option(
      '--may-change-tests',
      'existing tests may be changed or removed (default: such a change is blocked)',
    )
    .option('--task <slug/id>', 'the task of a specification that it is made of, such as shopping-list/T3')
    .option('--engine <name>', 'who writes the code (default: engines.default of treadle.json)')
    .option('--model <name>', 'which model that engine asks (default: engines.models of treadle.json)')
    .addOption(new Option('--effort <effort>', 'how hard the model thinks').choices(Effort.options))
    .addOption(new Option('--priority <n>', 'smaller is sooner').argParser(asCount(1_000)))
    .option('--target <branch>', 'merge it into this branch (default: merge.target of treadle.json)')
    .option('--backlog', 'put it in the backlog')
    .addOption(project())
    .addOption(json())
    .action(async (title: string | undefined, options: AddOptions) => {
      checkTitle(title, options)
      const found =
        options.finding === undefined
          ? null
          : await itemOfFinding(program.env, findWorkspace(program.env).root, options.finding)
      await withClient(program, (client) => addItem(client, title, options, found))
    })
  for (const option of planOptions()) add.addOption(option)
}

interface AddOptions extends PlanOptions {
  readonly json?: boolean
  readonly task?: string
  readonly finding?: string
  readonly body?: string
  readonly bodyFile?: string
  readonly accept: string[]
  readonly label: string[]
  readonly priority?: number
  readonly test?: string
  readonly measure?: string
  readonly better?: Better
  readonly mayChangeTests?: boolean
  readonly engine?: string
  readonly model?: string
  readonly effort?: Effort
  readonly target?: string
  readonly project: number
  readonly backlog?: boolean
}

function checkTitle(title: string | undefined, { finding, measure, better }: AddOptions): void {
  if (finding === undefined && (title ?? '').trim() === '')
    throw new UserError(
      'An item needs a title.',
      'Say what should change: treadle add "what should change"',
      2,
    )
  if (finding !== undefined && (measure !== undefined || better !== undefined))
    throw new UserError(
      'A finding has a measure of its own, so --measure and --better cannot be given with --finding.',
      'Leave them out.',
      2,
    )
}

/** `found` is the item of a finding; what the options say goes before it, and what they add is added. */
async function addItem(
  client: Client,
  title: string | undefined,
  options: AddOptions,
  found: NewItem | null,
): Promise<void> {
  const task = options.task === undefined ? {} : await taskOf(client, options.task)
  const item = await orUnsure(
    client.addItem({
      body: {
        ...found,
        ...wantedBy(options),
        ...textsOf(title, options, found),
        ...task,
        ...planOf(options),
      },
    }),
  )
  if (options.json) {
    printJson({
      projectNumber: item.projectNumber,
      number: item.number,
      title: item.title,
      status: item.status,
      parent: item.parent,
      dependsOn: item.dependsOn,
      blockedBy: item.blockedBy,
      specTask: item.specTask,
      target: item.target,
    })
    return
  }
  const blocked = blockedWords(item)
  print(`Added ${itemLabel(item)} ${item.title}${blocked === null ? '' : paint('dim', ` · ${blocked}`)}`)
}

/** What is asked for, in words. */
function textsOf(
  title: string | undefined,
  { body, bodyFile, label, accept }: AddOptions,
  found: NewItem | null,
) {
  const said = bodyFile === undefined ? body : readText(bodyFile)
  return {
    title: title ?? found?.title ?? '',
    body: [said, found?.body].filter((text) => text !== undefined).join('\n\n'),
    labels: [...(found?.labels ?? []), ...label],
    acceptance: [...(found?.acceptance ?? []), ...accept],
  }
}

/** How it is to be done and tested; what is not said leaves the item of a finding as it is. */
function wantedBy(options: AddOptions): Partial<NewItem> {
  const { priority = null, test = null, mayChangeTests = false, model = null, effort = null } = options
  const measure = measureOf(options)
  return {
    projectNumber: options.project,
    priority,
    testCommand: test,
    mayChangeTests,
    model,
    effort,
    target: options.target ?? null,
    status: options.backlog ? 'backlog' : 'todo',
    ...(measure === null ? {} : { measure }),
    ...(options.engine === undefined ? {} : { engine: options.engine }),
  }
}

function measureOf({ measure, better }: AddOptions): Measure | null {
  if (measure !== undefined) return { command: measure, better: better ?? null }
  if (better === undefined) return null
  throw new UserError(
    '--better says which way a measure should go, and there is none.',
    'Add --measure "<command>".',
    2,
  )
}

/** A daemon that ends while it adds may have added; only its answer says so. */
async function orUnsure<T>(added: Promise<T>): Promise<T> {
  try {
    return await added
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unreachable') throw error
    throw new UserError(
      `The daemon ended before it had answered, so the item may or may not be there. ${error.message}`,
      'Look before you add it again: treadle up --detach, then treadle list',
    )
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new UserError(`${file} cannot be read.`, 'Give a file that exists, or - for standard input.', 2)
  }
}
