// Waits for what a test returned, without waiting for time: timers fire once nothing else is under way.
import { clock, turn } from './clock.ts'
import { cpuMs } from './tank.ts'

/** The test waits for something that nothing is going to bring about. */
export class Hung extends Error {
  constructor() {
    super('the test never finished')
    this.name = 'Hung'
  }
}

const IDLE_TURNS_MAX = 3
const OWN = new Set(['PipeWrap', 'TTYWrap', 'Immediate', 'Timeout', 'MessagePort', 'ConnectWrap'])

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
  )
}

export async function settle(value: PromiseLike<unknown>, ms: number): Promise<void> {
  let state: 'pending' | 'done' | 'failed' = 'pending'
  let thrown: unknown
  value.then(
    () => {
      state = 'done'
    },
    (cause: unknown) => {
      state = 'failed'
      thrown = cause
    },
  )
  const isPending = () => state === 'pending'
  for (let tick = 0; tick < 30 && isPending(); tick += 1) await null
  if (isPending()) await pump(isPending, cpuMs() + ms)
  if (!isPending() && (state as string) === 'failed') throw thrown
}

async function pump(isPending: () => boolean, until: number): Promise<void> {
  let idle = 0
  while (isPending()) {
    await turn()
    if (!isPending()) return
    // Every turn takes the processor's time: a machine that is busy elsewhere must not change a verdict.
    if (cpuMs() > until) throw new Hung()
    if (!isQuiet()) continue
    if (!clock.isManual && clock.step()) idle = 0
    else idle += 1
    if (idle > IDLE_TURNS_MAX) throw new Hung()
  }
}

/** A quiet program has nothing of the real world under way, such as a file being read. */
function isQuiet(): boolean {
  return process.getActiveResourcesInfo().every((name) => OWN.has(name))
}
