// Commands about retrospectives: planned against done, what failed, and what was learned from it.
import type { Client } from '@treadle/contracts/client'
import type { DivergenceClass, LearnedNote, Retrospective } from '@treadle/contracts/retrospective'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { clip, paint, print, printJson } from '../output.ts'
import { json, type Program, project, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'
import { findRun } from './history.ts'

const EXAMPLES = `
Examples:
  treadle retrospective          the last ones, in short
  treadle retrospective 7        what the last run of #7 taught`

export function retrospectiveCommands(program: Program): void {
  program.root
    .command('retrospective')
    .argument('[run]', "a run's id, or an item's number for its last run; without it, the last ones of all")
    .addOption(project())
    .addOption(json())
    .addHelpText('after', EXAMPLES)
    .action((run, options) =>
      withClient(program, (client) =>
        run === undefined ? list(client, options) : show(client, run, options),
      ),
    )
}

interface Options {
  readonly project: number
  readonly json?: boolean
}

async function list(client: Client, { json: asJson }: Options): Promise<void> {
  const { items } = await client.listRetrospectives({ query: { limit: 20 } })
  if (asJson) return printJson(items)
  if (items.length === 0) return print('No retrospective yet: the first run has to end.')
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
  section(
    'Plan and change',
    seen.divergences.map(({ class: is, what, why }) => `${mark(is)} ${what} · ${why}`),
  )
  section('Learned', seen.learned.map(learnedLine))
}

function section(title: string, lines: readonly string[]): void {
  print(`\n${paint('bold', title)}`)
  for (const line of lines.length === 0 ? ['nothing to tell'] : lines) print(`  ${line}`)
}

function passedWords({ outcome, metrics }: Retrospective): string {
  if (outcome !== 'success') return `did not pass (${outcome})`
  return metrics.first_pass_success === 1 ? 'passed at the first attempt' : 'passed, not at the first attempt'
}

function newsOf({ learned }: Retrospective): LearnedNote[] {
  return learned.filter(({ how }) => how !== 'not_worth' && how !== 'confirmed')
}

function mark(is: DivergenceClass): string {
  if (is.startsWith('GOOD')) return paint('green', is)
  return paint(is.startsWith('BAD') ? 'red' : 'dim', is)
}

const HOW: Record<LearnedNote['how'], string> = {
  recorded: 'new',
  seen_again: 'seen again',
  superseding: 'says it better',
  known_better: 'known',
  confirmed: 'confirmed',
  adjusted: 'trusted less',
  not_worth: 'not kept',
}

function learnedLine({ how, type, text, why, lessonId }: LearnedNote): string {
  const id = lessonId === null ? '' : ` · ${lessonId.slice(0, 8)}`
  return `${type.replaceAll('_', ' ')}, ${HOW[how]}: ${clip(text, 160)}${paint('dim', ` · ${why}${id}`)}`
}
