// Ends a command with everything it started, also what has left its process group.
import { readdirSync, readFileSync } from 'node:fs'

export interface Tree {
  /** Leader of the group; 0 if only the marker counts. */
  readonly pid: number
  /** An environment variable, as name=value, that only this command's processes carry. */
  readonly marker: string
}

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** With the number it tells a process from a later one of the same number. */
  readonly start: string
}

const pollMs = 20
const killRoundsMax = 50

/** SIGTERM to all, then SIGKILL to what is left after the grace time. True if nothing is left alive. */
export async function endTree(tree: Tree, graceMs: number): Promise<boolean> {
  const known = new Map<string, Seen>()
  const alive = (): Seen[] => membersOf(tree, known)
  signalAll(tree, alive(), 'SIGTERM')
  const until = performance.now() + graceMs
  while (isAnyAlive(tree, alive()) && performance.now() < until) await pause(pollMs)
  // A process may fork while it is being counted, hence rounds.
  for (let round = 0; round < killRoundsMax && isAnyAlive(tree, alive()); round += 1) {
    signalAll(tree, alive(), 'SIGKILL')
    await pause(pollMs)
  }
  return !isAnyAlive(tree, alive())
}

function isAnyAlive(tree: Tree, members: readonly Seen[]): boolean {
  return members.length > 0 || (!hasProcessTable() && isGroupAlive(tree.pid))
}

function signalAll(tree: Tree, members: readonly Seen[], signal: NodeJS.Signals): void {
  if (tree.pid > 1) send(-tree.pid, signal)
  for (const { pid, group } of members) if (group !== tree.pid) send(pid, signal)
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

function isGroupAlive(pid: number): boolean {
  return pid > 1 && send(-pid, 0)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function hasProcessTable(): boolean {
  return processes().length > 0
}

/** Whoever is in the group, descends from a member, was one before, or carries the marker; zombies are dead. */
function membersOf(tree: Tree, known: Map<string, Seen>): Seen[] {
  const all = processes().filter(({ pid }) => pid !== process.pid)
  const joined = new Map<number, Seen>()
  for (const each of all) {
    const inGroup = tree.pid > 1 && each.group === tree.pid
    if (inGroup || known.has(keyOf(each)) || carries(each.pid, tree.marker)) joined.set(each.pid, each)
  }
  let size = -1
  while (size !== joined.size) {
    size = joined.size
    for (const each of all) if (joined.has(each.parent)) joined.set(each.pid, each)
  }
  for (const each of joined.values()) known.set(keyOf(each), each)
  return [...joined.values()]
}

const keyOf = (each: Seen): string => `${each.pid}:${each.start}`

function processes(): Seen[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
}

function statOf(pid: number): Seen | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    return { pid, parent: Number(parent), group: Number(group), start: rest[16] ?? '' }
  } catch {
    return null
  }
}

function carries(pid: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker)
  } catch {
    return false
  }
}
