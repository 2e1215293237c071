// Waits for something that another process brings about.
import { setTimeout as sleep } from 'node:timers/promises'

/** Often at first. Who has waited long asks less often, so as not to slow down what is waited for. */
const pauseMs = (waitedMs: number): number => Math.min(200, Math.max(25, waitedMs / 20))

/** Asks until there is an answer; fails with the name of what did not come. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const waitedMs = performance.now() - since
    if (waitedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(pauseMs(waitedMs))
  }
}
