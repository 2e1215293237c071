// The statements that a store sends, and the pool it sends them over, so that they can be sent again without it.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

export interface Statement {
  readonly text: string
  readonly values: unknown[]
  /** A statement that the connection has prepared under this name. */
  readonly name?: string
  /** Which value is the row's version that the statement before has returned; it differs between databases. */
  readonly versionAt?: number
}

type Query = (...given: unknown[]) => unknown

function askedOf([asked, values]: unknown[]): Statement {
  if (typeof asked === 'string') return { text: asked, values: Array.isArray(values) ? [...values] : [] }
  const { text, values: bound = [], name } = asked as { text: string; values?: unknown[]; name?: string }
  return { text, values: [...bound], ...(name === undefined ? {} : { name }) }
}

/** Notes every statement that `use` sends, over whichever connection; not what others send meanwhile. */
export async function recorded(use: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const inside = new AsyncLocalStorage<true>()
  let version: unknown
  const original = pg.Client.prototype.query as unknown as Query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    if (inside.getStore() === undefined) return original.apply(this, given)
    const asked = askedOf(given)
    // The bell is rung once for many claims, beside them; so the raw ones are spared it.
    // The embedded store's maintenance now and then falls into somebody's turn.
    if (/pg_notify|pg_current_wal_lsn/.test(asked.text)) return original.apply(this, given)
    const versionAt = version === undefined ? -1 : asked.values.indexOf(version)
    statements.push(versionAt < 0 ? asked : { ...asked, versionAt })
    const answer = original.apply(this, given)
    if (answer instanceof Promise) void answer.then((result) => (version = versionIn(result)), Boolean)
    return answer
  } as never
  try {
    await inside.run(true, use)
    return statements
  } finally {
    pg.Client.prototype.query = original as never
  }
}

/** The pool over which `use` asks. */
export async function poolOf(use: () => Promise<unknown>): Promise<pg.Pool> {
  let found: pg.Pool | null = null
  const original = pg.Pool.prototype.connect as unknown as Query
  pg.Pool.prototype.connect = function (this: pg.Pool, ...given: unknown[]) {
    found ??= this
    return original.apply(this, given)
  } as never
  try {
    await use()
  } finally {
    pg.Pool.prototype.connect = original as never
  }
  if (found === null) throw new Error('nobody asked for a connection')
  return found
}

/** All of them on one connection, one after the other, as they were sent; the last one must find its row. */
export async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    let result: pg.QueryResult | null = null
    for (const { versionAt, ...statement } of statements) {
      const values = [...statement.values]
      if (versionAt !== undefined) values[versionAt] = versionIn(result)
      result = await (values.length === 0
        ? client.query(statement.text)
        : client.query({ ...statement, values }))
    }
    if (result?.rowCount !== 1) throw new Error('the replay took nothing')
  } finally {
    client.release()
  }
}

/** Several statements at once have several results, and no version. */
function versionIn(result: unknown): unknown {
  return (result as { rows?: { version?: unknown }[] } | null)?.rows?.[0]?.version
}
