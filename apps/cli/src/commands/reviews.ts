// Deliveries that wait for a word: who has to say it, what the checks found, and how the criteria stand.
import type { Client } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import type { Review, ReviewCriterion } from '@treadle/contracts/review'
import { gateSummary } from '@treadle/contracts/words/gates'
import { usd } from '@treadle/contracts/words/money'
import { timeAgo } from '@treadle/contracts/words/time'
import { changeOf } from '../items/item-change.ts'
import { evidenceCell, evidenceWords } from '../items/item-table.ts'
import { clip, paint, pairs, print, printJson } from '../output.ts'
import { type WithPages, withPages } from '../pages.ts'
import { asNumber, json, type Program, project, refuseMore, withClient } from '../program.ts'
import { terminalColumns, wrapColumns } from '../terminal/columns.ts'
import { linked } from '../terminal/link.ts'
import { listing } from '../terminal/listing.ts'
import { shownMarkdown } from '../terminal/markdown.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'
import { findRepository } from '../workspace.ts'
import { approveOptions, requestOptions } from './decide.ts'
import { paintDiff } from './diff.ts'
import { type ItemNumber, rejectItem } from './items.ts'

interface Json {
  readonly json?: boolean
}

export function reviewCommands(program: Program): void {
  const review = program.root.command('review')
  review
    .command('list', { isDefault: true })
    .description('delivered changes that wait')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withPages(program, (given) => listReviews(given, options))
    })
  review
    .command('show')
    .description('the criteria, the checks and what was said about one delivery')
    .argument('<number>', 'item number', asNumber)
    .option('--diff', 'what it changes, as well')
    .addOption(project())
    .addOption(json())
    .action((number, options) => withClient(program, (client) => showReview(client, number, options)))
  approveOptions(review.command('approve').description('approve a delivered change; it is merged'), program)
  requestOptions(
    review
      .command('request-changes')
      .alias('reject')
      .description('say what should change; the agent goes on with it'),
  )
    .requiredOption('--feedback <text>', 'what should change')
    .action((number, options) =>
      withClient(program, (client) => rejectItem(client, { number, project: options.project }, options)),
    )
}

async function listReviews({ client, pageOf }: WithPages, options: Json): Promise<void> {
  const { items } = await client.listItems({ query: { status: 'in_review' } })
  const waiting = items.filter((item) => item.state === 'in_review')
  const open = (await Promise.all([openReviews(client, 'in_review'), openReviews(client, 'pending')])).flat()
  const rows = waiting.map((item) => ({ ...item, review: reviewOf(item, open) }))
  if (options.json) return printJson(rows)
  if (rows.length === 0) return print('Nothing waits for review.')
  const heads = ['#', 'REVIEW', 'TITLE', 'EVIDENCE', 'CRITERIA', 'SINCE', 'CHECKS']
  const cells = rows.map(({ review, ...item }) => [
    linked(`#${item.number}`, pageOf(item)),
    standing(item, review),
    plainText(item.title),
    evidenceCell({ evidence: review?.evidence ?? null }),
    review === null ? '' : criteriaWords(review.criteria),
    timeAgo(review?.completedAt ?? item.updatedAt, Date.now()),
    review === null ? '' : checkWords(review),
  ])
  print(listing(heads, cells, { drop: ['CHECKS', 'CRITERIA', 'SINCE'] }))
  const mine = rows.filter(({ needsHuman }) => needsHuman)
  for (const { number, review } of mine)
    if (review?.why)
      print(wrapColumns(`\n#${number}: ${plainText(review.why)}`, terminalColumns()).join('\n'))
  const [first] = mine
  if (first === undefined) return
  const { number } = first
  print(
    `\n${pairs([
      [`treadle diff ${number}`, 'see the change'],
      [`treadle review show ${number}`, 'the criteria and the checks'],
      [`treadle approve ${number}`, 'merge it'],
      [`treadle request-changes ${number}`, 'say what should change'],
    ])}`,
  )
}

async function openReviews(client: Client, status: 'pending' | 'in_review'): Promise<Review[]> {
  return (await client.listReviews({ query: { status, limit: 1_000 } })).items
}

function reviewOf(item: Item, open: readonly Review[]): Review | null {
  const { projectNumber, number } = item
  return open.find((each) => each.projectNumber === projectNumber && each.issueNumber === number) ?? null
}

