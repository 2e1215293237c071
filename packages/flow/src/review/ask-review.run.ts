// Asks about what reviews have found, once for each delivery, and ends what has become needless.
import type { Item } from '@treadle/contracts/item'
import { forEach } from '../ask/for-each.run.ts'
import { type QuestionWorld, runTrigger } from '../ask/question.run.ts'
import { withdrawQuestion } from '../ask/settle.run.ts'
import type { Store } from '../ports/store.ts'
import { momentsOf, OTHER_WAYS, WEAKNESS, whyOver } from './questions.ts'

export interface AskReviewWorld extends QuestionWorld {
  readonly store: QuestionWorld['store'] & Pick<Store, 'reviews'>
}

const ITEMS_MAX = 100
const OPEN_MAX = 100

/** Deliveries as they were when they were last looked at, by item; what has not changed is not read again. */
export type LookedAt = Map<string, string>

/** Part of every sweep. */
export async function runAskReviews(world: AskReviewWorld, looked: LookedAt): Promise<number> {
  await withdrawOver(world)
  const items = await world.store.items.inStates(['in_review', 'rework', 'escalated'], ITEMS_MAX)
  const there = new Set(items.map(keyOf))
  for (const key of looked.keys()) if (!there.has(key)) looked.delete(key)
  const news = items.filter(
    (item) => item.headCommit !== null && looked.get(keyOf(item)) !== `${item.state} ${item.updatedAt}`,
  )
  return forEach(news, async (item) => {
    const asked = await askAbout(world, item)
    looked.set(keyOf(item), `${item.state} ${item.updatedAt}`)
    return asked
  })
}

function keyOf({ projectNumber, number }: Item): string {
  return `${projectNumber}/${number}`
}

async function askAbout(world: AskReviewWorld, item: Item): Promise<boolean> {
  const { projectNumber, number, runId } = item
  const review = await world.store.reviews.latest(item)
  if (review === null) return false
  let asked = false
  for (const { agent, event, subject, facts } of momentsOf(item, review)) {
    const about = { item: { projectNumber, number }, runId, subject }
    // What was asked once is not rendered again with each sweep.
    const known = await world.store.questions.list({ item: about.item, event, limit: OPEN_MAX })
    if (known.some((each) => each.subject === subject)) continue
    const put = await runTrigger(world, { agent, event, facts, about })
    asked ||= put.some(({ is }) => is === 'asked')
  }
  return asked
}

async function withdrawOver({ store, now }: AskReviewWorld): Promise<void> {
  for (const event of [OTHER_WAYS, WEAKNESS])
    for (const { id, item: ref } of await store.questions.list({ event, status: 'open', limit: OPEN_MAX })) {
      if (ref === null) continue
      await store.tx(async () => {
        const item = await store.items.lock(ref)
        const kept = await store.questions.lock(id)
        const why = item === null || kept?.record.status !== 'open' ? null : whyOver(item, kept.record)
        if (kept !== null && why !== null) await withdrawQuestion(store, kept.record, { why, now: now() })
      })
    }
}
