// Finds and ends a process with everything that descends from it, also what has left its group. The one way to do it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  inheritedBy,
  isRunning,
  type LiveProcess,
  POLL_MS,
  type ProcessId,
  processTable,
  send,
} from './table.ts'

const KILL_ROUNDS = 100
/** A tree that forks while it is being halted is looked at again, so often and no more. */
const FREEZE_ROUNDS = 25
const HALT_ROUNDS = 10
/** The most that one round of waiting counts: time in which we were halted is not the tree's. */
const ROUND_MS_MAX = 5 * POLL_MS

/**
 * An environment variable of the tree, as `NAME=value`. Only by it can a process be found that left the group and
 * whose parent is gone; it must be unique to the tree.
 */
type TreeMark = string

/** The mark that an environment carries under this name. */
export function markIn(env: Readonly<Record<string, string>>, name: string): TreeMark | undefined {
  const value = env[name]
  return value === undefined ? undefined : `${name}=${value}`
}

/** Everything alive below a process, nearest first, the process itself left out. */
export function descendants(pid: number): number[] {
  const joined = closure(processTable(), (seen) => seen.pid === pid)
  return [...joined.keys()].filter((found) => found !== pid)
}

/** SIGTERM to the group and all descendants, then SIGKILL to what is left; resolves with what would not die. */
export async function killTree(pid: number, graceMs: number, mark?: TreeMark): Promise<number[]> {
  assert(pid > 1 && pid !== process.pid, `refusing to kill process tree ${pid}`)
  return endTree({ pid, mark }, graceMs)
}

export interface Tree {
  /** Leader of the group; 0 if only the mark counts. */
  readonly pid: number
  readonly mark: TreeMark | undefined
}

/** The same where there may be no leader: of a program that could not be started, say. */
export async function endTree(tree: Tree, graceMs: number): Promise<number[]> {
  const members = new Members(() => belongsTo(tree))
  let alive = members.now()
  signal(tree, alive, 'SIGTERM')
  for (let waited = 0, at = performance.now(); isAnyLeft(tree, alive) && waited < graceMs; ) {
    await sleep(POLL_MS)
    waited += Math.min(performance.now() - at, ROUND_MS_MAX)
    at = performance.now()
    alive = members.now()
  }
  // Repeated, because a process may have forked between the look and the kill.
  for (let round = 0; isAnyLeft(tree, alive) && round < KILL_ROUNDS; round += 1) {
    signal(tree, alive, 'SIGKILL')
    await sleep(POLL_MS)
    alive = members.now()
  }
  return isAnyLeft(tree, alive) && alive.length === 0 ? [tree.pid] : alive.map(({ pid }) => pid)
}

/** Halts a tree where it stands, wherever its processes went; looked at again until nothing new is found. */
export async function haltTree(pid: number, mark?: TreeMark): Promise<void> {
  assert(pid > 1 && pid !== process.pid, `refusing to halt process tree ${pid}`)
  const members = new Members(() => belongsTo({ pid, mark }))
  for (let round = 0, before = -1; round < HALT_ROUNDS && before !== members.size; round += 1) {
    before = members.size
    signal({ pid, mark }, members.now(), 'SIGSTOP')
    await sleep(POLL_MS)
    members.now()
  }
}

/** Lets go on what haltTree has halted. */
export function continueTree(pid: number, mark?: TreeMark): void {
  signal({ pid, mark }, new Members(() => belongsTo({ pid, mark })).now(), 'SIGCONT')
}

/** The last act of a group leader that lost its parent: takes its whole tree along, itself too. */
export function killOwnTree(mark?: TreeMark): never {
  const members = new Members(() => belongsTo({ pid: process.pid, mark }), true)
  for (let round = 0; round < 5; round += 1) {
    const others = members.now().filter((found) => found.pid !== process.pid)
    if (others.length === 0) break
    for (const found of others) send(found.pid, 'SIGKILL')
  }
  send(-process.pid, 'SIGKILL')
  process.exit(1)
}

