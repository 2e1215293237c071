// The categories in which the crew looks for improvements itself, and what merged changes are worth.
import { CATEGORIES } from '@treadle/contracts/categories'
import type { CategoryView } from '@treadle/contracts/category'
import type { Client } from '@treadle/contracts/client'
import { usd } from '@treadle/contracts/words/money'
import { timeAgo } from '@treadle/contracts/words/time'
import { Argument, InvalidArgumentError } from 'commander'
import { callerName } from '../caller-name.ts'
import { paint, print, printJson } from '../output.ts'
import { asNumber, json, type Program, withClient } from '../program.ts'
import { flowed } from '../terminal/columns.ts'
import { listing } from '../terminal/listing.ts'

const HELP = `
With flags.enable_ideation in treadle.json, or treadle up --ideas, the crew looks
for improvements itself when the queue runs low: with a model in all of these
categories, without one in those that programs can look at (treadle survey).
What it finds are items like all others; nothing is merged that you do not allow.

Examples:
  treadle categories                     which are looked at, and what each brought
  treadle categories --json              for programs
  treadle categories again security      look at one again that was left alone`

const VALUE_HELP = `
The mean of what merged changes got tells in which categories looking is worth
its money: one with fewer than 5 points on the average of the last 30 days (of
at least 3 changes) is left alone.

Examples:
  treadle value 42 8`

export function categoryCommands(program: Program): void {
  const categories = program.root
    .command('categories')
    .addOption(json())
    .addHelpText('after', HELP)
    .action((options) => withClient(program, (client) => list(client, options)))
  categories
    .command('again')
    .description('look at a category again that was left alone')
    .addArgument(new Argument('<category>', 'one of the 21').choices(CATEGORIES))
    .addOption(json())
    .action((category: (typeof CATEGORIES)[number], options: { readonly json?: boolean }) =>
      withClient(program, async (client) => {
        const body = { until: null, by: callerName() }
        const view = await client.exhaustCategory({ params: { name: category }, body })
        if (options.json) printJson(view)
        else print(`${category}: ${offWords(view)}`)
      }),
    )
  program.root
    .command('value')
    .addArgument(new Argument('<number>', 'of a merged item').argParser(asNumber))
    .addArgument(new Argument('<points>', 'from 0, worth nothing, to 10').argParser(asPoints))
    .addOption(json())
    .addHelpText('after', VALUE_HELP)
    .action((number: number, value: number, options: { readonly json?: boolean }) =>
      withClient(program, async (client) => {
        const params = { projectNumber: 1, issueNumber: number }
        const item = await client.scoreValue({ params, body: { value, by: callerName() } })
        if (options.json) printJson({ number: item.number, value })
        else print(`#${item.number} got ${value} of 10 points.`)
      }),
    )
}

function asPoints(text: string): number {
  const points = Number(text)
  if (!/^\d{1,2}$/.test(text) || points > 10)
    throw new InvalidArgumentError('It must be a whole number from 0 to 10.')
  return points
}

async function list(client: Client, options: { readonly json?: boolean }): Promise<void> {
  const [{ items }, next] = await Promise.all([client.listCategories(), client.nextCategory()])
  if (options.json) return printJson({ categories: items, next })
  const now = Date.now()
  const rows = items.map((each) => [
    each.category,
    each.lastUsedAt === null ? 'never' : timeAgo(each.lastUsedAt, now),
    String(each.projectsGenerated),
    String(each.merged),
    each.value === null ? '–' : each.value.toFixed(1),
    offWords(each),
  ])
  print(
    listing(['CATEGORY', 'LOOKED AT', 'IDEAS', 'MERGED', 'VALUE', 'STATE'], rows, {
      drop: ['LOOKED AT'],
      whole: ['CATEGORY'],
    }),
  )
  print('')
  print(flowed(nextWords(next)))
  const cost = items.reduce((sum, { costUSD }) => sum + costUSD, 0)
  if (cost > 0) print(paint('dim', `Looking has cost ${usd(cost)} so far.`))
}

function nextWords({ category, why }: { category: string | null; why: string | null }): string {
  if (category === null) return `There is nothing to look at now: ${why}.`
  return why === null ? `Next: ${category}.` : `Nobody looks now: ${why}. Next would be ${category}.`
}

function offWords({ off, exhaustedUntil }: CategoryView): string {
  if (off === null) return 'on'
  const until =
    off.why === 'exhausted' && exhaustedUntil !== null ? ` until ${exhaustedUntil.slice(0, 10)}` : ''
  return `off${until}: ${off.words}`
}
