// One way to the database for everything above it: whatever runs inside tx() is part of that transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Fault } from '@treadle/flow/fault'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { asFault, unreachable } from './faults.ts'
import type { NoTables, Rows, Tables } from './tables.ts'

interface Transaction {
  readonly client: PoolClient
  /** After `ended` work that was started inside and not awaited uses the pool; after `expired` it may not. */
  state: 'open' | 'ended' | 'expired'
  /** Settles when the statement before has finished: one connection runs one statement at a time. */
  turn: Promise<void>
  /** Each is called once when it has committed. */
  readonly after: Set<() => void>
}

/** Asks in types: the tables that whoever has it may name. */
export type Sql<T extends Tables = NoTables> = Kysely<Rows<T>>

export interface Database<T extends Tables = NoTables> {
  readonly sql: Sql<T>
  tx<T>(use: () => Promise<T>): Promise<T>
  /** Calls when the transaction has committed, and never if it does not; outside of one, at once. */
  afterCommit(act: () => void): void
  /** Raw text for pg-boss; may hold several statements if there are no values. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface DatabaseOptions {
  readonly pool: Pool
  /** A transaction that takes longer is rolled back: on one connection it would hold up everybody. */
  readonly txMs: number
}

/** The caller says which tables are there. */
export function openDatabase<T extends Tables = NoTables>({ pool, txMs }: DatabaseOptions): Database<T> {
  const current = new AsyncLocalStorage<Transaction>()
  const connect = async (): Promise<PostgresPoolClient> => {
    const open = current.getStore()
    if (open?.state === 'expired') throw expired(txMs)
    const inside = open === undefined ? null : await joined(open)
    return inside ?? pooled(await takeClient(pool))
  }
  const joining: PostgresPool = { connect, end: () => Promise.resolve(), options: {} }
  const sql = new Kysely<Rows<T>>({ dialect: new PostgresDialect({ pool: joining }) })

  const tx = async <T>(use: () => Promise<T>): Promise<T> => {
    const open = current.getStore()
    if (open?.state === 'open') return use()
    if (open?.state === 'expired') throw expired(txMs)
    return runTransaction({ client: await takeClient(pool), txMs }, (started) => current.run(started, use))
  }

  const afterCommit = (act: () => void): void => {
    const open = current.getStore()
    if (open?.state === 'open') open.after.add(act)
    else act()
  }

  const execute = async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> => {
    const open = current.getStore()
    if (open?.state === 'expired') throw expired(txMs)
    const inside = open === undefined ? null : await joined(open)
    if (inside === null) return askAlone(pool, text, values)
    try {
      return (await inside.query(text, values)) as { rows: unknown[] }
    } finally {
      inside.release()
    }
  }
  return { sql, tx, afterCommit, execute }
}

export async function takeClient(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unreachable(error)
  }
}

/** Outside of a transaction. */
async function askAlone(pool: Pool, text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
  const client = await takeClient(pool)
  let broken = false
  try {
    return await ask(client, text, values)
  } catch (error) {
    broken = error instanceof Fault
    // A block with its own BEGIN leaves the connection inside the failed transaction.
    await ask(client, 'rollback', []).catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function ask(client: PoolClient, text: string, values: readonly unknown[]): Promise<never> {
  try {
    // No values means the simple protocol, which alone takes several statements.
    if (values.length === 0) return (await client.query(text)) as never
    const name = nameOf(client, text)
    const asked = { text, values: values as unknown[] }
    return (await client.query(name === null ? asked : { ...asked, name })) as never
  } catch (error) {
    // A plan that a change of the schema has outdated: this connection plans anew from now on.
    if ((error as { code?: unknown }).code === '0A000') plain.add(client)
    throw asFault(error)
  }
}

/** Statements sent this often on one connection are parsed and planned once for all later times. */
const PREPARE_AFTER = 5
const PREPARED_MAX = 100
const sent = new WeakMap<PoolClient, Map<string, number>>()
const plain = new WeakSet<PoolClient>()
const names = new Map<string, string>()

function nameOf(client: PoolClient, text: string): string | null {
  const counts = sent.get(client) ?? new Map<string, number>()
  sent.set(client, counts)
  const times = counts.get(text) ?? 0
  if (plain.has(client) || (times === 0 && counts.size >= PREPARED_MAX)) return null
  counts.set(text, times + 1)
  if (times < PREPARE_AFTER) return null
  const name = names.get(text) ?? `treadle_${names.size + 1}`
  names.set(text, name)
  return name
}

/** Kysely's interface has a second form, for cursors; we use none. */
function queryWith(run: (text: string, values: readonly unknown[]) => Promise<never>) {
  return run as unknown as PostgresPoolClient['query']
}

function pooled(client: PoolClient): PostgresPoolClient {
  let broken = false
  return {
    query: queryWith(async (text, values) => {
      try {
        return await ask(client, text, values)
      } catch (error) {
        broken = error instanceof Fault
        throw error
      }
    }),
    release: () => client.release(broken),
  }
}

/** The client of a transaction; null if it has ended: whatever was started inside and outlives it is on its own. */
async function joined(open: Transaction): Promise<PostgresPoolClient | null> {
  const before = open.turn
  const { promise, resolve } = Promise.withResolvers<void>()
  open.turn = promise
  await before
  if (open.state === 'ended') {
    resolve()
    return null
  }
  return {
    query: queryWith((text, values) => ask(open.client, text, values)),
    release: () => resolve(),
  }
}

function expired(txMs: number): Fault {
  return new Fault(
    'store_transaction_expired',
    `a transaction took longer than ${txMs} ms and was rolled back`,
  )
}

async function runTransaction<T>(
  { client, txMs }: { client: PoolClient; txMs: number },
  use: (started: Transaction) => Promise<T>,
): Promise<T> {
  const started: Transaction = { client, state: 'open', turn: Promise.resolve(), after: new Set() }
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    started.state = 'expired'
    timeout.reject(expired(txMs))
  }, txMs)
  let broken: unknown
  try {
    await ask(client, 'begin isolation level read committed', [])
    const result = await Promise.race([use(started), timeout.promise])
    started.state = 'ended'
    await started.turn
    const { command }: { command: string } = await ask(client, 'commit', [])
    // A statement failed and its error was swallowed: the server rolls back, and says so only in the tag.
    if (command === 'ROLLBACK')
      throw new Fault('store_transaction_aborted', 'a statement failed, so nothing was committed')
    for (const act of started.after) act()
    return result
  } catch (error) {
    if (started.state === 'open') started.state = 'ended'
    if (started.state === 'expired') broken = error
    else
      await started.turn
        .then(() => ask(client, 'rollback', []))
        .catch((failure: unknown) => {
          broken = failure
        })
    throw error
  } finally {
    clearTimeout(timer)
    client.release(broken !== undefined)
  }
}
