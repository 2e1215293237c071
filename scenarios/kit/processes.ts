// Finds and ends the processes of one workspace, by their numbers.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { eventually } from './wait.ts'
import type { Workspace } from './workspace.ts'

/** A process that has ended but was not collected by its parent counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !/\) [ZX] /.test(readOrEmpty(`/proc/${pid}/stat`))
}

export async function waitGone(pid: number, timeoutMs = 30_000): Promise<void> {
  await eventually(`the end of process ${pid}`, () => (isAlive(pid) ? undefined : true), timeoutMs)
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The daemon and the agents of the workspace carry its root among their arguments. */
export function processesOf({ root, paths }: Workspace): number[] {
  const announced = Number(/"pid":(\d+)/.exec(readOrEmpty(paths.daemon))?.[1] ?? 0)
  const pids = procNumbers().filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`).split('\0').includes(root))
  return [...new Set([announced, ...pids])].filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid))
}

/** Also engines and what they have started: they stand in a folder of the workspace. */
export function everythingIn(workspace: Workspace): number[] {
  const inside = procNumbers().filter((pid) => `${folderOf(pid)}/`.startsWith(`${workspace.root}/`))
  return [...new Set([...processesOf(workspace), ...inside])].filter(isAlive)
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function procNumbers(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
