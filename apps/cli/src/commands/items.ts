import type { Answer, Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { itemLabel } from '@treadle/contracts/ids'
import type { Approval, Item } from '@treadle/contracts/item'
import { type KeptAttempt, keptAttempt, keptWords } from '@treadle/contracts/kept-change'
import { REVIEW_LABEL } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import { unreadWords } from '@treadle/contracts/words/engines'
import { cutWords, GATE_WORDS } from '@treadle/contracts/words/gates'
import { measureWords } from '@treadle/contracts/words/measure'
import { usd } from '@treadle/contracts/words/money'
import { waitingWords } from '@treadle/contracts/words/plan'
import { stepWords } from '@treadle/contracts/words/readiness'
import { revertedByWords, revertsWords } from '@treadle/contracts/words/revert'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { evidenceWords, stateCell, stateWords } from '../items/item-table.ts'
import { clip, clock, paint, pairs, print, printJson } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import { clipColumns, terminalColumns } from '../terminal/columns.ts'
import { shownMarkdown } from '../terminal/markdown.ts'
import { plainText } from '../terminal/plain-text.ts'
import { addCommand } from './add.ts'
import { findRun } from './history.ts'
import { editCommand, whyWords } from './item-plan.ts'

export function itemCommands(program: Program): void {
  const { root } = program
  addCommand(program)
  editCommand(program)
  root
    .command('show')
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => showItem(client, { number, project: options.project }, options)),
    )
  const orders = [
    ['withdraw', 'withdrawItem'],
    ['reopen', 'reopenItem'],
    ['release', 'releaseItem'],
  ] as const
  for (const [name, order] of orders) {
    const command = root.command(name).argument('<number>', 'item number', asNumber)
    const fresh = new Option('--fresh', 'start over instead of building on what was delivered')
    if (order === 'reopenItem') command.addOption(fresh)
    // It destroys nothing and asks nothing; whoever says yes beforehand is right all the same.
    if (order === 'withdrawItem') command.addOption(new Option('-y, --yes', 'do not ask').hideHelp())
    command
      .addOption(project())
      .addOption(json())
      .action((number, options) =>
        withClient(program, (client) =>
          orderItem(client, order, { number, project: options.project }, options),
        ),
      )
  }
}

interface Json {
  readonly json?: boolean
}

/** Events that an item's history leaves out: told elsewhere, or too many. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'run.said',
  'thought.said',
  'run.began',
  'run.observed',
  'run.preparing',
  'item.commented',
])

export interface ItemNumber {
  readonly number: number
  readonly project: number
}
const paramsOf = ({ number, project }: ItemNumber) => ({ projectNumber: project, issueNumber: number })

export async function showItem(client: Client, ref: ItemNumber, options: Json): Promise<void> {
  const shown = await client.showItem({ params: paramsOf(ref) })
  if (options.json) return printJson(shown)
  const { item, runs, events, costUSD, revertedBy } = shown
  print(
    `${paint('bold', `${itemLabel(item)} ${plainText(item.title)}`)}\n${stateCell(item)}${await whyWords(client, item)}`,
  )
  const now = preparingNow(item, events)
  if (now !== null) print(paint('yellow', now))
  const kept = item.mergeCommit === null ? keptAttempt(runs) : null
  if (kept !== null) print(plainText(keptWords(kept)))
  const orders = [...takeOrders(item, kept), ...ordersFor(item)]
  if (orders.length > 0) print(paint('dim', `You can: ${orders.join(', ')}`))
  if (item.body !== '') print(`\n${await shownMarkdown(item.body)}`)
  for (const criterion of item.acceptance) print(`  ${criterionWords(criterion)}`)
  const facts = known([
    ...askedOf(item),
    ...deliveryOf(item),
    ['cost', costUSD === null ? null : usd(costUSD)],
    ['reverted by', revertedBy === null ? null : revertedByWords(revertedBy)],
  ])
  if (facts.length > 0) print(`\n${pairs(facts)}`)
  if (runs.length > 0) print(`\n${paint('dim', 'RUNS')}\n${runs.map(runLine).join('\n')}`)
  await printComments(events)
  print(`\n${paint('dim', 'EVENTS')}`)
  for (const event of events.filter((one) => !LEFT_OUT.has(one.event.type)).slice(-30)) {
    const line = sentence(event)
    const detail = line.detail === null ? '' : paint('dim', ` · ${clip(plainText(line.detail), 100)}`)
    print(clipColumns(`  ${clock(event.at)}  ${plainText(line.text)}${detail}`, terminalColumns()))
  }
}

function runLine(run: Run): string {
  return `  ${run.id}  ${run.agentId}  ${(run.outcome ?? run.status).replaceAll('_', ' ')}${cutIn(run)}`
}

/** What is done before an engine is asked, while it is done; null: something else. */
function preparingNow({ state }: Item, events: readonly StoredEvent[]): string | null {
  const last = events.findLast(({ runId }) => runId !== null)
  if (state !== 'building' || last?.event.type !== 'run.preparing') return null
  return `Before an engine is asked: ${stepWords(last.event.progress)}`
}

async function printComments(events: Answer<'showItem'>['events']): Promise<void> {
  const comments = events.flatMap(({ at, event }) =>
    event.type === 'item.commented' ? [{ at, ...event }] : [],
  )
  if (comments.length > 0) print(`\n${paint('dim', 'COMMENTS')}`)
  for (const { at, by, text } of comments)
    print(`  ${clock(at)}  ${plainText(by)}\n${(await shownMarkdown(text)).replace(/^(?=.)/gm, '    ')}`)
}

