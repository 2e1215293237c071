// Opens the store: the embedded database by default, a PostgreSQL server by its URL. Above this nobody can tell.
import { join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import type { Store } from '@treadle/flow/ports'
import { createAgents } from './agents.ts'
import { hangBell } from './bell.ts'
import { quoted } from './channels.ts'
import { createClaims } from './claims.ts'
import { createConflicts } from './conflicts.ts'
import { type Database, openDatabase, takeClient } from './database.ts'
import type { Driver, Durability } from './driver.ts'
import { type EmbeddedDriver, openData, openEmbedded } from './embedded.ts'
import { createEvents } from './events.ts'
import type { Holder } from './faults.ts'
import { watchFeed } from './feed-watch.ts'
import { createImprovementMetrics } from './improvement-metrics.ts'
import { createItems } from './items.ts'
import { type JobRuns, type OnDead, type OpenJobs, openJobs } from './jobs.ts'
import { keepCompiled } from './keep-compiled.ts'
import { createLedger } from './ledger.ts'
import { createLessonUses } from './lesson-uses.ts'
import { createLessons } from './lessons.ts'
import { createMetrics } from './metrics.ts'
import { anchorFeed, migrate } from './migrations.ts'
import { createNotifications } from './notifications.ts'
import { createPreferences } from './preferences.ts'
import { createPromotions } from './promotions.ts'
import { createQuestions } from './questions.ts'
import type { QueueOptions } from './queue.ts'
import { type Hint, listenToHints } from './queue-hints.ts'
import { createRetrospectives } from './retrospectives.ts'
import { createReviews } from './reviews.ts'
import { createRuns } from './runs.ts'
import { openServer } from './server.ts'
import { createSigns } from './signs.ts'
import { compiledPath, createFromTemplate, defaultTemplateDir, templatePath } from './template.ts'
import { exportRows, importRows, readRows, type TextRow, writeRows } from './transfer.ts'
import { newestExport, startUpkeep, type Upkeep } from './upkeep.ts'

export type StoreTarget =
  | { readonly is: 'embedded'; readonly dir: string }
  | { readonly is: 'server'; readonly url: string }

export interface StoreOptions {
  readonly now: () => Date
  readonly log?: (message: string) => void
  /** Of the tables; jobs are in `<schema>_jobs`. */
  readonly schema?: string
  readonly templateDir?: string
  /** The database is compiled ahead for the next start, if nobody has done that yet. */
  readonly compilesAhead?: boolean
  /** The file that runs PGlite, if it is not beside this one. */
  readonly workerUrl?: URL
  readonly watchdogMs?: number
  readonly txMs?: number
  readonly upkeepMs?: number
  readonly queue?: Partial<QueueOptions>
}

interface StoreHealth {
  readonly driver: Driver['is']
  readonly ok: boolean
  readonly durability: Durability
}

export interface OpenStore extends Store {
  readonly driver: Driver['is']
  health(): Promise<StoreHealth>
  /** What a daemon that is refused the directory gets to read. */
  setHolder(holder: Holder): void
  startJobs(runs: JobRuns, onDead: OnDead): Promise<void>
  stopJobs(graceMs?: number): Promise<void>
  /** Called when events() has something new; never while it has not. */
  listen(onEvent: () => void): () => void
  /** Called when an item comes free or what is wanted of an agent changes, by whichever daemon. */
  listenToHints(onHint: (hint: Hint) => void): () => void
  exportTo(file: string): Promise<void>
  /** Both want the receiving database empty. */
  importFrom(file: string): Promise<number>
  copyTo(other: OpenStore): Promise<number>
  receive(rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<number>
  close(): Promise<void>
}

type Settled = Required<StoreOptions>

export async function openStore(target: StoreTarget, given: StoreOptions): Promise<OpenStore> {
  const options = withDefaults(given)
  const driver =
    target.is === 'embedded' ? await openDirectory(target.dir, options) : openAt(target.url, options)
  const closing: (() => Promise<void>)[] = [() => driver.close()]
  try {
    const opened = await prepare(driver, options)
    closing.push(() => opened.jobs.close())
    if (target.is === 'embedded') {
      const upkeep = await keepUp(target.dir, driver as EmbeddedDriver, options)
      closing.push(() => upkeep.stop())
      if (options.compilesAhead) closing.push(compileAhead(options))
    }
    return assemble({ ...opened, driver, options, closing })
  } catch (error) {
    await closeAll(closing, options.log)
    throw error
  }
}

function withDefaults(given: StoreOptions): Settled {
  const worker = import.meta.url.endsWith('.ts') ? './pglite-worker.ts' : './pglite-worker.js'
  return {
    log: () => undefined,
    schema: 'treadle',
    templateDir: defaultTemplateDir(),
    compilesAhead: false,
    workerUrl: new URL(worker, import.meta.url),
    watchdogMs: 30_000,
    txMs: 60_000,
    upkeepMs: 10_000,
    queue: {},
    ...given,
  }
}

/** In the background; ends with the store. */
function compileAhead({ templateDir, schema, log }: Settled): () => Promise<void> {
  const closing = new AbortController()
  const file = import.meta.url.endsWith('.ts') ? './compile-wasm.ts' : './compile-wasm.js'
  const program = new URL(file, import.meta.url)
  const template = templatePath({ templateDir, schema })
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
    create: (path) => createFromTemplate({ templateDir, schema, log, make }, path),
  })
}

