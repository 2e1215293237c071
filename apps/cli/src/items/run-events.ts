// The events of a run, page by page.
import type { Client } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'

/** The limit of pages: more than a run can fill. */
const PAGES_MAX = 10_000

/** Every event of a run, oldest first; no more than so many pages of a thousand. */
export async function runEvents(client: Client, id: string, pagesMax = PAGES_MAX): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let after: Cursor = CURSOR_START
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const { items, cursor } = await client.runHistory({ params: { id }, query: { after, limit: 1_000 } })
    if (items.length === 0) break
    events.push(...items)
    after = cursor
  }
  return events
}
