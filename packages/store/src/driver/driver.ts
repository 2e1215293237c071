// The two kinds of database, and what they have in common below the queries.
import type { ClientBase, Pool } from 'pg'
import { type ListenHandle, quoted } from './channels.ts'
import type { Holder } from './faults.ts'

/** `process_crash_only`: the disk does not confirm writes, so a power cut may lose the last ones. */
export type Durability = 'full' | 'process_crash_only' | 'server'

export interface Driver {
  readonly is: 'embedded' | 'server'
  readonly pool: Pool
  readonly durability: Durability
  listen(channel: string, heard: (payload: string) => void, again: () => void): Promise<ListenHandle>
  /** Writes down the holder, for a second daemon on the same directory; the server needs none. */
  setHolder(holder: Holder): void
  close(): Promise<void>
}

/** The same session everywhere, so that text forms agree between databases. */
export async function prepareSession(client: ClientBase, schema: string): Promise<void> {
  await client.query(
    `set search_path to ${quoted(schema)}; set timezone to 'UTC'; set datestyle to 'ISO, YMD';
     set idle_in_transaction_session_timeout to '120s'`,
  )
}
