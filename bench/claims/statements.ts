// The statements that a store sends, and the pool it sends them over, so that they can be sent again without it.
import pg from 'pg'

export interface Statement {
  readonly text: string
  readonly values: unknown[]
  /** A statement that the connection has prepared under this name. */
  readonly name?: string
}

type Query = (...given: unknown[]) => unknown

/** Notes every statement that goes over any connection while `use` runs. */
export async function recorded(use: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const original = pg.Client.prototype.query as unknown as Query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked, values] = given
    if (typeof asked === 'string')
      statements.push({ text: asked, values: Array.isArray(values) ? [...values] : [] })
    else statements.push({ ...(asked as Statement) })
    return original.apply(this, given)
  } as never
  try {
    await use()
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

/** All of them on one connection, one after the other, as they were sent. */
export async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    for (const statement of statements)
      await (statement.values.length === 0 ? client.query(statement.text) : client.query(statement))
  } finally {
    client.release()
  }
}
