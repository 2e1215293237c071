// Wakes a reader of the feed when there is something new to read.
import { messageOf } from '@treadle/flow/fault'
import type { ListenHandle } from '../../driver/channels.ts'
import type { Database } from '../../driver/database.ts'
import type { Driver } from '../../driver/driver.ts'
import { type EventTables, feedHead } from './events.ts'

export interface FeedWorld {
  readonly database: Database<EventTables>
  readonly driver: Driver
  readonly channel: string
  readonly log: (message: string) => void
}

/** A notification is only a hint: it can be lost, and an event can be committed yet not safe to read. */
const POLL_MS = 1_000

/** The first call tells where the feed stands; it may be an empty alarm. */
export function watchFeed({ database, driver, channel, log }: FeedWorld, onEvent: () => void): ListenHandle {
  const closed = new AbortController()
  let head: string | null | undefined
  let hinted = false
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    while (hinted && !closed.signal.aborted) {
      hinted = false
      const now = await feedHead(database)
      if (now === head || closed.signal.aborted) continue
      head = now
      onEvent()
    }
  }
  const fail = (error: unknown): void => log(`the event feed could not be watched: ${messageOf(error)}`)
  const hint = (): void => {
    hinted = true
    looking ??= look()
      .catch(fail)
      .finally(() => {
        looking = null
      })
  }
  const handle = driver.listen(channel, hint, hint)
  handle.catch(fail)
  const timer = setInterval(hint, POLL_MS)
  hint()
  const close = async (): Promise<void> => {
    if (closed.signal.aborted) return
    closed.abort()
    clearInterval(timer)
    await looking
    await (await handle).close()
  }
  return { close: () => close().catch(fail) }
}
