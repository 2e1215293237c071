// The same errand at others: take the next job, and say that it is done.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { run } from '../repair/suites.ts'
import { type Driven, drive } from './drive.ts'
import type { BenchWorld } from './world.ts'

export interface BossBench {
  fetchAndComplete(count: number): Promise<Driven>
  fetchAlone(count: number): Promise<Driven>
  close(): Promise<void>
}

const QUEUE = 'claims'

/** pg-boss over the same connections that our store uses. */
export async function openBoss({ pool, url }: BenchWorld): Promise<BossBench> {
  const boss = new PgBoss({
    db: { executeSql: (text: string, values?: unknown[]) => ask(pool, text, values) },
    schema: 'bench_boss',
    backend: url === null ? 'pglite' : 'postgres',
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.createQueue(QUEUE)
  const fill = async (count: number): Promise<void> => {
    await boss.insert(
      QUEUE,
      Array.from({ length: count }, (_, n) => ({ data: { item: n } })),
    )
    await pool.query('analyze bench_boss.job')
  }
  const fetchOne = async (): Promise<string> => {
    const [job] = await boss.fetch(QUEUE)
    if (job === undefined) throw new Error('pg-boss has no job left')
    return job.id
  }
  return {
    fetchAndComplete: async (count) => {
      await fill(count)
      return drive(count, async () => boss.complete(QUEUE, await fetchOne()))
    },
    fetchAlone: async (count) => {
      await fill(count)
      return drive(count, fetchOne)
    },
    close: () => boss.stop({ graceful: false }),
  }
}

async function ask(pool: pg.Pool, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const result = await (values === undefined || values.length === 0
    ? pool.query(text)
    : pool.query(text, values))
  return Array.isArray(result) ? (result.at(-1) ?? { rows: [] }) : result
}

const GRAPHILE = 'graphile-worker@0.16.6'
export type Graphile =
  | { readonly is: 'ran'; readonly perSecond: number }
  | { readonly is: 'not_run'; readonly why: string }

interface GraphileModule {
  readonly Logger: new (factory: () => () => void) => object
  run(options: object): Promise<{ events: NodeJS.EventEmitter; stop(): Promise<void> }>
  runMigrations(options: object): Promise<void>
}

/** Installed by npm into `folder`; it needs a server. */
export async function graphile({ url, pool }: BenchWorld, folder: string, count: number): Promise<Graphile> {
  if (url === null) return { is: 'not_run', why: 'it needs a PostgreSQL server' }
  const installed = await installGraphile(folder)
  if (installed !== null) return { is: 'not_run', why: installed }
  const entry = join(folder, 'node_modules/graphile-worker/dist/index.js')
  const loaded: { default?: GraphileModule } & GraphileModule = await import(pathToFileURL(entry).href)
  const worker = loaded.default ?? loaded
  const quiet = { connectionString: url, logger: new worker.Logger(() => () => undefined) }
  await worker.runMigrations(quiet)
  await pool.query(
    `select graphile_worker.add_job('claim', json_build_object('item', n)) from generate_series(1, ${count}) n`,
  )
  const done = Promise.withResolvers<void>()
  let completed = 0
  const before = performance.now()
  const runner = await worker.run({
    ...quiet,
    concurrency: 10,
    maxPoolSize: 11,
    noHandleSignals: true,
    taskList: {
      claim: async () => {
        completed += 1
        if (completed === count) done.resolve()
      },
    },
  })
  await done.promise
  const seconds = (performance.now() - before) / 1_000
  await runner.stop()
  return { is: 'ran', perSecond: count / seconds }
}

/** Null if it is there; otherwise why not. */
async function installGraphile(folder: string): Promise<string | null> {
  mkdirSync(folder, { recursive: true })
  if (existsSync(join(folder, 'node_modules/graphile-worker'))) return null
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  try {
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', GRAPHILE]
    const { code, output } = await run(args, folder, 300_000, 'npm')
    if (code === 0) return null
    return code === null ? 'npm took too long' : (output.trimEnd().split('\n').at(-1) ?? '')
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
