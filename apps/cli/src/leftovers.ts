// Processes of a workspace that no daemon looks after: agents whose daemon was killed, or a daemon that hangs.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AGENT_MARK } from '@treadle/contracts/child-env'
import { SessionFile } from '@treadle/contracts/session-file'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { isAlive } from './daemon-process.ts'
import { UserError } from './user-error.ts'

export interface Leftover {
  readonly name: string
  readonly pid: number
}

/** An agent is told to end, has this long to stop its engine, and is then killed with all it started. */
const GRACE_MS = 10_000
const KILL_MS = 10_000

export function findLeftovers(paths: WorkspacePaths): Leftover[] {
  const agents = namesIn(paths.locks).flatMap((file) =>
    file.endsWith('.pid')
      ? [{ name: file.slice(0, -'.pid'.length), pid: numberIn(`${paths.locks}/${file}`) }]
      : [],
  )
  const daemon = { name: 'daemon', pid: announcedPid(paths) }
  return [...agents, daemon].filter((one) => isOurs(one, paths.root))
}

export async function endLeftovers(left: readonly Leftover[], root: string): Promise<void> {
  for (const one of left) {
    // A process that was halted cannot obey.
    signalGroup(one.pid, 'SIGCONT')
    signalGroup(one.pid, 'SIGTERM')
  }
  for (const one of left) {
    if ((await isGone(one.pid, GRACE_MS)) || !isOurs(one, root)) continue
    signalGroup(one.pid, 'SIGKILL')
    if (!(await isGone(one.pid, KILL_MS)))
      throw new UserError(`${one.name} (process ${one.pid}) does not end.`, `End it with: kill -9 ${one.pid}`)
  }
  await endMarked(root)
}

/** Ends processes that agents had started and could not end, because they were halted or had left the group. */
async function endMarked(root: string): Promise<void> {
  const until = performance.now() + KILL_MS
  for (let left = markedIn(root); left.length > 0 && performance.now() < until; left = markedIn(root)) {
    for (const pid of left) killOne(pid)
    await sleep(50)
  }
}

function markedIn(root: string): number[] {
  return namesIn('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    const mark = textIn(`/proc/${name}/environ`)
      .split('\0')
      .find((entry) => entry.startsWith(`${AGENT_MARK}=`))
    return mark?.endsWith(`@${root}`) && isAlive(Number(name)) ? [Number(name)] : []
  })
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The last session file of an agent; null if there is none that can be read. */
export function readSession(paths: WorkspacePaths, name: string): SessionFile | null {
  try {
    return SessionFile.parse(JSON.parse(textIn(`${paths.sessions}/${name}.session`)))
  } catch {
    return null
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (isAlive(pid)) {
    if (performance.now() > until) return false
    await sleep(50)
  }
  return true
}

/** A number can have been given to a stranger; only the command line says whose it is. */
function isOurs({ name, pid }: Leftover, root: string): boolean {
  const args = pid > 0 ? argumentsOf(pid) : ''
  return args.includes(` --workspace ${root} `) && (name === 'daemon' || args.includes(` --id ${name} `))
}

function argumentsOf(pid: number): string {
  const proc = textIn(`/proc/${pid}/cmdline`)
  if (proc !== '') return proc.replaceAll('\0', ' ')
  if (process.platform === 'linux') return ''
  try {
    return `${execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim()} `
  } catch {
    return ''
  }
}

/** Signals a process and its group: every leftover leads one, so that what it started goes with it. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function announcedPid(paths: WorkspacePaths): number {
  return Number(/"pid":(\d+)/.exec(textIn(paths.daemon))?.[1] ?? 0)
}

function numberIn(file: string): number {
  const number = Number(textIn(file))
  return Number.isInteger(number) ? number : 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
