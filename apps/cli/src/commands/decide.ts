// approve and request-changes: the owner's word on a delivered change.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { type Command, Option } from 'commander'
import { askLine } from '../ask-line.ts'
import { type Consent, warnFirst } from '../confirm.ts'
import { changeOf, sizeWords } from '../items/item-change.ts'
import { paint } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import { terminalColumns, wrapColumns } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace } from '../workspace.ts'
import { type ItemNumber, orderItem, rejectItem } from './items.ts'

interface Json {
  readonly json?: boolean
}

export function decideCommands(program: Program): void {
  const { root } = program
  approveOptions(root.command('approve'), program)
  requestOptions(root.command('request-changes').alias('reject'))
    .argument('[words...]', 'what should change; asked for if you leave it out')
    .option('--feedback <text>', 'what should change, as an option')
    .action((number, words, options) =>
      withClient(program, async (client) =>
        rejectItem(
          client,
          { number, project: options.project },
          { ...options, feedback: await feedbackOf(number, words, options.feedback) },
        ),
      ),
    )
}

export function approveOptions(command: Command, program: Program): void {
  command
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(new Option('-y, --yes', 'do not ask, whatever the evidence'))
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) =>
        approveItem(
          client,
          { number, project: options.project, root: findWorkspace(program.env).root },
          options,
        ),
      ),
    )
}

export function requestOptions(command: Command): Command {
  return command
    .argument('<number>', 'item number', asNumber)
    .option('--fresh', 'start over instead of building on what was delivered')
    .addOption(project())
    .addOption(json())
}

/** Shows what is approved and on what evidence; whoever is there to be asked may still say no. */
export async function approveItem(
  client: Client,
  ref: ItemNumber & { readonly root: string },
  options: Json & Consent,
): Promise<void> {
  const params = { projectNumber: ref.project, issueNumber: ref.number }
  const { item } = await client.showItem({ params })
  if (item.mergeCommit !== null)
    throw new UserError(
      `${itemLabel(item)} is already merged.`,
      `Take it back: treadle revert ${item.number}`,
    )
  if (item.headCommit !== null) {
    const { target } = await client.workspace()
    await warnFirst(await approvalWords({ root: ref.root, target, client, item }), options)
  }
  await orderItem(client, 'approveItem', ref, { ...options, head: item.headCommit })
}

const FILES_MAX = 8

async function approvalWords(given: Parameters<typeof changeOf>[0]): Promise<string> {
  const { item } = given
  const evidence =
    item.evidence === null
      ? 'The checks have not said yet what shows it.'
      : `${itemLabel(item)} is ${item.evidence.level}: ${plainText(item.evidence.why)}`
  const lines = [
    paint('bold', `${itemLabel(item)} ${plainText(item.title)}`),
    evidence,
    ...(await changeLines(given)),
  ]
  return lines.flatMap((line) => wrapColumns(line, terminalColumns(process.stderr))).join('\n')
}

/** A line for each file; a change that cannot be read here is no reason not to decide. */
async function changeLines(given: Parameters<typeof changeOf>[0]): Promise<string[]> {
  try {
    const { files } = await changeOf(given)
    const shown = files.slice(0, FILES_MAX).map(({ path, added, removed }) => {
      const size = added === null ? 'no text' : `+${added} −${removed}`
      return `  ${path}  ${paint('dim', size)}`
    })
    const more = files.length > FILES_MAX ? [`  and ${files.length - FILES_MAX} more`] : []
    const many = files.length === 1 ? '1 file' : `${files.length} files`
    return [`${many}, ${sizeWords(files)}`, ...shown, ...more]
  } catch (error) {
    if (error instanceof UserError) return [plainText(error.message)]
    throw error
  }
}

async function feedbackOf(
  number: Item['number'],
  words: readonly string[],
  given: string | undefined,
): Promise<string> {
  const text = (given ?? words.join(' ')).trim()
  if (text !== '') return text
  const typed = process.stdin.isTTY && process.stderr.isTTY ? await askLine('What should change? ') : ''
  if (typed !== '') return typed
  throw new UserError(
    'Nothing says what should change.',
    `Say it: treadle request-changes ${number} "what should change"`,
    2,
  )
}
