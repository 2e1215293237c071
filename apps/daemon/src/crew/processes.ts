// Which processes belong to an agent, and how to halt, wake and end all of them, also those that left its group.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AGENT_MARK } from '@treadle/contracts/child-env'
import { AgentId } from '@treadle/contracts/ids'

/** A number alone can be given to a stranger later; with the moment of its start it means one process for good. */
export interface ProcessId {
  readonly pid: number
  readonly started: string
}

interface Seen extends ProcessId {
  readonly parent: number
  readonly group: number
  readonly state: string
}

const POLL_MS = 20
const KILL_ROUNDS = 100
/** A tree that forks while it is being halted is looked at again, so often and no more. */
const FREEZE_ROUNDS = 25

/** Every process of an agent inherits it, whatever group it is in and whoever its parent is now. */
export function markOf(id: AgentId, root: string): string {
  return `${id}@${root}`
}

/** The start of a running process, as its identity; null if there is none, or only a dead one nobody collected. */
export function startOf(pid: number): string | null {
  return look(pid)?.started ?? null
}

export function isRunning({ pid, started }: ProcessId): boolean {
  return look(pid)?.started === started
}

export function isHalted({ pid, started }: ProcessId): boolean {
  const seen = look(pid)
  return seen !== null && seen.started === started && seen.state === 'T'
}

/** The agent that has written its number into its lock folder, if that number is still its own. */
export function findAgent(locks: string, id: AgentId, root: string): ProcessId | null {
  const pid = Number(readQuietly(`${locks}/${id}.pid`))
  const seen = Number.isInteger(pid) && pid > 1 ? look(pid) : null
  if (seen === null) return null
  const args = argumentsOf(pid)
  return args.includes(id) && args.includes(root) ? { pid, started: seen.started } : null
}

/** All agents that have written their numbers down and still run. */
export function agentsIn(locks: string, root: string): { id: AgentId; process: ProcessId }[] {
  return namesIn(locks).flatMap((file) => {
    const id = AgentId.safeParse(file.replace(/\.pid$/, ''))
    const found = id.success && file.endsWith('.pid') ? findAgent(locks, id.data, root) : null
    return id.success && found !== null ? [{ id: id.data, process: found }] : []
  })
}

/** Megabytes in use; null where that cannot be read. */
export function memoryOf(pid: number): number | null {
  const pages = /^\d+ (\d+)/.exec(readQuietly(`/proc/${pid}/statm`))?.[1]
  return pages === undefined ? null : Math.round((Number(pages) * 4_096) / 1_048_576)
}

/** All that belongs to some agents: their processes, what descends from them, and what carries their mark. */
export class ProcessTree {
  readonly #roots: readonly ProcessId[]
  readonly #marks: (mark: string) => boolean
  /** Once a member, always one: a child whose parent has died still belongs. */
  readonly #known = new Map<number, string>()

  constructor(roots: readonly ProcessId[], marks: (mark: string) => boolean) {
    this.#roots = roots
    this.#marks = marks
  }

  static of(root: ProcessId | null, mark: string): ProcessTree {
    return new ProcessTree(root === null ? [] : [root], (found) => found === mark)
  }

  /** Who belongs to it now. */
  members(): Seen[] {
    const table = processTable().filter(({ pid }) => pid !== process.pid)
    const leads = new Set(this.#roots.filter(isRunning).map(({ pid }) => pid))
    const joined = new Map<number, Seen>()
    for (const seen of table) {
      const known = this.#known.get(seen.pid) === seen.started
      if (known || leads.has(seen.pid) || leads.has(seen.group) || this.#marks(markIn(seen.pid)))
        joined.set(seen.pid, seen)
    }
    for (let size = -1; size !== joined.size; ) {
      size = joined.size
      for (const seen of table) if (joined.has(seen.parent)) joined.set(seen.pid, seen)
    }
    for (const { pid, started } of joined.values()) this.#known.set(pid, started)
    return [...joined.values()]
  }

  /** Halts all of it: the agents first, so that nobody reacts to the rest standing still. */
  freeze(): void {
    for (const { pid } of this.#roots.filter(isRunning)) send(pid, 'SIGSTOP')
    const halted = new Set<number>()
    for (let round = 0; round < FREEZE_ROUNDS; round += 1) {
      const fresh = this.members().filter(({ pid }) => !halted.has(pid))
      if (fresh.length === 0) return
      for (const { pid } of fresh) {
        send(pid, 'SIGSTOP')
        halted.add(pid)
      }
    }
  }

  /** Wakes all of it, the agents last: they find everything as it was. */
  thaw(): void {
    const roots = new Set(this.#roots.map(({ pid }) => pid))
    for (const { pid } of this.members()) if (!roots.has(pid)) send(pid, 'SIGCONT')
    for (const { pid } of this.#roots.filter(isRunning)) send(pid, 'SIGCONT')
  }

  /** Asks the agents to end; they end what they have started. */
  ask(): void {
    this.members()
    for (const { pid } of this.#roots.filter(isRunning)) send(-pid, 'SIGTERM')
    // What is halted cannot obey.
    this.thaw()
  }

  /** Kills all of it; resolves with the numbers of those that would not die. */
  async kill(): Promise<number[]> {
    let left = this.members()
    for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round += 1) {
      for (const { pid } of left) send(pid, 'SIGKILL')
      await sleep(POLL_MS)
      left = this.members()
    }
    return left.map(({ pid }) => pid)
  }
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

/** To one process, or with a negative number to a group; who is gone already needs no signal. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

function look(pid: number): Seen | null {
  if (process.platform === 'linux') return fromStat(pid)
  return fromPs(['-p', String(pid)])[0] ?? null
}

function processTable(): Seen[] {
  if (process.platform !== 'linux') return fromPs(['-ax'])
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (fromStat(Number(name)) ?? []) : []))
}

let boot: string | null = null

function fromStat(pid: number): Seen | null {
  const stat = readQuietly(`/proc/${pid}/stat`)
  // The name in brackets may hold spaces and brackets of its own; the fields start after the last one.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return null
  // The clock ticks of the start are counted from the boot.
  boot ??= readQuietly('/proc/sys/kernel/random/boot_id').slice(0, 8)
  return { pid, parent: Number(parent), group: Number(group), state, started: `${boot}-${rest[16] ?? ''}` }
}

function fromPs(which: readonly string[]): Seen[] {
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

/** The mark that a process has inherited; empty where it has none, or where it cannot be read. */
function markIn(pid: number): string {
  if (process.platform !== 'linux') return ''
  const name = `${AGENT_MARK}=`
  const found = readQuietly(`/proc/${pid}/environ`)
    .split('\0')
    .find((entry) => entry.startsWith(name))
  return found === undefined ? '' : found.slice(name.length)
}

function argumentsOf(pid: number): string[] {
  if (process.platform === 'linux') return readQuietly(`/proc/${pid}/cmdline`).split('\0')
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ')
  } catch {
    return []
  }
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
