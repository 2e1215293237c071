// The way to the daemon: found through the file it leaves in the workspace, found again after it restarted.
import { readFileSync } from 'node:fs'
import { ApiError, type Client, createClient } from '@treadle/contracts/client'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { Clock } from '@treadle/flow/ports/clock'
import { reach } from './reach.ts'

export interface Home {
  /** A client for where the daemon was last seen. */
  client(): Client
}

/** Longer than the daemon may take to answer. */
const PATIENCE_MS = 20_000

export function findHome(paths: WorkspacePaths, patienceMs = PATIENCE_MS): Home {
  let seen = ''
  let used = ''
  let client: Client | null = null
  return {
    client() {
      seen = readOr(paths.daemon, seen)
      const url = urlIn(seen)
      if (client === null || used !== `${url}\n${seen}`) {
        used = `${url}\n${seen}`
        client = createClient({
          url,
          token: readOr(paths.token, '').trim(),
          timeoutMs: patienceMs,
          fetch: reach,
        })
      }
      return client
    },
  }
}

export function isAway(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.code === 'unreachable' || error.status >= 500 || error.status === 429)
  )
}

interface Asking {
  readonly clock: Pick<Clock, 'sleep'>
  readonly signal: AbortSignal
}

const AGAIN_MS = 500
/** A daemon that is there and fails is asked so often; one that is gone is waited for. */
const FAULTS_MAX = 60

/** Asks again while the daemon is away: nothing is decided for want of it. What it refuses is thrown. */
export async function askPatiently<T>(ask: () => Promise<T>, { clock, signal }: Asking): Promise<T> {
  for (let faults = 0; ; ) {
    signal.throwIfAborted()
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error)) throw error
      if (error instanceof ApiError && error.code !== 'unreachable') faults += 1
      if (faults >= FAULTS_MAX) throw error
    }
    await clock.sleep(AGAIN_MS, signal)
  }
}

/** A port on which nothing listens answers "unreachable", which is the truth where there is no daemon. */
const NOWHERE = 'http://127.0.0.1:9'

/** Where the daemon is. The port of one that is gone may be an engine's by now, which is not to be sent our key. */
function urlIn(text: string): string {
  try {
    const { url, pid } = JSON.parse(text) as { url?: unknown; pid?: unknown }
    if (typeof url !== 'string') return NOWHERE
    return typeof pid === 'number' && !isThere(pid) ? NOWHERE : url
  } catch {
    return NOWHERE
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be sent a signal.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