function standing(item: Item, review: Review | null): string {
  if (review?.status === 'in_review') return paint('cyan', `read by ${review.claimedByAgentId}`)
  const late = review?.escalatedAt == null ? '' : ', overdue'
  if (item.needsHuman) return paint('yellow', `needs you${late}`)
  return `${review?.waitsFor === 'reviewer' ? 'waits for a reviewer' : 'checks running'}${late}`
}

function criteriaWords(criteria: readonly ReviewCriterion[]): string {
  if (criteria.length === 0) return 'none'
  return `${criteria.filter(({ status }) => status === 'met').length} of ${criteria.length} met`
}

function checkWords({ checkedAt, checks }: Review): string {
  if (checkedAt === null) return 'not yet'
  const [verdict = ''] = plainText(gateSummary(checks)).split('\n', 1)
  return verdict
}

async function showReview(
  client: Client,
  number: number,
  options: Json & { project: number; diff?: boolean },
): Promise<void> {
  const query = { projectNumber: options.project, issueNumber: number, limit: 1 }
  const [last] = (await client.listReviews({ query })).items
  if (last === undefined)
    throw new UserError(`#${number} has not been delivered yet.`, 'treadle review lists what waits.')
  const shown = await client.showReview({ params: { id: last.id } })
  const { review, changedFiles } = shown
  const diff = options.diff === true ? await reviewedDiff(client, { number, project: options.project }) : null
  if (options.json) return printJson(diff === null ? shown : { ...shown, diff })
  print(`${paint('bold', `#${number} ${plainText(review.issueTitle)}`)}\n${headline(review)}`)
  if (review.why !== null) print(paint('yellow', plainText(review.why)))
  if (review.evidence !== null) section('EVIDENCE', evidenceWords(review.evidence))
  section('CRITERIA', review.criteria.map(criterionLine).join('\n') || 'none: a person has to look at it')
  section('CHECKS', review.checkedAt === null ? 'not run yet' : plainText(gateSummary(review.checks)))
  section('CHANGED FILES', changedFiles.map(plainText).join('\n') || 'none')
  if (diff !== null) print(`\n${paint('dim', 'DIFF')}\n${paintDiff(diff)}`)
  if (review.feedback !== null) section('FEEDBACK', await shownMarkdown(review.feedback))
  const reading = await readingOf(client, review)
  if (reading !== null) section('READING', reading)
  if (review.answer !== null)
    section(`ANSWER OF ${review.engine ?? 'THE REVIEWER'}`, await shownMarkdown(review.answer))
}

const STATUS_WORDS: Readonly<Record<Review['status'], string>> = {
  pending: 'waiting',
  in_review: 'in review',
  approved: 'approved',
  rejected: 'changes requested',
}

function headline(review: Review): string {
  const by = review.claimedByAgentId ?? review.decidedBy
  const late = review.escalatedAt === null ? '' : ', overdue'
  const since = timeAgo(review.completedAt, Date.now())
  return `Delivery ${review.cycle} by ${review.completedByAgentId}, ${since}: ${STATUS_WORDS[review.status]}${by === null ? '' : ` by ${by}`}${late}`
}

/** Who reads it, or has read it, and what that has cost; null: nobody was asked. */
async function readingOf(client: Client, { judgement }: Review): Promise<string | null> {
  if (judgement === null) return null
  const thought = await client.showThought({ params: { id: judgement.thoughtId } })
  if (thought.agentId === null) return `waits for ${judgement.engine}`
  const cost = thought.costUSD === null ? '' : ` for ${usd(thought.costUSD)}`
  return `${thought.status === 'claimed' ? 'being read' : 'read'} by ${thought.agentId} with ${judgement.engine}${cost}`
}

function criterionLine({ id, description, status, note, askedIn }: ReviewCriterion): string {
  const verdict = { pending: null, met: 'met', not_met: 'not met' }[status]
  const said = [verdict, note].filter((part) => part !== null).join(': ')
  const box = status === 'met' ? '[x]' : '[ ]'
  const asked = askedIn === undefined ? '' : paint('dim', `asked for after delivery ${askedIn}: `)
  return `${box} ${id} ${asked}${plainText(description)}${said === '' ? '' : paint('dim', ` · ${clip(plainText(said), 200)}`)}`
}

async function reviewedDiff(client: Client, ref: ItemNumber): Promise<string> {
  const params = { projectNumber: ref.project, issueNumber: ref.number }
  const [{ item }, { target }] = await Promise.all([client.showItem({ params }), client.workspace()])
  return (await changeOf({ root: findRepository(process.cwd()), target, client, item })).diff
}

function section(title: string, text: string): void {
  print(`\n${paint('dim', title)}\n${text.replace(/^/gm, '  ')}`)
}
