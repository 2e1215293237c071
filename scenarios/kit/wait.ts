// Waits for something that another process brings about.
import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until there is an answer; fails with the name of what did not come. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > until) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(25)
  }
}
