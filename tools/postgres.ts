// Starts a PostgreSQL server for one test run; it goes away with the process that started it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childEnv } from './env.ts'
import { findPostgres } from './postgres-binaries.ts'

export type TestPostgres =
  | { is: 'running'; url: string; version: string; folder: string; stop: () => Promise<void> }
  | { is: 'missing'; why: string; install: string }

type Account = { uid?: number; gid?: number }
type Place = { folder: string; bin: string; account: Account; password: string; syncs?: boolean }

const prefix = 'treadle-pg-'
const user = 'treadle'
const startMsMax = 30_000

// The watcher reads a pipe that closes when our process ends, however it ends: then the server and its files go.
const watcher =
  'trap "" INT TERM HUP; "$@" >>"$0/log" 2>&1 & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$0"'

/** `syncs`: what was committed survives a power cut, as in use; tests have no need of that. */
export async function startPostgres(syncs = false): Promise<TestPostgres> {
  const found = findPostgres()
  if (found.is === 'missing') return found
  const base = reachableFolder()
  removeLeftovers(base)
  const place = { ...prepare(base, found.bin), syncs }
  try {
    execFileSync(join(place.bin, 'initdb'), initdbArgs(place.folder), {
      ...place.account,
      cwd: place.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { port, child } = await serve(place)
    const url = `postgres://${user}:${place.password}@127.0.0.1:${port}/postgres`
    const { folder } = place
    return { is: 'running', url, version: found.version, folder, stop: () => stop(child, folder) }
  } catch (error) {
    rmSync(place.folder, { recursive: true, force: true })
    const why = `PostgreSQL ${found.version} in ${found.bin} did not start: ${error instanceof Error ? error.message : error}`
    return { is: 'missing', why, install: 'set TREADLE_TEST_DATABASE_URL to a PostgreSQL server' }
  }
}

function initdbArgs(folder: string): string[] {
  const login = ['-U', user, '-A', 'password', '--pwfile', join(folder, 'password')]
  return ['-D', join(folder, 'data'), ...login, '--no-sync', '-E', 'UTF8', '--no-locale']
}

function prepare(base: string, bin: string): Place {
  const folder = mkdtempSync(join(base, prefix))
  const account = otherAccount()
  const password = randomBytes(12).toString('hex')
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  writeFileSync(join(folder, 'owner'), String(process.pid))
  if (account.uid === undefined || account.gid === undefined) return { folder, bin, account, password }
  chownSync(folder, account.uid, account.gid)
  chownSync(join(folder, 'password'), account.uid, account.gid)
  if (reachable(bin)) return { folder, bin, account, password }
  // Programs below a private folder (the checkout of root) cannot be run by the other account.
  cpSync(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return { folder, bin: join(folder, 'native/bin'), account, password }
}

/** PostgreSQL refuses to run as root, so root runs it under another account. */
function otherAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : ''
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+):/m.exec(users)
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : { uid: 65534, gid: 65534 }
}

function reachableFolder(): string {
  const folders = [tmpdir(), '/tmp', '/var/tmp']
  return folders.find((folder) => existsSync(folder) && reachable(folder)) ?? tmpdir()
}

function reachable(folder: string): boolean {
  if (process.getuid?.() !== 0) return true
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

async function serve(place: Place): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const child = launch(place, port)
    const outcome = await ready(place.folder, child)
    if (outcome === 'ready') return { port, child }
    // Another process may have taken the port in between; anything else will not get better.
    if (attempt === 3 || !outcome.includes('in use')) {
      await stop(child, place.folder)
      throw new Error(outcome)
    }
    child.kill('SIGKILL')
  }
}

function launch({ folder, bin, account, syncs = false }: Place, port: number): ChildProcess {
  const sync = syncs ? 'on' : 'off'
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: sync,
    synchronous_commit: sync,
    full_page_writes: sync,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(bin, 'postgres'), '-D', join(folder, 'data'), ...args]
  rmSync(join(folder, 'log'), { force: true })
  const child = spawn('/bin/sh', ['-c', watcher, folder, ...command], {
    ...account,
    cwd: folder,
    env: childEnv({ HOME: folder }),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  return child
}

/** Reads the server's own pid file, as pg_ctl does: its last line says when connections are accepted. */
async function ready(folder: string, child: ChildProcess): Promise<string> {
  const deadline = Date.now() + startMsMax
  while (Date.now() < deadline && child.exitCode === null) {
    const status = read(join(folder, 'data/postmaster.pid')).split('\n')[7]?.trim()
    if (status === 'ready') return 'ready'
    const fatal = /FATAL: +(.*)/.exec(read(join(folder, 'log')))
    if (fatal) return read(join(folder, 'log')).slice(0, 500)
    await delay(20)
  }
  return `not ready after ${startMsMax / 1000} s: ${read(join(folder, 'log')).slice(0, 500)}`
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.ref()
    const gone = once(child, 'exit')
    child.stdin?.end()
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** What a killed test run and its killed watcher left behind. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const folder = join(base, name)
    if (!name.startsWith(prefix) || !ours(folder)) continue
    const owner = Number(read(join(folder, 'owner')))
    if (owner > 0 && alive(owner)) continue
    const server = Number(read(join(folder, 'data/postmaster.pid')).split('\n')[0])
    if (server > 0 && commandOf(server).includes(folder)) process.kill(server, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

function ours(folder: string): boolean {
  const uid = process.getuid?.()
  return uid === 0 || statSync(folder, { throwIfNoEntry: false })?.uid === uid
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
