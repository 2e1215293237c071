// One process per agent: the lock belongs to the process and dies with it, however it ends. (Not for network drives.)
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AgentId } from '@treadle/contracts/ids'

export type AgentLock = { readonly is: 'taken'; release(): void } | { readonly is: 'held' }

const SQLITE_BUSY = 5

/** Held here too, because a database that is collected as garbage would give up its lock. */
const taken = new Set<DatabaseSync>()

export function takeAgentLock(folder: string, agentId: AgentId | `fix-${string}`): AgentLock {
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, `${agentId}.lock`))
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) return { is: 'held' }
    throw cause
  }
  taken.add(database)
  // Whoever wants to end this agent when no daemon is left finds its process here.
  const pidFile = join(folder, `${agentId}.pid`)
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    is: 'taken',
    release() {
      if (!taken.delete(database)) return
      rmSync(pidFile, { force: true })
      database.close()
    },
  }
}
