// The time as the daemon has it: what it does by the clock can be led by another one than the machine's.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock as FlowClock } from '@treadle/flow/ports/clock'

export interface Clock extends FlowClock {
  /** Milliseconds since some moment, that only grow, whatever is done to the date. */
  elapsedMs(): number
  /** Calls once, after that time; what it returns calls it off. */
  after(ms: number, act: () => void): () => void
}

export const machineClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  after(ms, act) {
    // Whoever only waits keeps no process from ending.
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}
