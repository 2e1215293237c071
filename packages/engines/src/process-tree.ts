// Finds and ends a process with everything that descends from it. Node built-ins only: the player runs it too.
import assert from 'node:assert/strict'
import { type ChildProcess, type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Tells a process from a later one with the same number. */
  readonly started: string
}

const POLL_MS = 20
const KILL_ROUNDS = 50
const HALT_ROUNDS = 10

/**
 * An environment variable of the tree, as `NAME=value`. Only by it can a process be found that left the group and
 * whose parent is gone; it must be unique to the tree.
 */
export type TreeMark = string

/** The mark that an environment carries under this name. */
export function markIn(env: Readonly<Record<string, string>>, name: string): TreeMark | undefined {
  const value = env[name]
  return value === undefined ? undefined : `${name}=${value}`
}

// The second line waits on a pipe that closes when we die, however we die, and then ends the whole group. It is
// forked twice so that the program does not find a child that it did not start. The number 3 may be a channel of
// messages, which the program alone must hold.
const LAUNCHER = `exec 9<&0 </dev/null
( ( exec 3>&-; read -r _ <&9; kill -KILL 0 ) >/dev/null 2>&1 & )
exec 9<&-
exec "$@"`
const bound = (program: string, args: readonly string[]) => ['-c', LAUNCHER, 'sh', program, ...args]

interface BoundOptions {
  readonly cwd: string
  /** The whole environment; ours where it is left out. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a program as the leader of its own group, which ends with us even when we are killed. */
export function spawnBound(
  program: string,
  args: readonly string[],
  options: BoundOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe']
  return spawn('/bin/sh', bound(program, args), { ...options, detached: true, stdio })
}

// The same over a pipe of its own, for a program that is spoken to over its standard input.
const TALKING_LAUNCHER = `( ( exec 0</dev/null 1>/dev/null 2>&1; read -r _ <&3; kill -KILL 0 ) & )
exec 3<&-
exec "$@"`

/** The same for a program that is spoken to. */
export function spawnTalking(
  program: string,
  args: readonly string[],
  options: BoundOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const stdio: ['pipe', 'pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe', 'pipe']
  const child = spawn('/bin/sh', ['-c', TALKING_LAUNCHER, 'sh', program, ...args], {
    ...options,
    detached: true,
    stdio,
  })
  // The watcher outlives the program and holds its end of the pipe, without which nothing counts as closed.
  const [, , , watched] = child.stdio
  child.once('exit', () => watched?.destroy())
  return child as ChildProcessByStdio<Writable, Readable, Readable>
}

/** The same for a program of Node that says nothing but messages. */
export function forkBound(args: readonly string[], options: BoundOptions): ChildProcess {
  return spawn('/bin/sh', bound(process.execPath, args), {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
}

/** Everything alive below a process, nearest first, the process itself left out. */
export function descendants(pid: number): number[] {
  return below(living(), new Set([pid])).map((found) => found.pid)
}

/** SIGTERM to the group and all descendants, then SIGKILL to what is left; resolves with what would not die. */
export async function killTree(pid: number, graceMs: number, mark?: TreeMark): Promise<number[]> {
  assert(pid > 1 && pid !== process.pid, `refusing to kill process tree ${pid}`)
  const known = new Map<number, Process>()
  const grown = () => grow(known, pid, mark)
  let alive = grown()
  signal(alive, pid, 'SIGTERM')
  for (let waited = 0; alive.length > 0 && waited < graceMs; waited += POLL_MS) {
    await sleep(POLL_MS)
    alive = grown()
  }
  // Repeated, because a process may have forked between the look and the kill.
  for (let round = 0; alive.length > 0 && round < KILL_ROUNDS; round += 1) {
    signal(alive, pid, 'SIGKILL')
    await sleep(POLL_MS)
    alive = grown()
  }
  return alive.map((found) => found.pid)
}

/** Halts a tree where it stands, wherever its processes went; looked at again until nothing new is found. */
export async function haltTree(pid: number, mark?: TreeMark): Promise<void> {
  assert(pid > 1 && pid !== process.pid, `refusing to halt process tree ${pid}`)
  const known = new Map<number, Process>()
  for (let round = 0, before = -1; round < HALT_ROUNDS && before !== known.size; round += 1) {
    before = known.size
    signal(grow(known, pid, mark), pid, 'SIGSTOP')
    await sleep(POLL_MS)
    grow(known, pid, mark)
  }
}

/** Lets go on what haltTree has halted. */
export function continueTree(pid: number, mark?: TreeMark): void {
  signal(grow(new Map(), pid, mark), pid, 'SIGCONT')
}

/** The last act of a group leader that lost its parent: takes its whole tree along, itself too. */
export function killOwnTree(mark?: TreeMark): never {
  const known = new Map<number, Process>()
  for (let round = 0; round < 5; round += 1) {
    const others = grow(known, process.pid, mark).filter((found) => found.pid !== process.pid)
    if (others.length === 0) break
    for (const found of others) send(found.pid, 'SIGKILL')
  }
  send(-process.pid, 'SIGKILL')
  process.exit(1)
}

/** Adds what belongs to the tree now to what was known of it, and returns those of them that live. */
function grow(known: Map<number, Process>, pid: number, mark: TreeMark | undefined): Process[] {
  const table = living()
  const same = (found: Process) => known.get(found.pid)?.started === found.started
  const belongs = (found: Process) => found.group === pid || same(found) || isMarked(found.pid, mark)
  const roots = table.filter((found) => found.pid === pid || (found.pid !== process.pid && belongs(found)))
  const tree = [...roots, ...below(table, new Set(roots.map((found) => found.pid)))]
  for (const found of tree) known.set(found.pid, found)
  return tree
}

function below(table: readonly Process[], roots: ReadonlySet<number>): Process[] {
  const seen = new Set(roots)
  const found: Process[] = []
  for (let before = -1; before !== found.length; ) {
    before = found.length
    for (const candidate of table) {
      if (seen.has(candidate.pid) || !seen.has(candidate.parent)) continue
      seen.add(candidate.pid)
      found.push(candidate)
    }
  }
  return found
}

type Signal = 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'

function signal(alive: readonly Process[], pid: number, name: Signal): void {
  // The group at one blow first: nothing in it can fork between two single kills.
  if (alive.some((found) => found.group === pid)) send(-pid, name)
  for (const found of alive) send(found.pid, name)
}

function send(pid: number, name: Signal): void {
  try {
    process.kill(pid, name)
  } catch (cause) {
    // Gone already, or not ours; whoever is left is reported by killTree.
    const code = (cause as NodeJS.ErrnoException).code
    assert(code === 'ESRCH' || code === 'EPERM', cause as Error)
  }
}

/** All processes but the dead that nobody has collected yet. */
function living(): Process[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

function fromProc(): Process[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.flatMap((name) => {
    const stat = readQuietly(`/proc/${name}/stat`)
    // The command in brackets may hold spaces and brackets of its own; the fields start after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group] = fields
    if (state === undefined || state === '' || state === 'Z' || state === 'X') return []
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), started: fields[19] ?? '' }]
  })
}

function fromPs(): Process[] {
  const listing = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  return listing.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (match === null || match[4]?.startsWith('Z')) return []
    const [, pid, parent, group, , started] = match
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), started: started ?? '' }]
  })
}

function isMarked(pid: number, mark: TreeMark | undefined): boolean {
  if (mark === undefined || process.platform !== 'linux') return false
  return readQuietly(`/proc/${pid}/environ`).split('\0').includes(mark)
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended while we looked, or belongs to someone else.
    return ''
  }
}
