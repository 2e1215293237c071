// Where a step can be made safe: the agent's spool, the store behind the API; and the least that either can cost.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@treadle/contracts/client'
import type { RunNote } from '@treadle/contracts/event'
import pg from 'pg'
import { reach } from '../../apps/agent/src/reach.ts'
import { openSpool } from '../../apps/agent/src/spool.ts'
import { clearWorkspace, startDaemon, stopDaemon } from '../../scenarios/kit/daemon.ts'
import { makeDatabase } from '../../scenarios/kit/database.ts'
import { begin } from '../../scenarios/kit/hand-agent.ts'
import { makeWorkspace } from '../../scenarios/kit/workspace.ts'
import type { Keep } from './ours.ts'

export interface Keeper {
  readonly keep: Keep
  close(): Promise<void>
}

/** The spool of an agent, which syncs each append; nobody is there to send to. */
export async function openSpoolKeeper(folder: string): Promise<Keeper> {
  const spool = await openSpool({
    file: join(folder, `spool-${randomUUID()}.jsonl`),
    clock: { now: () => new Date(), sleep: (ms) => sleep(ms) },
    send: async () => ({ is: 'unreachable', why: 'nobody is there' }),
    log: () => undefined,
  })
  const runId = randomUUID()
  const append = (event: RunNote) =>
    spool.append({ eventId: randomUUID(), runId, fence: 1, event, at: new Date().toISOString() })
  return {
    keep: async (notes) => void (await Promise.all(notes.map(append))),
    close: () => spool.close(),
  }
}

/** A daemon of its own on a database of the server; each note is a report over HTTP, as agents make it. */
export async function openApiKeeper(serverUrl: string): Promise<Keeper> {
  const database = await makeDatabase(serverUrl)
  const workspace = makeWorkspace()
  const daemon = await startDaemon(workspace, database.url)
  const { claim } = await begin(daemon)
  const client = createClient({ url: daemon.url, token: daemon.token, fetch: reach })
  const report = (event: RunNote) =>
    client.reportRun({
      params: { id: claim.run.id },
      body: { eventId: randomUUID(), fence: claim.fence, event },
    })
  return {
    // The observation holds the step; what it has cost is told beside it and waited for by nobody.
    async keep(notes) {
      const steps = notes.filter(({ type }) => type === 'run.observed')
      await Promise.all(steps.map(report))
    },
    async close() {
      await stopDaemon(daemon)
      await clearWorkspace(workspace)
      await database.drop()
    },
  }
}

/** One line appended and synced, nothing else. */
export async function appends(folder: string, count: number): Promise<void> {
  const handle = await open(join(folder, `append-${randomUUID()}`), 'a')
  const line = `${JSON.stringify({ id: randomUUID(), text: 'x'.repeat(400) })}\n`
  for (let n = 0; n < count; n += 1) {
    await handle.appendFile(line)
    await handle.datasync()
  }
  await handle.close()
}

export interface Rows {
  insert(count: number): Promise<void>
  close(): Promise<void>
}

/** One row inserted and committed, nothing else. */
export async function openRows(serverUrl: string): Promise<Rows> {
  const database = await makeDatabase(serverUrl)
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  await pool.query('create table steps (id uuid primary key, event jsonb not null)')
  return {
    async insert(count) {
      for (let n = 0; n < count; n += 1)
        await pool.query({
          name: 'step',
          text: 'insert into steps (id, event) values ($1, $2)',
          values: [randomUUID(), JSON.stringify({ type: 'run.observed', text: 'x'.repeat(400) })],
        })
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

/** One row over plain HTTP, by a server that does nothing else; asked as agents ask the daemon. */
export async function openBareRows(serverUrl: string): Promise<Rows> {
  const database = await makeDatabase(serverUrl)
  const server = fork(join(import.meta.dirname, 'bare-server.ts'), [database.url])
  const [port] = (await once(server, 'message')) as [number]
  const body = JSON.stringify({ type: 'run.observed', text: 'x'.repeat(400) })
  return {
    async insert(count) {
      for (let n = 0; n < count; n += 1) {
        const { status, text } = await reach(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          signal: AbortSignal.timeout(30_000),
        })
        if (status !== 200) throw new Error(`the bare server answered ${status}: ${await text()}`)
      }
    },
    async close() {
      const ended = once(server, 'exit')
      server.disconnect()
      await ended
      await database.drop()
    },
  }
}

/** A server that does not sync would make a figure of nothing. */
export async function needSync(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query<{ fsync: string; waits: string }>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as waits`,
  )
  await client.end()
  if (rows[0]?.fsync !== 'on' || rows[0]?.waits !== 'on') throw new Error('the server does not sync')
}
