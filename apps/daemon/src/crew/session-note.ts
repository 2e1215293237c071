// What the supervisor writes into an agent's session file when the agent itself cannot: it is gone, or halted.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { AgentId } from '@treadle/contracts/ids'
import { idleSession, SessionFile } from '@treadle/contracts/session-file'
import { messageOf } from '@treadle/flow/fault'
import { readBounded } from '@treadle/process/bounded-file'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

export type SessionFound =
  | { readonly is: 'valid'; readonly session: SessionFile }
  | { readonly is: 'missing' }
  | { readonly is: 'invalid'; readonly why: string }

export interface SessionNotes {
  readonly sessions: string
  readonly clock: Clock
  readonly log: Logger
}

const SESSION_BYTES_MAX = 16 * 1024 * 1024
const RETRY_MS = [1_000, 2_000, 4_000]

export function sessionPath(sessions: string, id: AgentId): string {
  return `${sessions}/${id}.session`
}

export function readSession(sessions: string, id: AgentId): SessionFound {
  const path = sessionPath(sessions, id)
  const file = readBounded(path, SESSION_BYTES_MAX)
  if (file.is === 'absent' && !existsSync(path)) return { is: 'missing' }
  if (file.is !== 'read') return { is: 'invalid', why: 'it is no file that can be read, or too large' }
  try {
    const session = SessionFile.parse(JSON.parse(file.data.toString('utf8')))
    if (session.agentId === id) return { is: 'valid', session }
    return { is: 'invalid', why: `it is the file of ${session.agentId}` }
  } catch (error) {
    return { is: 'invalid', why: messageOf(error).slice(0, 500) }
  }
}

export const ERROR_CHARS_MAX = 4_000

/** How an agent that is gone has ended: one that could say so itself is believed, and has counted its end already. */
export function crashIn(
  found: SessionFound,
  { errorCount }: { readonly errorCount: number },
  seen: string,
): { readonly told: boolean; readonly errorCount: number; readonly lastError: string } {
  const own = found.is === 'valid' && found.session.status === 'crashed' ? found.session : null
  const lastError = (own?.lastError ?? seen).slice(0, ERROR_CHARS_MAX)
  if (own === null) return { told: false, errorCount: errorCount + 1, lastError }
  return { told: true, errorCount: Math.max(own.errorCount, errorCount), lastError }
}

/** Tried at once and three times more while it is still true; a broken disk holds up nobody. */
export function noteInSession(
  notes: SessionNotes,
  id: AgentId,
  patch: Partial<Omit<SessionFile, 'agentId'>>,
  stillTrue: () => boolean,
): void {
  let tried = 0
  const attempt = (): void => {
    if (tried > 0 && !stillTrue()) return
    try {
      write(notes, id, patch)
    } catch (error) {
      const waitMs = RETRY_MS[tried]
      notes.log.warn({ err: error, agent: id, again: waitMs ?? null }, 'session file cannot be written')
      tried += 1
      if (waitMs !== undefined) notes.clock.after(waitMs, attempt)
    }
  }
  attempt()
}

function write(
  { sessions, clock }: SessionNotes,
  id: AgentId,
  patch: Partial<Omit<SessionFile, 'agentId'>>,
): void {
  const lastHeartbeat = clock.now().toISOString()
  const found = readSession(sessions, id)
  const before = found.is === 'valid' ? found.session : idleSession(id, lastHeartbeat)
  const path = sessionPath(sessions, id)
  const temp = `${path}.${process.pid}.tmp`
  mkdirSync(sessions, { recursive: true })
  try {
    writeFileSync(temp, `${JSON.stringify({ ...before, lastHeartbeat, ...patch }, null, 2)}\n`)
    renameSync(temp, path)
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}
