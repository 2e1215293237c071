// A real daemon, started as a user starts it, and ended with the tests that used it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@treadle/contracts/client'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { afterAll, type TestContext } from 'vitest'
import { z } from 'zod'
import { cleanEnv } from '../env.ts'
import { makeDatabase, type OwnDatabase } from './database.ts'
import { kill, processesOf, waitGone } from './processes.ts'
import { makeWorkspace, ownerKeyOf, type Workspace, type WorkspaceOptions } from './workspace.ts'

export const DRIVERS = ['embedded', 'server'] as const
export type DriverName = (typeof DRIVERS)[number]

export interface Daemon {
  readonly url: string
  /** The crew key. */
  readonly token: string
  readonly ownerKey: string
  readonly pid: number
  /** Speaks for the owner, who may do whatever the crew may. */
  readonly client: Client
  readonly workspace: Workspace
}

const LAUNCHER = fileURLToPath(new URL('../../bin/treadle.js', import.meta.url))
const START_MS_MAX = 100_000
const Announced = z.object({ url: z.string(), token: z.string(), pid: z.int() })

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A test run that is interrupted takes its daemons with it. */
export function endingWithUs(args: readonly string[]): readonly string[] {
  return args[0] === 'up' ? [...args, '--die-with', String(process.pid)] : args
}

/** Runs the command line in a workspace. */
export async function treadle(
  workspace: Workspace,
  args: readonly string[],
  added: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [LAUNCHER, ...endingWithUs(args)], {
    cwd: workspace.root,
    env: cleanEnv(workspace.home, added),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_MS_MAX,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ending(child)])
  return { code: child.exitCode, stdout, stderr }
}

async function ending(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export async function startDaemon(
  workspace: Workspace,
  databaseUrl?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Daemon> {
  const added = databaseUrl === undefined ? more : { ...more, DATABASE_URL: databaseUrl }
  const ended = await treadle(workspace, ['up', '--detach', '--json', '--agents', '0'], added)
  if (ended.code !== 0) throw new Error(`treadle up ended with ${ended.code}: ${ended.stderr}`)
  return announcedDaemon(workspace, ended.stdout)
}

/** The daemon that `treadle up --json` has told of. */
export function announcedDaemon(workspace: Workspace, stdout: string): Daemon {
  const { url, token, pid } = Announced.parse(JSON.parse(stdout))
  const ownerKey = ownerKeyOf(workspace.home)
  return { url, token, ownerKey, pid, client: createClient({ url, token: ownerKey }), workspace }
}

export async function stopDaemon({ client, pid }: Daemon): Promise<void> {
  await client.shutdown()
  await waitGone(pid)
}

/** What the daemon wrote while it ran; for messages of failed tests. */
export function daemonLog({ paths }: Workspace): string {
  return readFileSync(`${paths.logs}/daemon.log`, 'utf8')
}

/** Ends whatever still runs in the workspace, then removes it. */
export async function clearWorkspace(workspace: Workspace): Promise<void> {
  for (const pid of processesOf(workspace)) {
    kill(pid)
    await waitGone(pid)
  }
  workspace.remove()
}

export interface Place {
  readonly workspace: Workspace
  readonly databaseUrl: string | undefined
}

/** A workspace and, for the server driver, a database of its own; both go when the file's tests are over. */
export function usePlaces(
  driver: DriverName,
): (context: TestContext, options?: WorkspaceOptions) => Promise<Place> {
  const workspaces: Workspace[] = []
  const databases: OwnDatabase[] = []
  afterAll(async () => {
    for (const workspace of workspaces) await clearWorkspace(workspace)
    for (const database of databases) await database.drop()
  })
  return async (context, options = {}) => {
    const server = driver === 'server' ? needPostgres(context) : null
    const workspace = makeWorkspace(options)
    workspaces.push(workspace)
    if (server === null) return { workspace, databaseUrl: undefined }
    const database = await makeDatabase(server)
    databases.push(database)
    return { workspace, databaseUrl: database.url }
  }
}

/** One daemon for all tests of the file that ask for it; the first starts it. */
export function useDaemon(
  driver: DriverName,
  options: WorkspaceOptions = {},
): (context: TestContext) => Promise<Daemon> {
  let started: Promise<Daemon> | undefined
  const place = usePlaces(driver)
  return (context) => {
    started ??= place(context, options).then(({ workspace, databaseUrl }) =>
      startDaemon(workspace, databaseUrl),
    )
    return started
  }
}
