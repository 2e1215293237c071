// A daemon inside the test's own process, on a schema of its own of the PostgreSQL that the tests run: for tests that
// need the API and not a process.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createClient } from '@treadle/contracts/client'
import type { Clock } from '@treadle/daemon/clock'
import { readEnv } from '@treadle/daemon/env'
import type { SandboxProbe } from '@treadle/daemon/isolation'
import { startDaemon as startHere } from '@treadle/daemon/start'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, inject, type TestContext } from 'vitest'
import { cleanEnv } from '../env.ts'
import { clearWorkspace, type Daemon, type DriverName } from './daemon.ts'
import { makeOwnerKey, makeWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

export interface InProcessOptions extends WorkspaceOptions {
  readonly clock?: Clock
  /** None: the sandbox of this machine is tried. */
  readonly probe?: SandboxProbe
  /** The environment that the daemon has, beside what every program needs. */
  readonly env?: Readonly<Record<string, string>>
}

export interface InProcessDaemon extends Daemon {
  /** A daemon of another workspace on the same database, which must be a server; it ends with the file's tests. */
  another(): Promise<InProcessDaemon>
  close(): Promise<void>
}

/** Starts a daemon here, in a workspace that is there already. */
async function startInProcess(
  workspace: Workspace,
  database: { readonly url: string; readonly schema: string } | null,
  { clock, probe, env = {} }: InProcessOptions = {},
): Promise<Omit<InProcessDaemon, 'another'>> {
  mkdirSync(workspace.paths.logs, { recursive: true })
  const log = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: `${workspace.paths.logs}/daemon.log`, sync: true }),
  )
  const added = database === null ? env : { ...env, DATABASE_URL: database.url }
  const ownerKey = makeOwnerKey(workspace.home)
  const { url, token, close } = await startHere({
    workspace: workspace.root,
    env: readEnv(cleanEnv(workspace.home, added)),
    log,
    agents: 0,
    port: 0,
    ...(clock === undefined ? {} : { clock }),
    ...(probe === undefined ? {} : { probe }),
    ...(database === null ? {} : { schema: database.schema }),
  })
  const client = createClient({ url, token: ownerKey })
  return { url, token, ownerKey, pid: process.pid, client, workspace, close }
}

/**
 * One daemon for all tests of the file that ask for it; the first starts it, and the last leaves nothing of it. Where
 * the database is not the subject it is the server, because that one is running already.
 */
export function useInProcess(
  driver: DriverName | 'any',
  options: InProcessOptions = {},
): (context: TestContext) => Promise<InProcessDaemon> {
  let started: Promise<InProcessDaemon> | undefined
  const leave: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const step of leave.reverse()) await step()
  })
  const start = async (context: TestContext) => {
    const server = serverFor(driver, context)
    const workspace = makeWorkspace(options)
    leave.push(() => clearWorkspace(workspace))
    const database =
      server === null ? null : { url: server, schema: `scenario_${randomBytes(6).toString('hex')}` }
    if (database !== null) leave.push(() => dropSchemas(database))
    const begin = async (own: Workspace): Promise<InProcessDaemon> => {
      const daemon = await startInProcess(own, database, options)
      leave.push(() => daemon.close())
      return { ...daemon, another }
    }
    const another = () => {
      if (database === null) throw new Error('the embedded database has one daemon')
      const other = makeWorkspace(options)
      leave.push(() => clearWorkspace(other))
      return begin(other)
    }
    return begin(workspace)
  }
  return (context) => {
    started ??= start(context)
    return started
  }
}

function serverFor(driver: DriverName | 'any', context: TestContext): string | null {
  if (driver === 'server') return needPostgres(context)
  return driver === 'any' && inject('postgresUrl') !== '' ? inject('postgresUrl') : null
}

async function dropSchemas({ url, schema }: { url: string; schema: string }): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `drop schema if exists ${schema} cascade; drop schema if exists ${schema}_jobs cascade`,
    )
  } finally {
    await client.end()
  }
}
