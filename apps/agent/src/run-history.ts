// What is recorded of a run, and of the run of the same item before it.
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import { type EarlierRun, earlierRun, isBegunAnewSince } from '@treadle/flow/build/conversation'
import { goalPastIn, joinPasts, NO_PAST } from '@treadle/flow/build/goal-past'
import type { GoalPast } from '@treadle/flow/ports/guidance'
import type { Home } from './home.ts'
import type { Held } from './work.ts'

/** More pages than a run can fill; each loop has an end. */
const PAGES_MAX = 1_000

export async function historyOf(home: Home, id: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let after: Cursor = CURSOR_START
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { items, cursor } = await home
      .client()
      .runHistory({ params: { id }, query: { after, limit: 1_000 } })
    if (items.length === 0) break
    events.push(...items)
    after = cursor
  }
  return events
}

/** Null: this is the first claim of the item, or the first since it was decided to start anew. */
export async function findEarlierRun(home: Home, { item, fence }: Held): Promise<EarlierRun | null> {
  if (fence <= 1) return null
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const { runs, events: told } = await home.client().showItem({ params })
  const [latest] = runs.filter((run) => run.fence < fence).sort((one, other) => other.fence - one.fence)
  if (latest === undefined || isBegunAnewSince(latest.id, told)) return null
  const events = await historyOf(home, latest.id)
  const found = earlierRun(latest, events)
  return { ...found, past: joinPasts(await pastBefore(home, events), found.past) }
}

/** More rests than one goal will have. */
const RUNS_MAX = 100

/** What was done for a goal in the runs that this one goes on from, oldest first. */
export async function pastBefore(home: Home, events: readonly StoredEvent[]): Promise<GoalPast> {
  let whole = NO_PAST
  let { continues } = goalPastIn(events)
  for (let runs = 0; continues !== null && runs < RUNS_MAX; runs += 1) {
    const found = goalPastIn(await historyOf(home, continues))
    whole = joinPasts(found.past, whole)
    continues = found.continues
  }
  return whole
}
