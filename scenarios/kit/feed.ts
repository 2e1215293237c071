// What the log of events tells, asked until it is what a test expects.
import type { Client } from '@treadle/contracts/client'
import type { EventType, TreadleEvent } from '@treadle/contracts/event'
import { expect } from 'vitest'

interface Wanted {
  readonly type?: EventType
  /** Which of them; all, unless said. */
  readonly of?: (event: TreadleEvent) => boolean
}

/** Asked again and again: the feed holds events back while others on the same server are still committing. */
export function expectTold(client: Client, { type, of = () => true }: Wanted) {
  const query = type === undefined ? { limit: 1_000 } : { type, limit: 1_000 }
  const told = async () => (await client.events({ query })).items.map(({ event }) => event).filter(of)
  return expect.poll(told, { timeout: 60_000, interval: 100 })
}
