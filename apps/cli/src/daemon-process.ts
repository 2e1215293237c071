// Starts the daemon of a workspace and waits until it answers; finds the one that is running.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AS_USER } from '@treadle/contracts/child-env'
import { ApiError, type Client, createClient, type Reach } from '@treadle/contracts/client'
import { pageKeyOf, sessionOf } from '@treadle/contracts/page-session'
import { EXIT_LOCKED, type WorkspacePaths } from '@treadle/contracts/workspace'
import { callerName } from './caller-name.ts'
import { COMPILED } from './compile-cache.ts'
import { withCode } from './confirm-code.ts'
import { listensAt } from './daemon-port.ts'
import { fullWords, needSpace, orInWords } from './disk-words.ts'
import type { CliEnv } from './env.ts'
import { tell, withProgress } from './output.ts'
import { makeOwnerKey, readOwnerKey } from './owner-key.ts'
import { carryReceipts } from './receipts.ts'
import { makeSigningKey, nameSigners } from './signing-key.ts'
import { UserError } from './user-error.ts'
import { findRepository, hasCommit, needSoundSettings, prepareState } from './workspace.ts'

const DAEMON_MAIN = fileURLToPath(new URL('../../daemon/src/main.ts', import.meta.url))
const BUILD = fileURLToPath(new URL('../../../tools/build.ts', import.meta.url))
const BUILT = fileURLToPath(new URL('../../dashboard/dist', import.meta.url))
/** A start is waited for as long as its process lives; this is for one that never gets on. */
const START_MS_MAX = 15 * 60_000
const TELL_MS = 20_000
/** How long a daemon that runs may be too busy to answer. */
const ANSWER_MS_MAX = 60_000
/** The same for one that is to end: a signal ends it in as good order as an answer would. */
const END_ANSWER_MS_MAX = 20_000
const HEALTH_MS = 5_000
/** Young objects get 4 MB instead of 16: most of what a start leaves behind is garbage that would stay resident. */
const NODE_FLAGS = ['--max-semi-space-size=4']
/** The daemon's surroundings: compiled code is read from its first file on, and its threads share two pools of memory. */
const SPARING = { NODE_COMPILE_CACHE: COMPILED, MALLOC_ARENA_MAX: '2' }

export interface Running {
  readonly url: string
  /** The crew key. */
  readonly token: string
  /** The owner's key; null: this command may look, and decide nothing. */
  readonly ownerKey: string | null
  readonly pid: number
  readonly startId: string
  /** Speaks for the owner where there is a key, else for the crew. */
  readonly client: Client
}

/** The daemon that answers for this workspace, if one runs; one that is busy is waited for. */
export async function findDaemon(
  paths: WorkspacePaths,
  env: CliEnv,
  code: string | null = null,
): Promise<Running | null> {
  const seen = await waitForAnswer(ANSWER_MS_MAX, () => askOnce(paths, env, code))
  if (seen.is === 'busy')
    throw new UserError(
      `The daemon of this workspace runs (process ${seen.pid}) but has not answered for ${ANSWER_MS_MAX / 1_000} s.`,
      `Its log: ${paths.logs}/daemon.log. If it stays like this: treadle down, then treadle up`,
    )
  return seen.is === 'running' ? seen.running : null
}

/** The daemon that answers, for whoever ends it: null also for one that runs and has not answered for long. */
export async function findAnsweringDaemon(paths: WorkspacePaths, env: CliEnv): Promise<Running | null> {
  const seen = await waitForAnswer(END_ANSWER_MS_MAX, () => askOnce(paths, env))
  return seen.is === 'running' ? seen.running : null
}

async function waitForAnswer(withinMs: number, ask: () => Promise<Answered>): Promise<Answered> {
  const until = Date.now() + withinMs
  for (;;) {
    const seen = await ask()
    if (seen.is !== 'busy' || Date.now() > until) return seen
  }
}

type Answered = { is: 'running'; running: Running } | { is: 'busy'; pid: number } | { is: 'none' }

