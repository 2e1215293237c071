// A PostgreSQL server, which several daemons may share.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@treadle/flow/fault'
import { Client, Pool } from 'pg'
import { Channels } from './channels.ts'
import { type Driver, prepareSession } from './driver.ts'

export interface ServerOptions {
  readonly url: string
  readonly schema: string
  readonly log: (message: string) => void
}

const RECONNECT_MS = 1_000
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export function openServer({ url, schema, log }: ServerOptions): Driver {
  const pool = new Pool({
    connectionString: url,
    application_name: 'treadle',
    max: 10,
    connectionTimeoutMillis: 60_000,
    ...KEEP_ALIVE,
    onConnect: async (client) => {
      // Without a listener a connection that breaks while in use would end the process.
      client.on('error', (error) => log(`database connection lost: ${error.message}`))
      await prepareSession(client, schema)
    },
  })
  pool.on('error', (error) => log(`idle database connection lost: ${error.message}`))
  const line = new ListeningLine(url, log)
  return {
    is: 'server',
    pool,
    durability: 'server',
    listen: (channel, heard, again) => line.listen(channel, { heard, again }),
    setHolder: () => undefined,
    close: async () => {
      await line.close()
      await pool.end()
    },
  }
}

/** The one connection that waits for notifications; made when first needed, made again when lost. */
class ListeningLine {
  readonly #url: string
  readonly #log: (message: string) => void
  readonly #channels = new Channels()
  readonly #closing = new AbortController()
  #client: Client | null = null
  #connecting: Promise<void> | null = null

  constructor(url: string, log: (message: string) => void) {
    this.#url = url
    this.#log = log
  }

  async listen(channel: string, listener: { heard(payload: string): void; again(): void }) {
    this.#connecting ??= this.#connect().catch((error: unknown) => {
      this.#log(messageOf(error))
      void this.#reconnect()
    })
    await this.#connecting
    return this.#channels.listen(channel, listener, async (statement) => this.#client?.query(statement))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const client = this.#client
    this.#client = null
    await client?.end().catch((error: unknown) => this.#log(messageOf(error)))
  }

  async #connect(): Promise<void> {
    const client = new Client({ connectionString: this.#url, application_name: 'treadle', ...KEEP_ALIVE })
    client.on('error', (error) => this.#log(`listening connection lost: ${error.message}`))
    await client.connect()
    client.on('end', () => {
      if (this.#client === client) void this.#reconnect()
    })
    await this.#channels.attach(client)
    this.#client = client
  }

  async #reconnect(): Promise<void> {
    this.#client = null
    while (!this.#closing.signal.aborted && this.#client === null) {
      await sleep(RECONNECT_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      if (this.#closing.signal.aborted) return
      await this.#connect().catch((error: unknown) => this.#log(messageOf(error)))
    }
  }
}
