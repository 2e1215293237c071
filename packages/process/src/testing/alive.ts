// Whether a process of a test still runs.
import { readFileSync } from 'node:fs'

/** One that nobody has collected yet counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
