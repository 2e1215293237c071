// The processes of this machine, as far as the system shows them. Node built-ins only: small programs use it too.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A number alone can be given to a stranger later; with the moment of its start it means one process for good. */
export interface ProcessId {
  readonly pid: number
  readonly started: string
}

export interface LiveProcess extends ProcessId {
  readonly parent: number
  readonly group: number
  /** One letter, as the system gives it: T is halted. */
  readonly state: string
}

export const POLL_MS = 20

/** All processes but the dead that nobody has collected yet; none where the system shows none. */
export function processTable(): LiveProcess[] {
  if (process.platform !== 'linux') return fromPs(['-ax'])
  return namesIn('/proc').flatMap((name) => (/^\d+$/.test(name) ? (fromStat(Number(name)) ?? []) : []))
}

/** One living process; null if there is none of this number, or only a dead one that nobody collected. */
export function processOf(pid: number): LiveProcess | null {
  if (process.platform === 'linux') return fromStat(pid)
  return fromPs(['-p', String(pid)])[0] ?? null
}

/** The start of a running process, as its identity. */
export function startOf(pid: number): string | null {
  return processOf(pid)?.started ?? null
}

export function isRunning({ pid, started }: ProcessId): boolean {
  return processOf(pid)?.started === started
}

export function isHalted({ pid, started }: ProcessId): boolean {
  const seen = processOf(pid)
  return seen !== null && seen.started === started && seen.state === 'T'
}

/** Resolves when the process is gone, or with false after so long. */
export async function isGone(process: ProcessId, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (isRunning(process)) {
    if (performance.now() > until) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Milliseconds of the processor that a process has taken so far; null where that cannot be read. */
export function cpuMsOf(pid: number): number | null {
  const stat = readQuietly(`/proc/${pid}/stat`)
  // The name in brackets may hold anything; user and system time are the 12th and 13th word after it.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(words[11]) + Number(words[12])
  return Number.isFinite(ticks) ? ticks * 10 : null
}

/** Megabytes in use; null where that cannot be read. */
export function memoryOf(pid: number): number | null {
  const pages = /^\d+ (\d+)/.exec(readQuietly(`/proc/${pid}/statm`))?.[1]
  return pages === undefined ? null : Math.round((Number(pages) * 4_096) / 1_048_576)
}

export function argumentsOf(pid: number): string[] {
  if (process.platform === 'linux') return readQuietly(`/proc/${pid}/cmdline`).split('\0')
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ')
  } catch {
    return []
  }
}

/** The value that a process has inherited under a name; empty where there is none, or where that cannot be read. */
export function inheritedBy(pid: number, name: string): string {
  if (process.platform !== 'linux') return ''
  const entry = readQuietly(`/proc/${pid}/environ`)
    .split('\0')
    .find((each) => each.startsWith(`${name}=`))
  return entry === undefined ? '' : entry.slice(name.length + 1)
}

/** To one process, or with a negative number to a group; who is gone already, or is not ours, gets no signal. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPERM' && another !== null) sendAs(another, pid, signal)
    else if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

let another: string | null = null

/** From now on processes of this user, whom sudo lets us be, get our signals too. */
export function signalAlsoAs(user: string): void {
  another = user
}

function sendAs(user: string, pid: number, signal: NodeJS.Signals): void {
  const words = ['-n', '-u', user, '--', 'kill', '-s', signal.slice(3), '--', String(pid)]
  // Who is gone meanwhile, or is not of that user, gets no signal.
  spawnSync('sudo', words, { stdio: 'ignore', timeout: 10_000 })
}

let boot: string | null = null

function fromStat(pid: number): LiveProcess | null {
  const stat = readQuietly(`/proc/${pid}/stat`)
  // The name in brackets may hold spaces and brackets of its own; the fields start after the last one.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return null
  // The clock ticks of the start are counted from the boot.
  boot ??= readQuietly('/proc/sys/kernel/random/boot_id').slice(0, 8)
  return { pid, parent: Number(parent), group: Number(group), state, started: `${boot}-${rest[16] ?? ''}` }
}

function fromPs(which: readonly string[]): LiveProcess[] {
  let listing = ''
  try {
    listing = execFileSync('ps', [...which, '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  } catch {
    // ps ends with 1 where there is no such process.
    return []
  }
  return listing.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(.*)$/.exec(line)
    const [, pid, parent, group, state = 'Z', started = ''] = match ?? []
    if (state === 'Z') return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), state, started }]
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended while we looked, or belongs to someone else.
    return ''
  }
}
