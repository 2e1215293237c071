// The end of a goal, for people and for programs: what changed, what confirms it, what it cost, what comes next.
import type { Item } from '@treadle/contracts/item'
import type { GoalEnd } from '@treadle/contracts/paor'
import type { Run } from '@treadle/contracts/run'
import { shortCommit } from '@treadle/contracts/words/commit'
import { gatesWords } from '@treadle/contracts/words/gates'
import { usd } from '@treadle/contracts/words/money'

export const EXIT_ACHIEVED = 0
export const EXIT_NOT_ACHIEVED = 1
export const EXIT_WAITS = 3

export interface GoalFacts {
  readonly item: Item
  readonly run: Run | null
  readonly end: GoalEnd | null
  /** Title of a question that nobody has answered. */
  readonly question: string | null
  /** The reason why nobody can work on the goal at present. */
  readonly idle: string | null
}

export interface GoalReport {
  readonly item: Item
  readonly runId: string | null
  /** not_delivered: the engine held it for achieved, and something or somebody else did not. */
  readonly outcome: GoalEnd['outcome'] | 'not_delivered' | 'unknown'
  readonly iterations: number
  readonly summary: string
  readonly changed: readonly string[]
  readonly confirmedBy: string | null
  readonly costUSD: number | null
  readonly next: readonly string[]
  readonly exitCode: number
}

export function goalReport(facts: GoalFacts): GoalReport {
  const { item, run, end } = facts
  const changed = [...new Set(run?.history.flatMap(({ changes }) => changes) ?? [])]
  const used = run?.usage ?? []
  return {
    item,
    runId: run?.id ?? null,
    outcome: isRefused(facts) ? 'not_delivered' : (end?.outcome ?? 'unknown'),
    iterations: end?.iterations ?? 0,
    summary: summaryOf(facts),
    changed,
    confirmedBy: run === null || run.gates.length === 0 ? null : gatesWords(run.gates),
    costUSD: used.some((each) => each.usd === null)
      ? null
      : used.reduce((sum, each) => sum + (each.usd ?? 0), 0),
    next: nextOf(facts),
    exitCode: exitCodeOf(facts),
  }
}

function summaryOf(facts: GoalFacts): string {
  const { item, end, question, idle } = facts
  if (question !== null) return `It waits for an answer: ${question}`
  if (idle !== null) return `Nobody works on #${item.number} for now: ${idle}`
  const why = item.reason ?? `#${item.number} is ${item.state}`
  if (item.state === 'conflicted') return `Achieved, but not merged: ${why}`
  if (isRefused(facts))
    return `Goal not achieved: ${why}\nThe engine held it for achieved; it was not delivered.`
  return end?.summary ?? why
}

/** True if the work was refused, whatever the engine says of it. */
function isRefused({ item, end }: GoalFacts): boolean {
  return end?.outcome === 'goal_achieved' && !isDelivered(item) && item.state !== 'conflicted'
}

function isDelivered({ state }: Item): boolean {
  return state === 'done' || state === 'in_review' || state === 'merging'
}

export function exitCodeOf({ item, end, question, idle }: GoalFacts): number {
  if (question !== null || idle !== null || item.state === 'conflicted') return EXIT_WAITS
  return isDelivered(item) && end?.outcome === 'goal_achieved' ? EXIT_ACHIEVED : EXIT_NOT_ACHIEVED
}

function nextOf({ item, question, idle }: GoalFacts): string[] {
  const { number, state, needsHuman } = item
  if (idle !== null) return ['treadle doctor', `treadle run --attach ${number}`]
  if (question !== null) return [`treadle guide ${number} "your answer"`]
  if (state === 'in_review' && needsHuman)
    return [`treadle approve ${number}`, `treadle request-changes ${number} --feedback "…"`]
  if (state === 'escalated') return [`treadle history ${number} --verbose`, `treadle reopen ${number}`]
  if (state === 'conflicted') return [`treadle conflicts show ${number}`]
  return []
}

/** The report as lines; without the output of any tool. */
export function reportLines(report: GoalReport): string[] {
  const { item, summary, changed, confirmedBy, costUSD, next } = report
  const unsaid = changed.filter((file) => !summary.includes(file))
  return [
    summary,
    ...(unsaid.length === 0 ? [] : [`Changed: ${someOf(changed)}`]),
    ...(confirmedBy === null ? [] : [`Checks: ${confirmedBy}`]),
    ...(item.mergeCommit === null ? [] : [`Merged as ${shortCommit(item.mergeCommit)}`]),
    ...(costUSD === null || costUSD === 0 ? [] : [`Cost: ${usd(costUSD)}`]),
    ...(next.length === 0 ? [] : [`Next: ${next.join('   or   ')}`]),
  ]
}

const FILES_MAX = 12

function someOf(files: readonly string[]): string {
  const more = files.length - FILES_MAX
  return `${files.slice(0, FILES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
