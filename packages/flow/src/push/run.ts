// A branch goes to origin, where there is one; a push that fails is tried again a few times.
import { NO_REMOTE } from '@treadle/contracts/ids'
import type { Clock, Pushed } from '../ports.ts'

export interface PushWorld {
  readonly git: { push(branch: string): Promise<Pushed> }
  readonly sleep: Clock['sleep']
  readonly retries: number
  readonly signal: AbortSignal
}
export interface PushOutcome {
  readonly pushed: boolean
  /** Why it was not pushed. */
  readonly note: string | null
}

const FIRST_WAIT_MS = 1_000

export async function runPush(world: PushWorld, branch: string): Promise<PushOutcome> {
  for (let tries = 0; ; tries += 1) {
    const pushed = await world.git.push(branch)
    if (pushed.is === 'pushed') return { pushed: true, note: null }
    if (pushed.is === 'no_remote') return { pushed: false, note: NO_REMOTE }
    if (tries >= world.retries) return { pushed: false, note: `push failed: ${pushed.why}`.slice(0, 1_000) }
    await world.sleep(FIRST_WAIT_MS * 2 ** tries, world.signal)
  }
}