async function askOnce(paths: WorkspacePaths, env: CliEnv, code: string | null = null): Promise<Answered> {
  const seen = readAnnounced(paths)
  if (seen === null || !listensAt(seen.pid, seen.url)) return { is: 'none' }
  const began = Date.now()
  try {
    const health = await createClient({ url: seen.url, token: seen.token, timeoutMs: HEALTH_MS }).health()
    if (health.workspace !== paths.root) return { is: 'none' }
    const ownerKey = readOwnerKey(env)
    const fetch = orWithCrewKey(withCode(code), { env, token: seen.token })
    const client = createClient({ url: seen.url, token: ownerKey ?? seen.token, fetch })
    return { is: 'running', running: { ...seen, ownerKey, pid: health.pid, startId: health.startId, client } }
  } catch {
    // Where nobody listens the answer is no, and at once; whoever is busy lets us wait.
    const waited = Date.now() - began >= HEALTH_MS
    return waited && isAlive(seen.pid) ? { is: 'busy', pid: seen.pid } : { is: 'none' }
  }
}

/** A daemon that does not know the owner's key of this user can still be looked at. */
function orWithCrewKey(reach: Reach, { env, token }: { env: CliEnv; token: string }): Reach {
  let isTold = false
  return async (url, request) => {
    const answer = await reach(url, request)
    if (answer.status !== 401 || request.headers.authorization === `Bearer ${token}`) return answer
    if (!isTold)
      tell(
        `The daemon that is running has another owner’s key than ${env.ownerKey.file}, so you can look and not decide. Restart it: treadle down, then treadle up`,
      )
    isTold = true
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    return reach(url, { ...request, headers })
  }
}

export async function needDaemon(
  paths: WorkspacePaths,
  env: CliEnv,
  code: string | null = null,
): Promise<Running> {
  const running = await findDaemon(paths, env, code)
  if (running === null)
    throw new UserError('The daemon of this workspace is not running.', 'Start it with: treadle up')
  return running
}

export interface Start {
  readonly agents: number | null
  /** False if no lesson is to be kept back from a run. */
  readonly trial?: boolean
  /** True: the crew looks for improvements itself. */
  readonly ideas?: boolean
  /** The number of a process: without it the daemon ends too. */
  readonly dieWith?: number
  /** The user of the machine that engines and gates run as. */
  readonly asUser?: string
}

export async function startDaemon(
  paths: WorkspacePaths,
  env: CliEnv,
  { agents, trial = true, ideas = false, dieWith, asUser }: Start,
): Promise<Running> {
  rebuildIfStale(env)
  findRepository(paths.root)
  if (!hasCommit(paths.root)) {
    throw new UserError(
      'This repository has no commit yet, so there is nothing to branch from.',
      'git add -A && git commit -m start',
    )
  }
  needSoundSettings(paths)
  prepareState(paths)
  makeOwnerKey(env)
  makeSigningKey(env, paths)
  nameSigners(env, paths, { changesTracked: false })
  needSpace(paths.state)
  carryReceipts(paths.root)
  const logFile = `${paths.logs}/daemon.log`
  const out = orInWords(() => openSync(logFile, 'a'))
  const begin = statSync(logFile).size
  // The daemon has a session of its own, so Ctrl-C does not reach it; whoever gives up waiting must not leave it behind.
  let interrupted = false
  const interrupt = () => {
    interrupted = child.kill('SIGTERM')
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const child = spawn(
    process.execPath,
    [
      ...NODE_FLAGS,
      DAEMON_MAIN,
      '--workspace',
      paths.root,
      ...(agents === null ? [] : ['--agents', String(agents)]),
      ...(trial ? [] : ['--no-trial']),
      ...(ideas ? ['--ideas'] : []),
      ...(dieWith === undefined ? [] : ['--die-with', String(dieWith)]),
    ],
    {
      cwd: paths.root,
      detached: true,
      stdio: ['ignore', out, out],
      env: { ...env.forDaemon, ...SPARING, ...(asUser === undefined ? {} : { [AS_USER]: asUser }) },
    },
  )
  closeSync(out)
  let ended: number | null | undefined
  child.on('exit', (code) => {
    ended = code
  })
  child.unref()
  const ready = waitReady({ paths, env }, child.pid ?? -1, () => ended)
  const running = await withProgress('starting the daemon', telling(child.pid, ready))
  process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt)
  if (interrupted) throw new UserError('Interrupted while the daemon was starting; it was told to stop.')
  if (running !== null) return running
  const said = tailOf(logFile, begin)
  if (ended === undefined)
    throw new UserError(
      `The daemon (process ${child.pid}) is still starting after ${START_MS_MAX / 60_000} minutes; it goes on.\n${said}`,
      `Wait, or end it with: kill ${child.pid}. The whole log: ${logFile}`,
    )
  if (ended === EXIT_LOCKED)
    throw new UserError(
      `Another daemon has this workspace, and has not answered for ${START_MS_MAX / 60_000} minutes.\n${said}`,
      `The whole log: ${logFile}`,
    )
  // Said first: what the database says of a full disk may be anything.
  const full = fullWords(paths.state)
  const why = full === null ? said : `${full}\n${said}`
  throw new UserError(`The daemon did not start.\n${why}`, `The whole log: ${logFile}`)
}

