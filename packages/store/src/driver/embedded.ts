// The database inside the daemon: PGlite in a thread, in a directory that this process alone may use.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { Channels } from './channels.ts'
import { lockDirectory } from './directory-lock.ts'
import { type Driver, type Durability, prepareSession } from './driver.ts'
import { moveTree } from './files.ts'
import { PgliteThread } from './pglite-thread.ts'

/** Data directories cannot be read by another major version, so each has its own. */
export const PG_MAJOR = 18
const DATA_DIR = `db-${PG_MAJOR}`

export interface EmbeddedOptions {
  /** The parent; the data, the lock and the exports are in it. */
  readonly dir: string
  readonly schema: string
  readonly workerUrl: URL
  /** Where compiled code is kept; without it the database is compiled at each start. */
  readonly compiled?: string
  readonly watchdogMs: number
  readonly log: (message: string) => void
  /** Puts a new database at the path. */
  readonly create: (path: string) => Promise<void>
}

export interface EmbeddedDriver extends Driver {
  readonly is: 'embedded'
  readonly thread: PgliteThread
  /** The directory was made now, though one of an older PostgreSQL is there. */
  readonly upgraded: boolean
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDriver> {
  const lock = lockDirectory(options.dir)
  try {
    const made = await makeDirectory(options)
    const opened = await openData(join(options.dir, DATA_DIR), options)
    const durability = await probe(opened)
    if (durability === 'process_crash_only')
      options.log('the disk does not confirm writes: a power cut may lose the last transactions')
    return {
      ...opened,
      durability,
      upgraded: made && hasOlder(options.dir),
      setHolder: (holder) => lock.setHolder(holder),
      close: async () => {
        await opened.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

type DataOptions = Pick<EmbeddedOptions, 'schema' | 'workerUrl' | 'compiled' | 'watchdogMs' | 'log'>
type OpenedData = Pick<EmbeddedDriver, 'is' | 'pool' | 'listen' | 'thread' | 'close'>

/** Without lock and template: for the one directory that the caller knows to be its own. */
export async function openData(path: string, options: DataOptions): Promise<OpenedData> {
  const { schema, workerUrl, compiled = null, watchdogMs, log } = options
  const thread = new PgliteThread({ dir: path, workerUrl, compiled, watchdogMs, log })
  await thread.start()
  const channels = new Channels()
  const pool = new Pool({
    user: 'postgres',
    database: 'postgres',
    password: '',
    max: 1,
    idleTimeoutMillis: 0,
    // A statement outside the open transaction, asked for inside it, would otherwise wait for ever.
    connectionTimeoutMillis: 60_000,
    stream: () => thread.stream(),
    onConnect: async (client) => {
      client.on('error', (error) => log(`database connection lost: ${error.message}`))
      await prepareSession(client, schema)
      await channels.attach(client)
    },
  })
  pool.on('error', (error) => log(`database connection lost: ${error.message}`))
  return {
    is: 'embedded',
    pool,
    thread,
    listen: (channel, heard, again) =>
      channels.listen(channel, { heard, again }, (statement) => pool.query(statement)),
    close: async () => {
      await pool.end()
      await thread.close()
    },
  }
}

async function makeDirectory({ dir, create }: EmbeddedOptions): Promise<boolean> {
  const path = join(dir, DATA_DIR)
  if (existsSync(path)) return false
  // A crash may have left a half-made one.
  const fresh = `${path}.new`
  rmSync(fresh, { recursive: true, force: true })
  await create(fresh)
  await moveTree(fresh, path)
  return true
}

function hasOlder(dir: string): boolean {
  return readdirSync(dir).some((name) => /^db-\d+$/.test(name) && name !== DATA_DIR)
}

/** A commit that makes no fsync call is not on the disk. */
async function probe({ pool, thread }: OpenedData): Promise<Durability> {
  const before = thread.syncs
  await pool.query(`select pg_logical_emit_message(true, 'treadle', 'probe')`)
  return thread.syncs > before ? 'full' : 'process_crash_only'
}
