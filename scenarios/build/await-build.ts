// Waits for a build over the API, through kills of the daemon.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'

/** For what hangs. */
const PATIENCE_MS = 8 * 60_000

/** The client is asked for each time: a daemon that was killed has another one. */
export async function until(
  client: () => Client,
  slug: string,
  is: (build: BuildView) => boolean,
): Promise<BuildView> {
  const end = Date.now() + PATIENCE_MS
  let seen: BuildView | null = null
  for (;;) {
    const found = await client()
      .showBuild({ params: { id: slug } })
      .catch(() => null)
    seen = found ?? seen
    if (found !== null && is(found)) return found
    if (Date.now() > end) {
      const tasks = seen?.tasks.map(({ id, status, state, why }) => `${id} ${status} ${state} ${why ?? ''}`)
      throw new Error(`it did not come to that: ${seen?.status} ${seen?.why}\n${tasks?.join('\n')}`)
    }
    await sleep(200)
  }
}
