// Opens the store: the embedded database by default, a PostgreSQL server by its URL. Above this nobody can tell.
import { join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import type { Store } from '@treadle/flow/ports/store'
import { quoted } from './driver/channels.ts'
import { type Database, openDatabase, takeClient } from './driver/database.ts'
import type { Driver, Durability } from './driver/driver.ts'
import { type EmbeddedDriver, openData, openEmbedded } from './driver/embedded.ts'
import { openEventNotifier } from './driver/event-notifier.ts'
import type { Holder } from './driver/faults.ts'
import { keepCompiled } from './driver/keep-compiled.ts'
import { type Maintenance, newestExport, startMaintenance } from './driver/maintenance.ts'
import { openServer } from './driver/server.ts'
import { compiledPath, createFromTemplate, defaultTemplateDir, templatePath } from './driver/template.ts'
import { exportRows, importRows, readRows, type TextRow, writeRows } from './driver/transfer.ts'
import { historyHash, migrate } from './migrations/migrate.ts'
import { MODULES } from './modules.ts'
import { openFeedWatch } from './nouns/events/feed-watch.ts'
import { type Hint, listenToHints } from './nouns/items/queue-hints.ts'
import { type JobRuns, type OnDead, type OpenJobs, openJobs } from './nouns/jobs/jobs.ts'
import type { QueueOptions } from './nouns/jobs/queue.ts'
import {
  migrationsOf,
  type StoreModule,
  type StoreOf,
  type StoreParts,
  transferPlanOf,
} from './nouns/module.ts'
import type { StoreWorkspace } from './nouns/workspace-scope.ts'

export type StoreTarget =
  | { readonly is: 'embedded'; readonly dir: string }
  | { readonly is: 'server'; readonly url: string }

export interface StoreOptions {
  readonly now: () => Date
  readonly log?: (message: string) => void
  /** The schema of the tables; jobs are in `<schema>_jobs`. */
  readonly schema?: string
  readonly templateDir?: string
  /** The database is compiled ahead for the next start, if nobody has done that yet. */
  readonly compilesAhead?: boolean
  /** The file that runs PGlite, if it is not beside this one. */
  readonly workerUrl?: URL
  readonly watchdogMs?: number
  readonly txMs?: number
  readonly maintenanceMs?: number
  readonly queue?: Partial<QueueOptions>
  /** Whose ideas, thoughts and specifications these are; the only one's there is unless told. */
  readonly workspace?: StoreWorkspace
}

interface StoreHealth {
  readonly driver: Driver['is']
  readonly ok: boolean
  readonly durability: Durability
}

/** The store: the nouns of the list, and what it can do as a whole. */
export type OpenStore<Modules extends readonly StoreModule[] = typeof MODULES> = StoreOf<Modules> & WholeStore

interface WholeStore extends Pick<Store, 'tx' | 'jobs'> {
  readonly driver: Driver['is']
  health(): Promise<StoreHealth>
  /** Writes down who has the directory, for a daemon that is refused it. */
  setHolder(holder: Holder): void
  startJobs(runs: JobRuns, onDead: OnDead): Promise<void>
  stopJobs(graceMs?: number): Promise<void>
  /** Called when events() has something new; never while it has not. */
  listen(onEvent: () => void): () => void
  /** Called when an item comes free or what is wanted of an agent changes, by whichever daemon. */
  listenToHints(onHint: (hint: Hint) => void): () => void
  exportTo(file: string): Promise<void>
  /** Imports rows; as copyTo(), it wants the receiving database empty. */
  importFrom(file: string): Promise<number>
  copyTo(other: Pick<WholeStore, 'receive'>): Promise<number>
  receive(rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<number>
  close(): Promise<void>
}

type Settled = Required<StoreOptions> & { readonly modules: readonly StoreModule[] }

export function openStore(target: StoreTarget, options: StoreOptions): Promise<OpenStore> {
  return openStoreOf(MODULES, target, options)
}

/** A store of other nouns than the product's own. */
export async function openStoreOf<const Modules extends readonly StoreModule[]>(
  modules: Modules,
  target: StoreTarget,
  given: StoreOptions,
): Promise<OpenStore<Modules>> {
  const options = { ...withDefaults(given), modules }
  const driver =
    target.is === 'embedded' ? await openDirectory(target.dir, options) : openAt(target.url, options)
  const closing: (() => Promise<void>)[] = [() => driver.close()]
  try {
    const opened = await prepare(driver, options)
    closing.push(() => opened.jobs.close())
    if (target.is === 'embedded') {
      const maintenance = await maintain(target.dir, driver as EmbeddedDriver, options)
      closing.push(() => maintenance.stop())
      if (options.compilesAhead) closing.push(compileAhead(options))
    }
    const whole = assemble({ ...opened, driver, options, closing })
    return { ...createNouns(modules, whole.parts), ...whole.store }
  } catch (error) {
    await closeAll(closing, options.log)
    throw error
  }
}

function withDefaults(given: StoreOptions): Required<StoreOptions> {
  return {
    log: () => undefined,
    schema: 'treadle',
    templateDir: defaultTemplateDir(),
    compilesAhead: false,
    workerUrl: new URL('./driver/pglite-worker.ts', import.meta.url),
    watchdogMs: 30_000,
    txMs: 60_000,
    maintenanceMs: 10_000,
    queue: {},
    workspace: { id: '', shared: false },
    ...given,
  }
}

/** In the background; ends with the store. */
function compileAhead({ templateDir, schema, modules, log }: Settled): () => Promise<void> {
  const closing = new AbortController()
  const program = new URL('./driver/compile-wasm.ts', import.meta.url)
  const history = historyHash(migrationsOf(modules))
  const template = templatePath({ templateDir, schema, history })
  const done = keepCompiled({ dir: templateDir, template, program, log, signal: closing.signal })
  return async () => {
    closing.abort()
    await done
  }
}

function openAt(url: string, { schema, log }: Settled): Driver {
  return openServer({ url, schema, log })
}

function openDirectory(dir: string, options: Settled): Promise<EmbeddedDriver> {
  const { templateDir, schema, log } = options
  const history = historyHash(migrationsOf(options.modules))
  const compiled = compiledPath(templateDir)
  const make = async (path: string): Promise<void> => {
    const data = await openData(path, { ...options, compiled })
    const driver: Driver = { ...data, durability: 'full', setHolder: () => undefined }
    try {
      const { jobs } = await prepare(driver, options)
      await jobs.close()
      await driver.pool.query('checkpoint')
    } finally {
      await driver.close()
    }
  }
  return openEmbedded({
    dir,
    ...options,
    compiled,
    create: (path) => createFromTemplate({ templateDir, schema, history, log, make }, path),
  })
}

interface Prepared {
  readonly database: Database
  readonly jobs: OpenJobs
}

async function prepare(driver: Driver, options: Settled): Promise<Prepared> {
  const { modules, schema, txMs, queue, log } = options
  const database = openDatabase({ pool: driver.pool, txMs })
  return alone(driver, schema, async () => {
    await database.execute(`create schema if not exists ${quoted(schema)}`)
    await migrate(database.sql, { schema, migrations: migrationsOf(modules) })
    await ready(modules, database)
    const jobs = await openJobs({ database, driver, jobsSchema: `${schema}_jobs`, queue, log })
    return { database, jobs }
  })
}

async function ready(modules: readonly StoreModule[], database: Database): Promise<void> {
  for (const module of modules) await module.ready?.(database)
}

/** Daemons that start at the same time on one server bring it up to date one after the other. */
async function alone<T>(driver: Driver, schema: string, use: () => Promise<T>): Promise<T> {
  if (driver.is === 'embedded') return use()
  const client = await takeClient(driver.pool)
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [`treadle ${schema}`])
    return await use()
  } finally {
    // Ends the session, and with it the lock.
    client.release(true)
  }
}

