// list: the items, searched and filtered.
import type { Client } from '@treadle/contracts/client'
import { type Item, ItemState, ItemStatus } from '@treadle/contracts/item'
import { Option } from 'commander'
import { itemTable, NO_PAGES, type PageOf, reasonOf } from '../items/item-table.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { withPages } from '../pages.ts'
import { asAgent, asCount, gather, json, type Program } from '../program.ts'

/** More than this nobody reads on a terminal; programs get everything. */
const SHOWN_MAX = 30
const FETCHED_MAX = 5_000

interface ListOptions {
  readonly status?: ItemStatus
  readonly state?: ItemState
  readonly agent?: string
  readonly label: string[]
  readonly engine?: string
  readonly priority?: number
  readonly needsMe?: boolean
  readonly limit?: number
  readonly json?: boolean
}

export function listCommands(program: Program): void {
  program.root
    .command('list')
    .argument('[words...]', 'only items with all of these words in title, description or labels')
    .addOption(new Option('--status <status>', 'only these').choices(ItemStatus.options))
    .addOption(new Option('--state <state>', 'only those in exactly this state').choices(ItemState.options))
    .option('--needs-me', 'only what waits for you')
    .addOption(new Option('--agent <id>', 'only what this agent has').argParser(asAgent))
    .option('--label <label>', 'only with this label or category (repeatable)', gather, [])
    .option('--engine <name>', 'only those that name this engine')
    .addOption(new Option('--priority <n>', 'only this priority or sooner').argParser(asCount(1_000)))
    .addOption(
      new Option('--limit <n>', `at most so many (default: ${SHOWN_MAX} on a terminal)`).argParser(
        asCount(FETCHED_MAX),
      ),
    )
    .addOption(json())
    .action((words: string[], options: ListOptions) =>
      withPages(program, ({ client, pageOf }) => listItems(client, words, { ...options, pageOf })),
    )
}

/** Prints the items that a person asked for; programs that name no limit get all of them. */
export async function listItems(
  client: Client,
  words: readonly string[],
  options: ListOptions & { readonly pageOf?: PageOf },
): Promise<void> {
  const { items } = await client.listItems({ query: { status: options.status, limit: FETCHED_MAX } })
  const found = items.filter((item) => hasWords(item, words) && isWanted(item, options))
  const max = options.limit ?? (process.stdout.isTTY && !options.json ? SHOWN_MAX : FETCHED_MAX)
  const shown = found.slice(0, max)
  if (options.json) return printJson(shown)
  if (items.length === 0) return print('No items. Add one: treadle add "what should change"')
  if (found.length === 0) return print('No item matches. All of them: treadle list')
  print(itemTable(shown, options.pageOf ?? NO_PAGES))
  const more = found.length - shown.length
  if (more > 0) tell(paint('dim', `and ${more} more: treadle list --limit ${found.length}`))
}

function hasWords(item: Item, words: readonly string[]): boolean {
  const text = [`#${item.number}`, item.title, item.body, ...item.labels, reasonOf(item)]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word.toLowerCase()))
}

function isWanted(item: Item, options: ListOptions): boolean {
  const { state, agent, label, engine, priority, needsMe } = options
  return [
    state === undefined || item.state === state,
    agent === undefined || item.claimedByAgentId === agent || item.assignedAgentId === agent,
    label.every((each) => item.labels.includes(each)),
    engine === undefined || item.engine === engine,
    priority === undefined || (item.priority !== null && item.priority <= priority),
    !needsMe || item.needsHuman,
  ].every(Boolean)
}
