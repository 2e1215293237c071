// Puts the database of an earlier version where the store of this one will open it.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Pool } from 'pg'
// biome-ignore lint/correctness/noUndeclaredDependencies: only tests import this file
import { afterAll } from 'vitest'
import { openAt, type TestDatabase, temporaryDir } from './both-drivers.ts'
import { withPool } from './pool.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))

export function fixtureText(name: string): string {
  return gunzipSync(readFileSync(join(FIXTURES, name))).toString('utf8')
}

/**
 * Loads dumps for the tests of a file. Into the embedded database each is read once: to copy a directory is a fraction of
 * the work, and the tests after the first begin with exactly what that one began with.
 */
export function useDumps(): (place: TestDatabase, name: string) => Promise<void> {
  const loaded = new Map<string, Promise<string>>()
  afterAll(async () => {
    for (const dir of loaded.values()) rmSync(await dir, { recursive: true, force: true })
  })
  return async (place, name) => {
    if (place.target.is === 'server') return loadDump(place, name)
    const dir = loaded.get(name) ?? loadedDir(name, place.schema)
    loaded.set(name, dir)
    cpSync(await dir, place.target.dir, { recursive: true })
  }
}

async function loadedDir(name: string, schema: string): Promise<string> {
  const dir = temporaryDir()
  await loadDump({ target: { is: 'embedded', dir }, schema }, name)
  return dir
}

/** Its moments are moved, so that what was going on then is going on now. */
export async function loadDump(place: TestDatabase, name: string, now = new Date()): Promise<void> {
  const text = fixtureText(`${name}.sql.gz`)
  // A copy of a database that is there is sooner made than one from nothing; what is in it goes.
  if (place.target.is === 'embedded') await (await openAt(place)).close()
  await withPool(place, async (pool) => {
    for (const schema of [place.schema, `${place.schema}_jobs`])
      await pool.query(`drop schema if exists "${schema}" cascade`)
    await pool.query(`create schema "${place.schema}"`)
    await pool.query(text)
    const madeAt = Date.parse(/^-- (\S+)\n/.exec(text)?.[1] ?? '')
    await moveMoments(pool, place.schema, now.getTime() - madeAt)
  })
}

async function moveMoments(pool: Pool, schema: string, byMs: number): Promise<void> {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = $1 and data_type = 'timestamp with time zone' group by table_name`,
    [schema],
  )
  for (const { table, columns } of rows) {
    const moved = columns.map((column) => `"${column}" = "${column}" + $1::interval`)
    await pool.query(`update "${table}" set ${moved.join(', ')}`, [`${byMs} milliseconds`])
  }
}