async function maintain(dir: string, driver: EmbeddedDriver, options: Settled): Promise<Maintenance> {
  const { modules, now, log, schema, maintenanceMs } = options
  const plan = transferPlanOf(modules)
  const exportsDir = join(dir, 'exports')
  const newest = driver.upgraded ? newestExport(exportsDir) : null
  if (newest !== null) {
    const rows = await importRows(driver.pool, plan, newest)
    await ready(modules, openDatabase({ pool: driver.pool, txMs: options.txMs }))
    log(`the database is of an older version; ${rows} rows were taken over from ${newest}`)
  }
  return startMaintenance({
    pool: driver.pool,
    plan,
    exportsDir,
    schemas: [schema, `${schema}_jobs`],
    now,
    everyMs: maintenanceMs,
    log,
  })
}

interface Parts extends Prepared {
  readonly driver: Driver
  readonly options: Settled
  readonly closing: (() => Promise<void>)[]
}

interface Assembled {
  readonly parts: StoreParts
  readonly store: WholeStore
}

function assemble({ database, jobs, driver, options, closing }: Parts): Assembled {
  const { modules, schema, log, workspace } = options
  const channel = `${schema}_events`
  const hints = `${schema}_hints`
  const notifier = openEventNotifier(database, channel, log)
  closing.push(() => notifier.close())
  const feedWatch = openFeedWatch({ database, driver, channel, log })
  closing.push(() => feedWatch.close())
  const plan = transferPlanOf(modules)
  const received = async (rows: Promise<number>): Promise<number> => {
    const count = await rows
    await ready(modules, database)
    return count
  }
  let closed: Promise<void> | undefined
  const store: WholeStore = {
    tx: database.tx,
    jobs: { send: jobs.send, sendIfLost: jobs.sendIfLost },
    driver: driver.is,
    health: async () => ({ driver: driver.is, ok: await answers(database), durability: driver.durability }),
    setHolder: driver.setHolder,
    startJobs: jobs.start,
    stopJobs: jobs.stop,
    listen: (onEvent) => feedWatch.listen(onEvent),
    listenToHints: (onHint) => {
      const close = listenToHints({ driver, channel: hints, log }, onHint)
      closing.push(close)
      return () => void close()
    },
    exportTo: (file) => exportRows(driver.pool, plan, file),
    importFrom: (file) => received(importRows(driver.pool, plan, file)),
    copyTo: (other) => other.receive(readRows(driver.pool, plan)),
    receive: (rows) => received(writeRows(driver.pool, plan, rows)),
    close: () => {
      closed ??= closeAll(closing, log)
      return closed
    },
  }
  return { parts: { database, schema, notifier, hints, workspace }, store }
}

function createNouns<Modules extends readonly StoreModule[]>(
  modules: Modules,
  parts: StoreParts,
): StoreOf<Modules> {
  const nouns = modules.map((module) => [module.name, module.create(parts)])
  return Object.fromEntries(nouns) as StoreOf<Modules>
}

async function answers(database: Database): Promise<boolean> {
  try {
    await database.execute('select 1')
    return true
  } catch {
    return false
  }
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closing: (() => Promise<void>)[], log: (message: string) => void): Promise<void> {
  for (const close of closing.splice(0).reverse())
    await close().catch((error: unknown) => log(`closing the store: ${messageOf(error)}`))
}
