// diff: what an item changes, in colour and through the pager.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { CliEnv } from '../env.ts'
import { type ChangedFile, changeOf, type ItemChange, sizeWords } from '../items/item-change.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'
import { diffLine } from '../terminal/markdown.ts'
import { page } from '../terminal/pager.ts'
import { plainText, seenText } from '../terminal/plain-text.ts'
import { findWorkspace } from '../workspace.ts'

interface DiffOptions {
  readonly project: number
  readonly delivery?: string
  readonly stat?: boolean
  readonly nameOnly?: boolean
  readonly pager?: boolean
  readonly json?: boolean
}

export function diffCommands(program: Program): void {
  program.root
    .command('diff')
    .argument('<number>', 'item number', asNumber)
    .option('--delivery <which>', 'one delivery (2), or what changed between two (1..2)')
    .option('--stat', 'only how much of each file')
    .option('--name-only', 'only the names of the files')
    .option('--no-pager', 'print it all at once')
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => showDiff(client, program.env, { ...options, number })),
    )
}

async function showDiff(
  client: Client,
  env: CliEnv,
  options: DiffOptions & { number: number },
): Promise<void> {
  const params = { projectNumber: options.project, issueNumber: options.number }
  const [{ item }, { target }] = await Promise.all([client.showItem({ params }), client.workspace()])
  const given = { root: findWorkspace(env).root, target, client, item }
  const change = await changeOf(given, options.delivery ?? null)
  if (options.json) return printJson({ number: item.number, ...change })
  if (options.nameOnly) return print(change.files.map(({ path }) => path).join('\n'))
  if (options.stat) return print(statOf(change.files))
  if (change.diff === '') return tell(`There is no change for ${itemLabel(item)} yet (${change.what}).`)
  // Whoever saves a diff wants nothing else in it.
  if (!process.stdout.isTTY) return print(withoutLastNewline(change.diff))
  const text = `${headOf(`${itemLabel(item)} ${plainText(item.title)}`, change)}\n${paintDiff(change.diff)}`
  if (options.pager === false) return print(text)
  await page(text, env)
}

function headOf(title: string, { what, files }: ItemChange): string {
  const many = files.length === 1 ? '1 file' : `${files.length} files`
  return `${paint('bold', title)}\n${paint('dim', `${what}: ${many}, ${sizeWords(files)}`)}\n`
}

/** An empty line of the change is a space and counts: nothing but the end of the last line goes. */
function withoutLastNewline(diff: string): string {
  return diff.replace(/\n$/, '')
}

export function paintDiff(diff: string): string {
  return seenText(withoutLastNewline(diff)).split('\n').map(diffLine).join('\n')
}

function statOf(files: readonly ChangedFile[]): string {
  const rows = files.map(({ path, added, removed }) => [
    path,
    added === null ? 'no text' : paint('green', `+${added}`),
    removed === null ? '' : paint('red', `−${removed}`),
  ])
  return listing(['FILE', 'ADDED', 'REMOVED'], rows)
}
