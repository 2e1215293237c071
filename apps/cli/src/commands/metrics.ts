// `treadle metrics`: what agents complete, how fast, at what cost, and whether the queue feeds them.
import type { Client } from '@treadle/contracts/client'
import {
  type AgentMetrics,
  type LoopMetrics,
  MetricsPeriod,
  type MetricsSummary,
  type Stale,
} from '@treadle/contracts/metrics'
import { usd } from '@treadle/contracts/words/money'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { showReport } from '../metrics-report.ts'
import { paint, pairs, print, printJson } from '../output.ts'
import { asAgent, json, type Program, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'

const EXAMPLES = `
Examples:
  treadle metrics                  all agents side by side, the last 7 days
  treadle metrics 1 --period 24h   all figures of agent-1
  treadle metrics --report --period 30d
                                   a month beside the one before, with the crew's own ideas
  treadle metrics --recorded       what each look back on a run has measured
docs/metrics.md says what each figure counts.`

interface Options {
  readonly period: MetricsPeriod
  readonly report?: boolean
  readonly recorded?: boolean
  readonly json?: boolean
}

export function metricsCommands(program: Program): void {
  program.root
    .command('metrics')
    .argument('[agent]', 'one agent with all its figures; without it, all side by side', asAgent)
    .addOption(new Option('--period <period>', 'how far back').choices(MetricsPeriod.options).default('7d'))
    .option('--report', 'what the period has brought, beside the one before it')
    .option('--recorded', 'figures of the retrospectives, the newest first')
    .addOption(json())
    .addHelpText('after', EXAMPLES)
    .action((agent: string | undefined, options: Options) =>
      withClient(program, (client) => {
        if (options.report) return showReport(client, options)
        if (options.recorded) return showRecorded(client, agent, options)
        return agent === undefined ? showCrew(client, options) : showAgent(client, agent, options)
      }),
    )
}

async function showRecorded(client: Client, agentId: string | undefined, options: Options): Promise<void> {
  const { items } = await client.listImprovementMetrics({ query: { agentId } })
  if (options.json) return printJson(items)
  if (items.length === 0) return print('No retrospective yet.')
  const heads = ['AGENT', 'FIGURE', 'VALUE', 'RUN', 'RECORDED']
  const rows = items.map(({ agentId, metric, value, runId, recordedAt }) => [
    agentId,
    metric.replaceAll('_', ' '),
    String(Math.round(value * 100) / 100),
    runId,
    timeAgo(recordedAt, Date.now()),
  ])
  print(listing(heads, rows, { drop: ['RUN'] }))
}

async function showCrew(client: Client, options: Options): Promise<void> {
  const crew = await client.crewMetrics({ query: { period: options.period } })
  if (options.json) return printJson(crew)
  warn(crew)
  const heads = ['AGENT', 'DONE', 'A DAY', 'CYCLE', '1ST REVIEW', 'ERRORS/ITEM', 'COST/ITEM', 'COST', 'BUSY']
  const rows = crew.agents.map((agent) => [
    agent.role === 'review' ? `${agent.agentId} (reviews)` : agent.agentId,
    ...cells(agent, agent.tasksCompleted.inPeriod),
  ])
  const all = ['all', ...cells(crew.summary, crew.summary.completed.inPeriod)]
  print(listing(heads, [...rows, all], { drop: ['ERRORS/ITEM', 'COST/ITEM', 'A DAY'] }))
  print('')
  print(loopLine(crew.loop))
  const { completed, costUSD } = crew.summary
  print(
    `${completed.total} completed in all, ${completed.last24h} in the last 24 hours; ` +
      `${usd(costUSD)} in ${SPANS[options.period]}.`,
  )
}

const SPANS: Readonly<Record<MetricsPeriod, string>> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
}

/** The cells of one row; reviews that a reviewer completes are not among the crew's items. */
function cells(rates: Omit<MetricsSummary, 'completed'>, done: number): string[] {
  return [
    String(done),
    number(rates.completedPerDay),
    time(rates.averageCycleMs),
    percent(rates.reviewPassRate),
    number(rates.errorsPerItem),
    money(rates.costPerItemUSD),
    usd(rates.costUSD),
    percent(rates.uptime),
  ]
}

async function showAgent(client: Client, id: string, options: Options): Promise<void> {
  const agent = await client.agentMetrics({ params: { id }, query: { period: options.period } })
  if (options.json) return printJson(agent)
  warn(agent)
  print(`${paint('bold', agent.agentId)} in ${SPANS[agent.period]}`)
  print(pairs(figuresOf(agent).map(([name, value]) => [`  ${paint('dim', name)}`, value])))
}

function figuresOf(agent: AgentMetrics): [name: string, value: string][] {
  const { total, last24h, last7d, inPeriod } = agent.tasksCompleted
  const what = agent.role === 'review' ? 'reviews' : 'items'
  return [
    [`${what} completed`, `${inPeriod} (24 hours: ${last24h}, 7 days: ${last7d}, in all: ${total})`],
    ['a day', number(agent.completedPerDay)],
    ['claim to completion', time(agent.averageCycleMs)],
    ['first review approved', percent(agent.reviewPassRate)],
    ['reviews for an item', number(agent.reviewsPerItem)],
    ['merges whose tests held', percent(agent.mergePassRate)],
    ['first attempt held', percent(agent.firstPassSuccess)],
    [
      'errors for an item',
      `${number(agent.errorsPerItem)} (${agent.errors}, ${agent.crashes} of them crashes)`,
    ],
    ['cost for an item', money(agent.costPerItemUSD)],
    ['cost', usd(agent.costUSD)],
    ['busy', percent(agent.uptime)],
    ['measured since', new Date(agent.measuredSince).toLocaleString()],
  ]
}

const LEVELS: Readonly<Record<LoopMetrics['level'], 'green' | 'yellow'>> = {
  low: 'yellow',
  healthy: 'green',
  high: 'yellow',
}

function loopLine({ queueDepth, target, level, handoffGapMs }: LoopMetrics): string {
  const gap = handoffGapMs === null ? '' : `; ${time(handoffGapMs)} from a delivery to the next claim`
  return `Queue: ${queueDepth} ${paint(LEVELS[level], level)} (${target.min} to ${target.max} is right)${gap}`
}

function warn({ stale, calculatedAt }: { stale: Stale | null; calculatedAt: string }): void {
  if (stale === null) return
  const now = Date.now()
  print(paint('yellow', `These figures are of ${timeAgo(calculatedAt, now)}: ${stale.why}`))
}

const NOTHING = '–'

function number(value: number | null): string {
  return value === null ? NOTHING : String(Math.round(value * 100) / 100)
}

function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 100)}%`
}

function time(ms: number | null): string {
  return ms === null ? NOTHING : duration(ms)
}

function money(amount: number | null): string {
  return amount === null ? NOTHING : usd(amount)
}
