// Whether the crew looks for improvements of its own now, and how many look at once. Pure.
import type { Config } from '@treadle/contracts/config'
import type { IdeationTotals } from '../../ports/ideations.ts'

type Settings = Pick<Config['ideas'], 'openMax' | 'perDay' | 'quietHours' | 'withoutTests'> & {
  /** flags.enable_ideation */
  readonly isOn: boolean
  /** agents.ideationBudgetUSD */
  readonly budgetUSD: number
  /** monitoring.queueLow and queueHigh */
  readonly queueLow: number
  readonly queueHigh: number
}

export interface LookFacts {
  readonly now: Date
  readonly settings: Settings
  /** Items that an agent could claim now. */
  readonly depth: number
  /** Of these, one that is about to be taken by an agent that could look first; 0: nobody is. */
  readonly taking: 0 | 1
  /** Deliveries that wait for a review, or are in one. */
  readonly inReview: number
  /** Agents that run and have nothing to do. */
  readonly idle: number
  readonly totals: IdeationTotals
  readonly hasTests: boolean
  /** Why the tests of the target cannot be run now; null: they can. */
  readonly unready: string | null
  /** It costs nothing: programs look, and no model. */
  readonly isFree: boolean
  /** Why nobody may begin anything that costs money; null: they may. */
  readonly hold: string | null
}

export type LookNow =
  /** So many more than those that are asked already; none: enough are. */
  { readonly is: 'look'; readonly agents: number } | { readonly is: 'wait'; readonly why: string }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export function decideLook(facts: LookFacts): LookNow {
  const why = whyNever(facts) ?? whyNotByQueue(facts) ?? whyNotByLimits(facts) ?? whyResting(facts)
  if (why !== null) return { is: 'wait', why }
  return { is: 'look', agents: Math.max(0, wantedLookers(facts) - facts.totals.underWay) }
}

/** With nothing at all to do every idle agent may look; with little to do, or with reviews under way, one of them. */
function wantedLookers(facts: LookFacts): number {
  const { depth, inReview, idle, totals, settings } = facts
  const room = Math.min(settings.openMax - totals.open, settings.perDay - totals.createdToday)
  const free = idle + totals.atWork
  const wanted = depth === 0 && inReview === 0 ? free : Math.min(1, free)
  return Math.min(wanted, room, coveredLooks(facts))
}

function whyNever({ settings, hasTests, unready }: LookFacts): string | null {
  if (!settings.isOn) return 'flags.enable_ideation is not on'
  if (!hasTests && !settings.withoutTests)
    return 'this repository has no tests, so nothing shows what a change breaks; ideas.withoutTests lets the crew look all the same'
  return unready
}

/** What counts is what still waits once whoever asks for work has taken its own. */
function whyNotByQueue({ depth, taking, settings: { queueLow, queueHigh } }: LookFacts): string | null {
  if (depth > queueHigh) return `the queue is high: ${depth} items wait`
  if (depth - taking >= queueLow)
    return `there is enough to do: ${depth} ${depth === 1 ? 'item waits' : 'items wait'}`
  return null
}

function whyNotByLimits(facts: LookFacts): string | null {
  const { settings, totals, isFree, hold, now } = facts
  if (totals.open >= settings.openMax)
    return `${totals.open} improvements of the crew's own are open, as many as ideas.openMax allows`
  if (totals.createdToday >= settings.perDay)
    return `today has brought ${totals.createdToday} improvements, as many as ideas.perDay allows`
  if (settings.quietHours !== null && isWithin(settings.quietHours, now))
    return `it is quiet: ideas.quietHours is ${settings.quietHours}`
  if (isFree) return null
  return whyNotByBudget(facts) ?? hold
}

/** A look that would have to be broken off for want of money is not begun. */
function whyNotByBudget(facts: LookFacts): string | null {
  const { totals, settings } = facts
  const spent = `looking has cost $${totals.spentTodayUSD.toFixed(2)} today`
  if (totals.spentTodayUSD >= settings.budgetUSD)
    return `${spent}, as much as agents.ideationBudgetUSD allows`
  if (coveredLooks(facts) > totals.underWay) return null
  return `${spent}, and another look may cost $${totals.dearestUSD.toFixed(2)}, more than agents.ideationBudgetUSD leaves`
}

/** How many looks what is left of the budget covers; the first of a day is always tried: prices may have come down. */
function coveredLooks({ totals: { spentTodayUSD, dearestUSD }, settings, isFree }: LookFacts): number {
  if (isFree || dearestUSD === 0) return Number.POSITIVE_INFINITY
  const covered = Math.floor((settings.budgetUSD - spentTodayUSD) / dearestUSD)
  return spentTodayUSD === 0 ? Math.max(1, covered) : covered
}

/** After looks that nobody answered it is tried again ever more rarely. */
function whyResting({ totals: { failedInRow, lastFailedAt }, now }: LookFacts): string | null {
  // A look of the future was before the clock was set back: nobody knows when it was.
  if (failedInRow === 0 || lastFailedAt === null || lastFailedAt > now) return null
  const rest = Math.min(HOUR_MS, MINUTE_MS * 2 ** Math.min(10, failedInRow - 1))
  const until = new Date(lastFailedAt.getTime() + rest)
  if (until <= now) return null
  const looks = failedInRow === 1 ? 'the last look' : `each of the last ${failedInRow} looks`
  return `${looks} came to nothing; the next one is after ${until.toISOString().slice(11, 16)} UTC`
}

/** `22:00-07:00` goes over midnight; in the time of this machine. */
function isWithin(hours: string, now: Date): boolean {
  const [from, to] = hours.split('-').map(minutesOf)
  if (from === undefined || to === undefined) return false
  const at = now.getHours() * 60 + now.getMinutes()
  return from <= to ? at >= from && at < to : at >= from || at < to
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}
