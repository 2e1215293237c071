// Tells every daemon on the database that there are new events. Inside their transaction it would make all that
// commit at the same moment wait for each other: PostgreSQL lets one notifying transaction commit at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@treadle/flow/fault'
import type { Database } from './database.ts'

/** The first of many is told at once, the others together. */
const PAUSE_MS = 20

export interface EventNotifier {
  /** Once the transaction that it is called in has committed; what is lost with the process is found by polling. */
  notify(): void
  close(): Promise<void>
}

export function openEventNotifier(
  database: Database,
  channel: string,
  log: (message: string) => void,
): EventNotifier {
  const closed = new AbortController()
  let wanted = false
  let sending: Promise<void> | null = null
  const sendAll = async (): Promise<void> => {
    while (wanted) {
      wanted = false
      await database.execute(`select pg_notify($1, '')`, [channel])
      if (!closed.signal.aborted)
        await sleep(PAUSE_MS, undefined, { signal: closed.signal }).catch(() => undefined)
    }
  }
  const start = (): void => {
    wanted = true
    sending ??= sendAll()
      .catch((error: unknown) => log(`new events could not be told: ${messageOf(error)}`))
      .finally(() => {
        sending = null
        if (wanted) start()
      })
  }
  return {
    notify: () => database.afterCommit(start),
    close: async () => {
      closed.abort()
      await sending
    },
  }
}