/** Says now and then that a start takes long, where there is no line of progress to be seen. */
async function telling<T>(pid: number | undefined, ready: Promise<T>): Promise<T> {
  const since = Date.now()
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - since) / 1_000)
    if (!process.stderr.isTTY) tell(`The daemon (process ${pid}) is still starting, ${seconds} s so far.`)
  }, TELL_MS)
  try {
    return await ready
  } finally {
    clearInterval(timer)
  }
}

/** Sources that are newer than what was built from them are built again, by whoever may; what is up to date costs a look. */
function rebuildIfStale(env: CliEnv): void {
  if (!existsSync(BUILD) || (existsSync(BUILT) && !isWritable(dirname(BUILT)))) return
  const built = spawnSync(process.execPath, [BUILD, '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env.all, NODE_COMPILE_CACHE: COMPILED },
  })
  if (built.status !== 0)
    throw new UserError('The dashboard could not be built.', 'Run in the folder of Treadle: npm ci')
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function waitReady(
  { paths, env }: { readonly paths: WorkspacePaths; readonly env: CliEnv },
  pid: number,
  ended: () => number | null | undefined,
): Promise<Running | null> {
  const until = Date.now() + START_MS_MAX
  while (Date.now() < until) {
    // A second daemon gives way to the first; whoever answers is the one to use.
    if (readAnnounced(paths)?.pid === pid || ended() !== undefined) {
      const asked = await askOnce(paths, env)
      if (asked.is === 'running') return asked.running
      // A daemon that has the workspace and does not answer yet is still starting.
      if (ended() !== undefined && ended() !== EXIT_LOCKED) return null
    }
    await sleep(50)
  }
  return null
}

function readAnnounced(paths: WorkspacePaths): { url: string; pid: number; token: string } | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { url: string; pid: number }
    return { url, pid, token: readFileSync(paths.token, 'utf8').trim() }
  } catch {
    return null
  }
}

const LINES_MAX = 12

/** The words of the log since `from`: without stacks, and where there are too many lines, the first and the last. */
function tailOf(file: string, from: number): string {
  const lines = readFileSync(file)
    .subarray(from)
    .toString('utf8')
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at |^\s*$|^node:internal/.test(line))
  if (lines.length <= LINES_MAX) return lines.join('\n')
  const half = LINES_MAX / 2
  return [...lines.slice(0, half), '…', ...lines.slice(-half)].join('\n')
}

/** Asks the daemon to end, and waits until its process is gone. */
export async function stopDaemon(running: Running): Promise<void> {
  await askToEnd(running)
  const until = Date.now() + 30_000
  while (isAlive(running.pid)) {
    if (Date.now() > until)
      throw new UserError(
        `The daemon (process ${running.pid}) does not end.`,
        `End it with: kill -9 ${running.pid}`,
      )
    await sleep(50)
  }
}

/** Asks the daemon to end; whoever started it may do so, also with a key that it does not know. */
async function askToEnd({ client, pid }: Running): Promise<void> {
  try {
    await client.shutdown({ body: { by: callerName() } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'owner_key_needed') throw error
    process.kill(pid, 'SIGTERM')
  }
}

/** A process that has ended but was not collected by its parent counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux'
  }
}

/** The page as the owner sees it, until this daemon ends; null without the owner's key. */
export async function ownerLink(running: Running): Promise<string | null> {
  return running.ownerKey === null ? null : linkWith(running.ownerKey, running)
}

/** A link holds a session and no key: the address of a daemon that has ended may be somebody else's. */
async function linkWith(key: string, daemon: Running): Promise<string> {
  return `${daemon.url}/#token=${await sessionOf(await pageKeyOf(key), daemon)}`
}

/** The page, for deciding on a terminal, which the owner reads; for looking elsewhere, as in a log. */
export async function dashboardLink(running: Running): Promise<string> {
  const owners = process.stdout.isTTY ? await ownerLink(running) : null
  return owners ?? linkWith(running.token, running)
}
