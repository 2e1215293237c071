// Whether work takes much longer than it was expected to, and what is known of it then. Pure.
import { type Item, statusOf } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { duration } from '@treadle/contracts/words/time'

export const TOOK_LONGER = 'task_complexity_exceeded'

const HOUR_MS = 3_600_000
/** As the condition of the catalogue says. */
const TIMES = 3

interface AtWork {
  readonly estimateMs: number
  readonly actualMs: number
}

/** Null: it has no estimate, is in nobody's hands, or keeps to it well enough. */
export function tookLonger(item: Item, now: Date): AtWork | null {
  const { estimateHours, claimedAt, runId } = item
  if (estimateHours === null || claimedAt === null || runId === null) return null
  if (statusOf(item.state) !== 'in_progress') return null
  const [estimateMs, actualMs] = [estimateHours * HOUR_MS, now.getTime() - Date.parse(claimedAt)]
  return actualMs > estimateMs * TIMES ? { estimateMs, actualMs } : null
}

/** What the catalogue puts into its question; its condition is held against the two times. */
export function tookLongerFacts(item: Item, run: Run, { estimateMs, actualMs }: AtWork) {
  return {
    actual_time: actualMs,
    estimated_time: estimateMs,
    task_id: `#${item.number} ${item.title}`,
    estimate: duration(estimateMs),
    actual: duration(actualMs),
    remaining: run.phase === null ? 'its first phase has not begun' : `it is in its phase ${run.phase}`,
    common_reason:
      run.iteration === 0
        ? 'more belongs to the task than its words say'
        : `its checks found something ${run.iteration === 1 ? 'once' : `${run.iteration} times`}, and it was improved`,
  }
}
