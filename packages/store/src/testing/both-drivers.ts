// Opens the store for a test on either database: a fresh directory, or a fresh schema on the server.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NewItem } from '@treadle/contracts/item'
// biome-ignore lint/correctness/noUndeclaredDependencies: only tests import this file
import { needPostgres } from '@treadle/requirements/need-postgres'
import { Pool } from 'pg'
// biome-ignore lint/correctness/noUndeclaredDependencies: only tests import this file
import { afterAll, type TestContext } from 'vitest'
import { type OpenStore, openStore, type StoreOptions, type StoreTarget } from '../connect.ts'
import { TEMPLATES } from './templates.ts'

export const DRIVERS = ['embedded', 'server'] as const
export type DriverName = (typeof DRIVERS)[number]

export interface TestDatabase {
  readonly target: StoreTarget
  readonly schema: string
}

/** Places that are removed when the file's tests are over. */
export function useTestDatabases(driver: DriverName): (context: TestContext) => TestDatabase {
  const ends: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return (context) => {
    if (driver === 'embedded') {
      const dir = temporaryDir()
      ends.push(async () => rmSync(dir, { recursive: true, force: true }))
      return { target: { is: 'embedded', dir }, schema: 'treadle' }
    }
    const url = needPostgres(context)
    const schema = `t_${randomBytes(6).toString('hex')}`
    ends.push(() => dropSchema(url, schema))
    return { target: { is: 'server', url }, schema }
  }
}

/** One store for all tests of the file that ask for it; it is opened by the first. */
export function useStore(
  driver: DriverName,
  options: Partial<StoreOptions> = {},
): (context: TestContext) => Promise<OpenStore> {
  let opened: Promise<OpenStore> | undefined
  const place = useTestDatabases(driver)
  afterAll(async () => (await opened)?.close())
  return (context) => {
    opened ??= openAt(place(context), options)
    return opened
  }
}

export function openAt(
  { target, schema }: TestDatabase,
  options: Partial<StoreOptions> = {},
): Promise<OpenStore> {
  return openStore(target, { now: () => new Date(), schema, templateDir: TEMPLATES, ...options })
}

export function temporaryDir(): string {
  return mkdtempSync(join(tmpdir(), 'treadle-store-'))
}

async function dropSchema(url: string, schema: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 })
  await pool.query(`drop schema if exists ${schema} cascade`)
  await pool.query(`drop schema if exists ${schema}_jobs cascade`)
  await pool.end()
}

let lastProject = 0

/** A project of its own for a test that shares its store with others. */
export function newProject(): number {
  lastProject += 1
  return lastProject
}

export function newItem(given: Partial<NewItem> & { title?: string } = {}): NewItem {
  return NewItem.parse({ title: 'an item', ...given })
}

/** Waits for something that another process or a timer brings about. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  ms: number,
): Promise<T> {
  const until = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error(`not within ${ms} ms`)
    await new Promise((done) => setTimeout(done, 25))
  }
}
