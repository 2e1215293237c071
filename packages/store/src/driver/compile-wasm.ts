// A process of its own that compiles the database's WASM: compile-wasm.ts make TEMPLATE FILE, or check FILE
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { compileWasm, readCompiled, writeCompiled } from './compiled-wasm.ts'

/** V8 compiles well what is used often, so it is used: with what a daemon asks for all day. */
const ROUNDS = 400
const SETTLE_TRIES = 60

const [task, ...paths] = process.argv.slice(2)
if (task === 'make') await make(paths[0] ?? '', paths[1] ?? '')
else if (readCompiled(paths[0] ?? '') === null) process.exitCode = 1

async function make(template: string, file: string): Promise<void> {
  const dataDir = `${file}.data`
  cpSync(template, dataDir, { recursive: true })
  const module = await compileWasm()
  const db = await PGlite.create({ dataDir, pgliteWasmModule: module })
  await db.exec(`create schema compile; set search_path to compile;
    create table work (id integer primary key, state text, body jsonb, at timestamptz default now());
    create table notes (seq bigint generated always as identity primary key, work_id integer, text text,
      unique (work_id, text))`)
  for (let round = 0; round < ROUNDS; round += 1) await ask(db, round)
  await settled()
  writeFileSync(file, writeCompiled(module))
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
}

async function ask(db: PGlite, id: number): Promise<void> {
  const body = { title: `Item ${id}`, labels: ['a', 'b'], text: 'x'.repeat(200) }
  await db.transaction(async (tx) => {
    await tx.query('insert into work (id, state, body) values ($1, $2, $3)', [id, 'ready', body])
    await tx.query(
      `insert into notes (work_id, text) select id, $2::text from work where id = $1 on conflict do nothing`,
      [id, `note ${id}`],
    )
  })
  await db.query(
    `with next as (select id from work where state = 'ready' order by id limit 1 for update skip locked)
     update work set state = 'done', body = body || '{"done":true}' from next where work.id = next.id returning work.*`,
  )
  await db.query(
    `select work.id, body->>'title' as title, notes.text, count(*) over () from work
     join notes on notes.work_id = work.id where work.id > $1 and state like 'do%' order by seq desc limit 5`,
    [id - 20],
  )
  await db.query('select state, count(*)::int, max(at) from work group by state')
}

/** Until V8's other threads have nothing left to compile. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TRIES; turn += 1) {
    const before = process.cpuUsage()
    await sleep(1_000)
    const { user, system } = process.cpuUsage(before)
    if (user + system < 20_000) return
  }
}
