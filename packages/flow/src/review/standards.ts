// Are deliveries sent back more often than they should be, and what for? Standards stay strict until the owner says otherwise.
import type { Review } from '@treadle/contracts/review'

/** So many decisions say how it goes now; fewer than half of them say nothing. */
export const RATE_WINDOW = 20
const ENOUGH = RATE_WINDOW / 2
const REASONS_MAX = 5

type Decided = Pick<Review, 'status' | 'checks' | 'criteria'>

export type Standards =
  | { readonly is: 'kept' }
  /** By the newest decision: it is said once, not after every later one. */
  | { readonly is: 'crossed'; readonly text: string }

/** Decisions, newest first, one more than the window. */
export function judgeStandards(latest: readonly Decided[], percentMax: number): Standards {
  const now = latest.slice(0, RATE_WINDOW)
  if (!isHigh(now, percentMax) || isHigh(latest.slice(1, RATE_WINDOW + 1), percentMax)) return { is: 'kept' }
  const sent = now.filter(({ status }) => status === 'rejected')
  const share = Math.round((sent.length / now.length) * 100)
  return {
    is: 'crossed',
    text: `${sent.length} of the last ${now.length} deliveries were sent back (${share} %, wanted at most ${percentMax} %): ${reasonsIn(sent)}. What is asked of a delivery stands under gates in treadle.json, what a reviewer is told in its template`,
  }
}

function isHigh(decided: readonly Decided[], percentMax: number): boolean {
  const sent = decided.filter(({ status }) => status === 'rejected').length
  return decided.length >= ENOUGH && (sent / decided.length) * 100 > percentMax
}

function reasonsIn(sent: readonly Decided[]): string {
  const counts = new Map<string, number>()
  for (const review of sent)
    for (const reason of new Set(reasonsOf(review))) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const sorted = [...counts].toSorted((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]))
  return sorted
    .slice(0, REASONS_MAX)
    .map(([reason, times]) => `${reason} ${times}`)
    .join(', ')
}

function reasonsOf({ checks, criteria }: Decided): string[] {
  const failed = checks.filter(({ is }) => is === 'failed').map(({ gate }) => gate.replaceAll('_', ' '))
  const unmet = criteria.some(({ status }) => status === 'not_met') ? ['criteria not met'] : []
  const reasons = [...failed, ...unmet]
  return reasons.length === 0 ? ['the word of a reviewer'] : reasons
}
