// Tells every daemon on the database that there are new events. Inside their transaction it would make all that
// commit at the same moment wait for each other: PostgreSQL lets one notifying transaction commit at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@treadle/flow/fault'
import type { Database } from './database.ts'

/** The first of many is told at once, the others together. */
const PAUSE_MS = 20

export interface Bell {
  /** Once the transaction that it is called in has committed; what is lost with the process is found by polling. */
  ring(): void
  close(): Promise<void>
}

export function hangBell(database: Database, channel: string, log: (message: string) => void): Bell {
  const closed = new AbortController()
  let wanted = false
  let ringing: Promise<void> | null = null
  const ringOut = async (): Promise<void> => {
    while (wanted) {
      wanted = false
      await database.execute(`select pg_notify($1, '')`, [channel])
      if (!closed.signal.aborted)
        await sleep(PAUSE_MS, undefined, { signal: closed.signal }).catch(() => undefined)
    }
  }
  const start = (): void => {
    wanted = true
    ringing ??= ringOut()
      .catch((error: unknown) => log(`new events could not be told: ${messageOf(error)}`))
      .finally(() => {
        ringing = null
        if (wanted) start()
      })
  }
  return {
    ring: () => database.afterCommit(start),
    close: async () => {
      closed.abort()
      await ringing
    },
  }
}
