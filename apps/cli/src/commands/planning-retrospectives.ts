// Retrospectives of what was planned, talks about ideas and specifications, and of the builds made of it.
import type { Client } from '@treadle/contracts/client'
import type {
  BuildRetrospective,
  IdeaRetrospective,
  PlanningRetrospective,
  SpecRetrospective,
} from '@treadle/contracts/planning-retrospective'
import { timeAgo } from '@treadle/contracts/words/time'
import { paint, print, printJson } from '../output.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { learnedLine, section } from './learned.ts'

export interface PlanningOptions {
  readonly idea?: string
  readonly spec?: string
  readonly build?: string
  readonly revision?: number
  readonly json?: boolean
}

const LISTED_MAX = 10

/** The newest, below the runs; nothing where there is none. */
export async function listPlanning(client: Client): Promise<void> {
  const { items } = await client.listPlanningRetrospectives({ query: { limit: LISTED_MAX } })
  if (items.length === 0) return
  const now = Date.now()
  const rows = items.map((each) => [
    each.slug,
    ofWords(each),
    String(each.gaps.length),
    timeAgo(each.reviewedAt, now),
  ])
  print('')
  print(listing(['SLUG', 'OF', 'GAPS', 'WHEN'], rows, { whole: ['SLUG'] }))
}

function ofWords(each: PlanningRetrospective): string {
  if (each.is === 'spec') return `specification, revision ${each.revision}`
  return each.is === 'build' ? `build, ${each.outcome}` : 'idea'
}

function read(client: Client, options: PlanningOptions): Promise<PlanningRetrospective> {
  const { idea, spec, build, revision } = options
  if (idea !== undefined) return client.ideaRetrospective({ params: { id: idea } })
  if (build !== undefined) return client.buildRetrospective({ params: { id: build } })
  return client.specificationRetrospective({
    params: { id: spec ?? '' },
    query: revision === undefined ? {} : { revision },
  })
}

export async function showPlanning(client: Client, options: PlanningOptions): Promise<void> {
  const made = await read(client, options)
  if (options.json) return printJson(made)
  if (made.is === 'idea') showIdea(made)
  else if (made.is === 'spec') showSpec(made)
  else showBuild(made)
  section(
    'To improve',
    made.gaps.map(({ kind, what }) => `${kind.replaceAll('_', ' ')}: ${plainText(what)}`),
  )
  if (made.is !== 'spec') section('Learned', made.learned.map(learnedLine))
}

function showIdea({ slug, messages, asked, phases, confidence }: IdeaRetrospective): void {
  const answered = asked.filter((each) => each.answered).length
  print(`${paint('bold', slug)}, a talk of ${messages} messages, ${percent(confidence)} sure`)
  print(`  ${answered} of ${asked.length} questions have an answer`)
  print(`  ${phases.map(({ phase, messages: count }) => `${phase} ${count}`).join(', ')} messages of yours`)
}

function showSpec({ slug, revision, tasks, writtenBy, shares }: SpecRetrospective): void {
  print(`${paint('bold', slug)}, revision ${revision}, ${tasks} tasks by ${plainText(writtenBy)}`)
  print(
    `  features with a task ${percent(shares.features)}, criteria with a test ${percent(shares.criteria)}`,
  )
  print(
    `  requirements served ${percent(shares.requirements)}, criteria checked by a program ${percent(shares.checks)}`,
  )
}

function showBuild(made: BuildRetrospective): void {
  const { slug, revision, outcome, why, tasks, attempts, errors, hours, money } = made
  const { total, complete, skipped, failed, open, atFirstAttempt } = tasks
  const end = outcome === 'completed' ? 'is merged' : `failed${why === null ? '' : `: ${plainText(why)}`}`
  print(`The build of ${paint('bold', slug)}, revision ${revision}, ${end}`)
  const others = [
    [skipped, 'skipped'],
    [failed, 'failed'],
    [open, 'not finished'],
  ].flatMap(([count, words]) => (count === 0 ? [] : [`, ${count} ${words}`]))
  print(`  ${complete} of ${total} tasks done, ${atFirstAttempt} at the first attempt${others.join('')}`)
  const classes = errors.map(({ class: is, count }) => `${count} ${is.toLowerCase().replaceAll('_', ' ')}`)
  print(`  ${attempts} attempts${classes.length === 0 ? '' : `, came to nothing: ${classes.join(', ')}`}`)
  const { worked, planned } = hours
  print(`  took ${hoursOf(worked)} h, ${hoursOf(planned)} h were planned, ${foreseenWords(hours, 'h')}`)
  print(`  cost $${money.usd.toFixed(2)}, ${foreseenWords(money, 'USD')}`)
}

function foreseenWords(
  { forecast, held }: BuildRetrospective['money'] | BuildRetrospective['hours'],
  unit: string,
) {
  if (forecast === null) return 'nothing was foreseen'
  return `foreseen ${hoursOf(forecast.low)} to ${hoursOf(forecast.high)} ${unit}, ${held ? 'which held' : 'which did not hold'}`
}

function hoursOf(hours: number): string {
  return String(Math.round(hours * 100) / 100)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