interface Prepared {
  readonly database: Database
  readonly jobs: OpenJobs
}

async function prepare(driver: Driver, { schema, txMs, queue, log }: Settled): Promise<Prepared> {
  const database = openDatabase({ pool: driver.pool, txMs })
  return alone(driver, schema, async () => {
    await database.execute(`create schema if not exists ${quoted(schema)}`)
    await migrate(database.sql, schema)
    const jobs = await openJobs({ database, driver, jobsSchema: `${schema}_jobs`, queue, log })
    return { database, jobs }
  })
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

async function keepUp(dir: string, driver: EmbeddedDriver, options: Settled): Promise<Upkeep> {
  const { now, log, schema, upkeepMs } = options
  const exportsDir = join(dir, 'exports')
  const newest = driver.upgraded ? newestExport(exportsDir) : null
  if (newest !== null) {
    const rows = await importRows(driver.pool, newest)
    await anchorFeed(openDatabase({ pool: driver.pool, txMs: options.txMs }).sql)
    log(`the database is of an older version; ${rows} rows were taken over from ${newest}`)
  }
  return startUpkeep({
    pool: driver.pool,
    exportsDir,
    schemas: [schema, `${schema}_jobs`],
    now,
    everyMs: upkeepMs,
    log,
  })
}

interface Parts extends Prepared {
  readonly driver: Driver
  readonly options: Settled
  readonly closing: (() => Promise<void>)[]
}

function assemble({ database, jobs, driver, options, closing }: Parts): OpenStore {
  const { schema, log } = options
  const channel = `${schema}_events`
  const hints = `${schema}_hints`
  const bell = hangBell(database, channel, log)
  closing.push(() => bell.close())
  const receive = async (rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<number> => {
    const count = await writeRows(driver.pool, rows)
    await anchorFeed(database.sql)
    return count
  }
  let closed: Promise<void> | undefined
  return {
    tx: database.tx,
    items: createItems(database, hints),
    claims: createClaims(database, bell),
    runs: createRuns(database),
    events: createEvents(database, bell, hints),
    agents: createAgents(database, hints),
    lessons: createLessons(database),
    lessonUses: createLessonUses(database, schema),
    retrospectives: createRetrospectives(database),
    promotions: createPromotions(database),
    conflicts: createConflicts(database),
    reviews: createReviews(database),
    notifications: createNotifications(database),
    signs: createSigns(database),
    questions: createQuestions(database),
    preferences: createPreferences(database),
    ledger: createLedger(database, schema),
    metrics: createMetrics(database),
    improvementMetrics: createImprovementMetrics(database),
    jobs: { send: jobs.send },
    driver: driver.is,
    health: async () => ({ driver: driver.is, ok: await answers(database), durability: driver.durability }),
    setHolder: driver.setHolder,
    startJobs: jobs.start,
    stopJobs: jobs.stop,
    listen: (onEvent) => {
      const watch = watchFeed({ database, driver, channel, log }, onEvent)
      closing.push(watch.close)
      return () => void watch.close()
    },
    listenToHints: (onHint) => {
      const close = listenToHints({ driver, channel: hints, log }, onHint)
      closing.push(close)
      return () => void close()
    },
    exportTo: (file) => exportRows(driver.pool, file),
    importFrom: async (file) => {
      const count = await importRows(driver.pool, file)
      await anchorFeed(database.sql)
      return count
    },
    copyTo: (other) => other.receive(readRows(driver.pool)),
    receive,
    close: () => {
      closed ??= closeAll(closing, log)
      return closed
    },
  }
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