function criterionWords({ status, text }: Item['acceptance'][number]): string {
  return `[${status === 'met' ? 'x' : ' '}] ${plainText(text)}${status === 'not_met' ? ' (not met)' : ''}`
}

type Fact = readonly [name: string, value: string | null]

/** What is known, name and value. */
function known(facts: readonly Fact[]): [string, string][] {
  return facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[`  ${name}`, plainText(value)]],
  )
}

/** What the item is held against besides its text. */
function askedOf({ measure, reverts, model, effort, ...item }: Item): Fact[] {
  return [
    ['part of', item.parent === null ? null : `#${item.parent}`],
    ['waits for', item.dependsOn.map((number) => `#${number}`).join(', ')],
    ['files', item.files.join(', ')],
    ['lands on', item.target],
    ['phase', item.phase],
    ['estimate', item.estimateHours === null ? null : `${item.estimateHours} h`],
    ['model', model],
    ['effort', effort],
    ['measure', measure === null ? null : measureWords(measure)],
    ['reverts', reverts === null ? null : revertsWords(reverts)],
  ]
}

function deliveryOf({ branch, headCommit, mergeCommit, evidence, approval }: Item): Fact[] {
  return [
    ['branch', branch],
    ['delivered', headCommit],
    ['merged', mergeCommit],
    ['evidence', evidence === null ? null : evidenceWords(evidence)],
    ['approved by', approval === null ? null : approvedWords(approval)],
  ]
}

/** What a run's gates have printed and is not kept, each on a line. */
function cutIn({ gates }: Run): string {
  const lines = gates.flatMap((gate) => {
    const cut = 'evidence' in gate ? cutWords(gate.evidence) : null
    return cut === null ? [] : [`\n    ${GATE_WORDS[gate.gate]}: ${cut}`]
  })
  return paint('dim', lines.join(''))
}

function takeOrders({ number }: Item, kept: KeptAttempt | null): string[] {
  return kept === null ? [] : [`treadle take ${number} (put that change on a branch)`]
}

/** Commands for an item that waits for a person. */
function ordersFor({ state, number, needsHuman, labels }: Item): string[] {
  if (!needsHuman) return []
  if (state === 'in_review')
    return [`treadle diff ${number}`, `treadle approve ${number}`, `treadle request-changes ${number}`]
  const taken = labels.includes(REVIEW_LABEL) ? [`treadle approve ${number} (take it as it is)`] : []
  const told =
    state === 'escalated'
      ? [`treadle explain ${number} (what was tried; any attempt: treadle explain ${number} <attempt>)`]
      : []
  const always = [
    ...told,
    ...taken,
    `treadle reopen ${number} (queue it again)`,
    `treadle withdraw ${number}`,
  ]
  return state === 'conflicted' ? [`treadle conflicts show ${number} (how to resolve it)`, ...always] : always
}

type ItemOrder = 'approveItem' | 'withdrawItem' | 'reopenItem' | 'releaseItem'

export async function orderItem(
  client: Client,
  order: ItemOrder,
  ref: ItemNumber,
  options: Json & { fresh?: boolean; head?: string | null },
): Promise<void> {
  const fresh = order === 'reopenItem' && options.fresh === true ? { fresh: true } : {}
  const head = order === 'approveItem' && options.head != null ? { head: options.head } : {}
  const item: Item & { readonly waitedForBy?: readonly number[] } = await client[order]({
    params: paramsOf(ref),
    body: { by: callerName(), ...fresh, ...head },
  })
  if (options.json) return printJson(item)
  print(`${itemLabel(item)} is now: ${stateWords(item)}`)
  const waiting = waitingWords(item.waitedForBy ?? [])
  if (waiting !== null) print(waiting)
}

export async function rejectItem(
  client: Client,
  ref: ItemNumber,
  options: Json & { feedback: string; fresh?: boolean },
): Promise<void> {
  const fresh = options.fresh === true ? { fresh: true } : {}
  const params = paramsOf(ref)
  // The delivery that is there while somebody asks for changes is the one that they ask them of.
  const { item: now } = await client.showItem({ params })
  const head = now.headCommit === null ? {} : { head: now.headCommit }
  const body = { feedback: options.feedback, by: callerName(), ...fresh, ...head }
  const item = await client.rejectItem({ params, body })
  if (options.json) return printJson(item)
  print(`${itemLabel(item)} is now: ${stateWords(item)}`)
  const unread = unreadWords((await client.workspace()).config.engines.default)
  if (unread !== null) print(paint('yellow', unread))
}

export async function explainRun(
  client: Client,
  which: string,
  attempt: number | null,
  options: Json & { project: number },
): Promise<void> {
  const { id } = await findRun(client, which, options.project)
  const told = await client.explainRun({ params: { id }, query: attempt === null ? {} : { attempt } })
  options.json ? printJson(told) : print((await shownMarkdown(told.text)).trimEnd())
}

function approvedWords({ by, kind, restsOn }: Approval): string {
  return `${by} (${kind === 'standing_order' ? 'automatic' : kind}${restsOn === undefined ? '' : `, rests on: ${restsOn.replaceAll('_', ' ')}`})`
}
