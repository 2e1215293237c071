// Retrospectives of what was planned: talks about ideas, and specifications.
import type { Client } from '@treadle/contracts/client'
import type {
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
    each.is === 'spec' ? `specification, revision ${each.revision}` : 'idea',
    String(each.gaps.length),
    timeAgo(each.reviewedAt, now),
  ])
  print('')
  print(listing(['SLUG', 'OF', 'GAPS', 'WHEN'], rows, { whole: ['SLUG'] }))
}

export async function showPlanning(client: Client, options: PlanningOptions): Promise<void> {
  const { idea, spec, revision } = options
  const made: PlanningRetrospective =
    idea === undefined
      ? await client.specificationRetrospective({
          params: { id: spec ?? '' },
          query: revision === undefined ? {} : { revision },
        })
      : await client.ideaRetrospective({ params: { id: idea } })
  if (options.json) return printJson(made)
  if (made.is === 'idea') showIdea(made)
  else showSpec(made)
  section(
    'To improve',
    made.gaps.map(({ kind, what }) => `${kind.replaceAll('_', ' ')}: ${plainText(what)}`),
  )
  if (made.is === 'idea') section('Learned', made.learned.map(learnedLine))
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

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