interface TreeName {
  /** The name of an environment variable that the processes of a tree have inherited. */
  readonly name: string
  readonly is: (value: string) => boolean
}

/** All that belongs to some processes, each known by its start: what descends from them, and what carries the mark. */
export class ProcessTree {
  readonly #roots: readonly ProcessId[]
  readonly #members: Members

  constructor(roots: readonly ProcessId[], marked: TreeName) {
    this.#roots = roots
    this.#members = new Members(() => {
      const leads = new Set(roots.filter(isRunning).map(({ pid }) => pid))
      return ({ pid, group }) =>
        leads.has(pid) || leads.has(group) || marked.is(inheritedBy(pid, marked.name))
    })
  }

  /** The processes that belong to it now. */
  members(): LiveProcess[] {
    return this.#members.now()
  }

  /** Halts all of it: the roots first, so that nobody reacts to the rest standing still. */
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

  /** Wakes all of it, the roots last: they find everything as it was. */
  thaw(): void {
    const roots = new Set(this.#roots.map(({ pid }) => pid))
    for (const { pid } of this.members()) if (!roots.has(pid)) send(pid, 'SIGCONT')
    for (const { pid } of this.#roots.filter(isRunning)) send(pid, 'SIGCONT')
  }

  /** Asks the roots to end; they end what they have started. */
  ask(): void {
    this.members()
    for (const { pid } of this.#roots.filter(isRunning)) send(-pid, 'SIGTERM')
    // A halted process cannot obey.
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

type Belongs = (seen: LiveProcess) => boolean

function belongsTo({ pid: leader, mark }: Tree): Belongs {
  const at = mark?.indexOf('=') ?? -1
  const isMarked = (pid: number) =>
    mark !== undefined && inheritedBy(pid, mark.slice(0, at)) === mark.slice(at + 1)
  return ({ pid, group }) => (leader > 1 && (pid === leader || group === leader)) || isMarked(pid)
}

/** The living of a tree. Once a member, always one: a child whose parent has died still belongs. */
class Members {
  readonly #look: () => Belongs
  readonly #withSelf: boolean
  readonly #known = new Map<number, string>()

  constructor(look: () => Belongs, withSelf = false) {
    this.#look = look
    this.#withSelf = withSelf
  }

  /** How many were ever seen. */
  get size(): number {
    return this.#known.size
  }

  now(): LiveProcess[] {
    const table = processTable().filter(({ pid }) => this.#withSelf || pid !== process.pid)
    const belongs = this.#look()
    const joined = closure(table, (seen) => this.#known.get(seen.pid) === seen.started || belongs(seen))
    for (const { pid, started } of joined.values()) this.#known.set(pid, started)
    return [...joined.values()]
  }
}

/** The meant processes and everything below them, nearest first. */
function closure(table: readonly LiveProcess[], isMeant: Belongs): Map<number, LiveProcess> {
  const joined = new Map(table.filter(isMeant).map((seen) => [seen.pid, seen]))
  for (let size = -1; size !== joined.size; ) {
    size = joined.size
    for (const seen of table) if (!joined.has(seen.pid) && joined.has(seen.parent)) joined.set(seen.pid, seen)
  }
  return joined
}

function signal({ pid: leader }: Tree, alive: readonly LiveProcess[], name: NodeJS.Signals): void {
  // The group at one blow first: nothing in it can fork between two single signals.
  if (leader > 1 && (alive.some(({ group }) => group === leader) || isBlind())) send(-leader, name)
  for (const { pid, group } of alive) if (group !== leader) send(pid, name)
}

function isAnyLeft({ pid: leader }: Tree, alive: readonly LiveProcess[]): boolean {
  return alive.length > 0 || (leader > 1 && isBlind() && isGroupThere(leader))
}

/** Where the system shows no processes, only the group is left to go by. */
function isBlind(): boolean {
  return processTable().length === 0
}

function isGroupThere(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}
