// Commands about retrospectives: planned against done, what failed, and what was learned from it.
import type { Client } from '@treadle/contracts/client'
import type { DivergenceClass, PlannedTask, Retrospective } from '@treadle/contracts/retrospective'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { clip, paint, print, printJson } from '../output.ts'
import { asCount, json, type Program, project, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'
import { findRun } from './history.ts'
import { learnedLine, newsOf, section } from './learned.ts'
import { listPlanning, type PlanningOptions, showPlanning } from './planning-retrospectives.ts'

const EXAMPLES = `
Examples:
  treadle retrospective          the last ones, in short
  treadle retrospective 7        what the last run of #7 taught
  treadle retrospective --idea shopping-list
  treadle retrospective --spec shopping-list --revision 2
  treadle retrospective --build shopping-list`

export function retrospectiveCommands(program: Program): void {
  program.root
    .command('retrospective')
    .argument('[run]', "a run's id, or an item's number for its last run; without it, the last ones of all")
    .option('--idea <slug>', 'of the talk about an idea')
    .option('--spec <slug>', 'of a specification')
    .option('--build <slug>', 'of the build of a specification')
    .addOption(new Option('--revision <n>', 'which revision; the last one').argParser(asCount(1_000_000)))
    .addOption(project())
    .addOption(json())
    .addHelpText('after', EXAMPLES)
    .action((run, options) => withClient(program, (client) => lookBack(client, run, options)))
}

interface Options extends PlanningOptions {
  readonly project: number
}

function lookBack(client: Client, run: string | undefined, options: Options): Promise<void> {
  const named = [run, options.idea, options.spec, options.build].filter((name) => name !== undefined)
  if (named.length > 1)
    throw new UserError('Only one can be shown at a time.', 'Name a run, --idea, --spec or --build.', 2)
  if (options.revision !== undefined && options.spec === undefined)
    throw new UserError('--revision belongs to a specification.', 'Name it: --spec <slug>.', 2)
  if (run === undefined && named.length === 1) return showPlanning(client, options)
  return run === undefined ? list(client, options) : show(client, run, options)
}

async function list(client: Client, { json: asJson }: Options): Promise<void> {
  const { items } = await client.listRetrospectives({ query: { limit: 20 } })
  if (asJson) return printJson(items)
  if (items.length === 0) {
    print('No retrospective of a run yet: the first one has to end.')
    return listPlanning(client)
  }
  const now = Date.now()
  const rows = items.map((each) => [
    `#${each.item.number}`,
    passedWords(each),
    String(each.divergences.length),
    String(newsOf(each).length),
    timeAgo(each.reviewedAt, now),
  ])
  print(listing(['ITEM', 'OUTCOME', 'DIVERGENCES', 'LEARNED', 'WHEN'], rows, { drop: ['DIVERGENCES'] }))
  const passed = items.filter(({ metrics }) => metrics.first_pass_success === 1).length
  print(paint('dim', `${passed} of the last ${items.length} passed at the first attempt.`))
  await listPlanning(client)
}

async function show(client: Client, which: string, options: Options): Promise<void> {
  const { id } = await findRun(client, which, options.project)
  const seen = await client.showRetrospective({ params: { id } })
  if (options.json) return printJson(seen)
  const minutes = duration(seen.metrics.build_duration_minutes * 60_000)
  print(`${paint('bold', `#${seen.item.number}`)} ${passedWords(seen)}, after ${minutes} · run ${seen.runId}`)
  const { files, source } = seen.diff
  const where = source === 'history' ? ' (read from its record: the commits are not here)' : ''
  print(`  changed ${files.length === 0 ? 'nothing' : `${clip(files.join(', '), 200)}${where}`}`)
  if (seen.tests !== null) print(`  tests: ${seen.tests.passed} of ${seen.tests.total} passed`)
  for (const line of seen.plan === null ? [] : planLines(seen.plan)) print(`  ${line}`)
  section(
    'Plan and change',
    seen.divergences.map(({ class: is, what, why }) => `${mark(is)} ${what} · ${why}`),
  )
  section('Learned', seen.learned.map(learnedLine))
}

const VALIDATED = { passed: 'passed', failed: 'did not pass', not_run: 'was not run' } as const

function planLines({ spec, revision, task, title, action, file, ...plan }: PlannedTask): string[] {
  const hours = (value: number) => `${Math.round(value * 10) / 10} h`
  return [
    `planned as ${task} of ${spec}, revision ${revision}: ${plainText(title)} (${action} ${plainText(file)})`,
    `planned ${hours(plan.estimateHours)}, took ${hours(plan.actualHours)}; its check ${VALIDATED[plan.validated]}`,
  ]
}

function passedWords({ outcome, metrics }: Retrospective): string {
  if (outcome !== 'success') return `did not pass (${outcome})`
  return metrics.first_pass_success === 1 ? 'passed at the first attempt' : 'passed, not at the first attempt'
}

function mark(is: DivergenceClass): string {
  if (is.startsWith('GOOD')) return paint('green', is)
  return paint(is.startsWith('BAD') ? 'red' : 'dim', is)
}
