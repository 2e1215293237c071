// Wakes a reader of the feed when there is something new to read.
import type { Cursor } from '@treadle/contracts/event'
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

/**
 * A notification is only a hint: it can be lost, and an event can be committed yet not safe to read. The embedded
 * database has one connection: there neither happens, and this is the net for what nobody has thought of.
 */
const POLL_MS = { server: 1_000, embedded: 5_000 }

export interface FeedWatch {
  /** The first call tells where the feed stands; it may be an empty alarm. */
  listen(onEvent: () => void): () => void
  close(): Promise<void>
}

interface Listener {
  readonly onEvent: () => void
  /** The end of the feed when it was last called. */
  told: Cursor | null | undefined
}

/** One look for all who listen; while nobody does there is none. */
export function openFeedWatch({ database, driver, channel, log }: FeedWorld): FeedWatch {
  const listeners = new Set<Listener>()
  let hinted = false
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    while (hinted && listeners.size > 0) {
      hinted = false
      const head = await feedHead(database)
      for (const listener of listeners) {
        if (listener.told === head) continue
        listener.told = head
        listener.onEvent()
      }
    }
  }
  const fail = (error: unknown): void => log(`the event feed could not be watched: ${messageOf(error)}`)
  const hint = (): void => {
    hinted = true
    looking ??= look()
      .catch(fail)
      .finally(() => {
        looking = null
        if (hinted && listeners.size > 0) hint()
      })
  }
  let opened: { readonly handle: Promise<ListenHandle>; readonly timer: NodeJS.Timeout } | null = null
  const open = () => {
    const handle = driver.listen(channel, hint, hint)
    handle.catch(fail)
    return { handle, timer: setInterval(hint, POLL_MS[driver.is]) }
  }
  return {
    listen: (onEvent) => {
      const listener: Listener = { onEvent, told: undefined }
      listeners.add(listener)
      opened ??= open()
      hint()
      return () => void listeners.delete(listener)
    },
    close: async () => {
      listeners.clear()
      if (opened === null) return
      clearInterval(opened.timer)
      await looking
      await opened.handle.then((handle) => handle.close()).catch(fail)
    },
  }
}
