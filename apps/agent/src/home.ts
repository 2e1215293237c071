// The way to the daemon: found through the file it leaves in the workspace, found again after it restarted.
import { readFileSync } from 'node:fs'
import { ApiError, type Client, createClient } from '@treadle/contracts/client'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { reach } from './reach.ts'

export interface Home {
  /** A client for where the daemon was last seen. */
  client(): Client
}

/** Longer than the daemon may take to answer. */
const PATIENCE_MS = 20_000

export function findHome(paths: WorkspacePaths, patienceMs = PATIENCE_MS): Home {
  let seen = ''
  let client: Client | null = null
  return {
    client() {
      const text = readOr(paths.daemon, seen)
      if (client === null || text !== seen) {
        seen = text
        client = createClient({
          url: urlIn(text),
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

function urlIn(text: string): string {
  try {
    const { url } = JSON.parse(text) as { url?: unknown }
    return typeof url === 'string' ? url : 'http://127.0.0.1:9'
  } catch {
    // No daemon yet: a port on which nothing listens answers "unreachable", which is the truth.
    return 'http://127.0.0.1:9'
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
