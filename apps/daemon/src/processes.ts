// Is that process still ours, and how to signal its whole group.
import { readFileSync } from 'node:fs'

/** A number can be reused by a stranger and a dead child can linger unreaped; both count as gone. */
export function isAgentAlive(pid: number | null, agentId: string, root: string): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const proc = readProc(pid)
  if (proc === null) return process.platform !== 'linux'
  if (proc.state === 'Z' || proc.state === 'X') return false
  // On its way out a process has no command line any more; it still holds its lock.
  const leaving = proc.args.every((arg) => arg === '')
  return leaving || (proc.args.includes(agentId) && proc.args.includes(root))
}

function readProc(pid: number): { state: string; args: string[] } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    return { state, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
  } catch {
    return null
  }
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
