// Deliveries that wait for a word: who has to say it, what the checks found, and how the criteria stand.
import { spawnSync } from 'node:child_process'
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Review, ReviewCriterion } from '@treadle/contracts/review'
import { gateSummary } from '@treadle/contracts/words/gates'
import { timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { type Consent, warnFirst } from '../confirm.ts'
import { clip, paint, print, printJson, table } from '../output.ts'
import { asNumber, json, type Program, project, refuseMore, withClient } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findRepository } from '../workspace.ts'
import { evidenceWords, type ItemNumber, orderItem, rejectItem } from './items.ts'

interface Json {
  readonly json?: boolean
}

export function reviewCommands(program: Program): void {
  const review = program.root.command('review').description('what waits for your approval, or a reviewer')
  review
    .command('list', { isDefault: true })
    .description('delivered changes that wait')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listReviews(client, options))
    })
  review
    .command('show')
    .description('the criteria, the checks and what was said about one delivery')
    .argument('<number>', 'item number', asNumber)
    .option('--diff', 'what it changes, as well')
    .addOption(project())
    .addOption(json())
    .action((number, options) => withClient(program, (client) => showReview(client, number, options)))
  review
    .command('approve')
    .description('approve a delivered change; it is merged')
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(new Option('-y, --yes', 'do not ask, whatever the evidence'))
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => approveItem(client, { number, project: options.project }, options)),
    )
  review
    .command('reject')
    .description('send a delivered change back')
    .argument('<number>', 'item number', asNumber)
    .requiredOption('--feedback <text>', 'what is wrong with it')
    .option('--fresh', 'start anew instead of building on what was delivered')
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => rejectItem(client, { number, project: options.project }, options)),
    )
}

/** Who approves what is not proven is told first why it is not. */
async function approveItem(client: Client, ref: ItemNumber, options: Json & Consent): Promise<void> {
  const { item } = await client.showItem({
    params: { projectNumber: ref.project, issueNumber: ref.number },
  })
  const { state, evidence } = item
  if (state === 'in_review' && evidence !== null && evidence.level !== 'proven')
    await warnFirst(`${itemLabel(item)} is ${evidenceWords(evidence)}.`, options)
  await orderItem(client, 'approveItem', ref, options)
}

async function listReviews(client: Client, options: Json): Promise<void> {
  const { items } = await client.listItems({ query: { status: 'in_review' } })
  const waiting = items.filter((item) => item.state === 'in_review')
  const open = (await Promise.all([openReviews(client, 'in_review'), openReviews(client, 'pending')])).flat()
  const rows = waiting.map((item) => ({ ...item, review: reviewOf(item, open) }))
  if (options.json) return printJson(rows)
  if (rows.length === 0) return print('Nothing waits for review.')
  const heads = ['#', 'REVIEW', 'SINCE', 'EVIDENCE', 'CRITERIA', 'CHECKS', 'TITLE'].map((head) =>
    paint('dim', head),
  )
  const cells = rows.map(({ review, ...item }) => [
    `#${item.number}`,
    standing(item, review),
    timeAgo(review?.completedAt ?? item.updatedAt, Date.now()),
    review?.evidence?.level ?? '',
    review === null ? '' : criteriaWords(review.criteria),
    review === null ? '' : checkWords(review),
    clip(item.title, 60),
  ])
  print(table([heads, ...cells]))
  const { target } = await client.workspace()
  for (const { number, branch, needsHuman, review } of rows) {
    if (!needsHuman) continue
    if (review?.why) print(`\n#${number}: ${review.why}`)
    print(
      `\nLook at #${number}: git diff ${target}...${branch}\n  treadle review show ${number}\n  treadle review approve ${number}\n  treadle review reject ${number} --feedback "what is wrong with it"`,
    )
  }
}

async function openReviews(client: Client, status: 'pending' | 'in_review'): Promise<Review[]> {
  return (await client.listReviews({ query: { status, limit: 1_000 } })).items
}

