// Fails a run in which nothing happens any more.
import { CURSOR_START, type Cursor } from '@treadle/contracts/event'
import type { Up } from '../crash/crew.ts'

/** So long may a crew say nothing, whatever is done to it. */
const SILENCE_MS_MAX = 60_000

export class Watchdog {
  events = 0
  #cursor: Cursor = CURSOR_START
  #heardAt = performance.now()

  /** Reads on in the feed; throws when there has been nothing for too long. */
  async look(up: Up): Promise<void> {
    const { client } = up
    for (;;) {
      const page = await client.events({ query: { after: this.#cursor, limit: 1_000 } })
      if (page.items.length === 0) break
      this.events += page.items.length
      this.#cursor = page.cursor
      this.#heardAt = performance.now()
    }
    const silence = performance.now() - this.#heardAt
    if (silence < SILENCE_MS_MAX) return
    throw new Error(`no event for ${Math.round(silence / 1_000)} s: ${await openItems(up)}`)
  }
}

/** Where each item stands that is not done. */
export async function openItems({ client }: Up): Promise<string> {
  const { items } = await client.listItems({ query: { limit: 1_000 } })
  return items
    .filter(({ status }) => status !== 'done')
    .map((item) => `#${item.number} ${item.state} ${item.claimedByAgentId ?? ''} ${item.reason ?? ''}`)
    .join(', ')
}
