// Ends a daemon with the process that wanted it, however that one ends: tests that are interrupted leave nobody behind.
import { startOf } from '@treadle/process/table'

const LOOK_MS = 500

/** One that is gone already is noticed too. */
export function watchParent(pid: number, onGone: () => void): void {
  const started = startOf(pid)
  const timer = setInterval(() => {
    if (started !== null && startOf(pid) === started) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  timer.unref()
}