function reviewOf(item: Item, open: readonly Review[]): Review | null {
  const { projectNumber, number } = item
  return open.find((each) => each.projectNumber === projectNumber && each.issueNumber === number) ?? null
}

function standing(item: Item, review: Review | null): string {
  if (review?.status === 'in_review') return paint('cyan', `in_review by ${review.claimedByAgentId}`)
  const late = review?.escalatedAt == null ? '' : ', overdue'
  if (item.needsHuman) return paint('yellow', `pending, needs you${late}`)
  return `pending, ${review?.waitsFor === 'reviewer' ? 'waits for a reviewer' : 'checks are run'}${late}`
}

function criteriaWords(criteria: readonly ReviewCriterion[]): string {
  if (criteria.length === 0) return 'none'
  return `${criteria.filter(({ status }) => status === 'met').length} of ${criteria.length} met`
}

function checkWords({ checkedAt, checks }: Review): string {
  if (checkedAt === null) return 'not yet'
  const [verdict = ''] = gateSummary(checks).split('\n', 1)
  return clip(verdict, 40)
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
  const diff = options.diff === true ? diffOf((await client.workspace()).target, review.headCommit) : null
  if (options.json) return printJson(diff === null ? shown : { ...shown, diff })
  print(`${paint('bold', `#${number} ${review.issueTitle}`)}\n${headline(review)}`)
  if (review.why !== null) print(paint('yellow', review.why))
  if (review.evidence !== null) section('EVIDENCE', evidenceWords(review.evidence))
  section('CRITERIA', review.criteria.map(criterionLine).join('\n') || 'none: a person has to look at it')
  section('CHECKS', review.checkedAt === null ? 'not run yet' : gateSummary(review.checks))
  section('CHANGED FILES', changedFiles.join('\n') || 'none')
  if (diff !== null) print(`\n${paint('dim', 'DIFF')}\n${diff}`)
  if (review.feedback !== null) section('FEEDBACK', review.feedback)
  if (review.answer !== null) section(`ANSWER OF ${review.engine ?? 'THE REVIEWER'}`, review.answer)
}

/** What the delivery brings, from where it left the target; once it is merged, what its commit has brought. */
function diffOf(target: string, head: string): string {
  return gitDiff(`${target}...${head}`) || gitDiff(`${head}~1..${head}`)
}

function gitDiff(range: string): string {
  const args = ['--no-pager', 'diff', '--no-ext-diff', range]
  const cwd = findRepository(process.cwd())
  const ran = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: DIFF_BYTES_MAX })
  if (ran.status !== 0)
    throw new UserError(
      `git cannot show the change: ${ran.stderr.trim()}`,
      `Look: git ${args.slice(1).join(' ')}`,
    )
  return ran.stdout.trimEnd()
}

const DIFF_BYTES_MAX = 64 * 1024 * 1024

function headline(review: Review): string {
  const by = review.claimedByAgentId ?? review.decidedBy
  const late = review.escalatedAt === null ? '' : ', overdue'
  const since = timeAgo(review.completedAt, Date.now())
  return `Delivery ${review.cycle} by ${review.completedByAgentId}, ${since}: ${review.status}${by === null ? '' : ` by ${by}`}${late}`
}

function criterionLine({ id, description, status, note, askedIn }: ReviewCriterion): string {
  const verdict = { pending: null, met: 'met', not_met: 'not met' }[status]
  const said = [verdict, note].filter((part) => part !== null).join(': ')
  const box = status === 'met' ? '[x]' : '[ ]'
  const asked = askedIn === undefined ? '' : paint('dim', `asked for after delivery ${askedIn}: `)
  return `${box} ${id} ${asked}${description}${said === '' ? '' : paint('dim', ` · ${clip(said, 200)}`)}`
}

function section(title: string, text: string): void {
  print(`\n${paint('dim', title)}\n${text.replace(/^/gm, '  ')}`)
}
