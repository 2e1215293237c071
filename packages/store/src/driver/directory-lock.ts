// One owner per database directory. The kernel frees the lock when its process dies, however it dies.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault, messageOf } from '@treadle/flow/fault'
import { z } from 'zod'
import { type Holder, StoreLocked } from './faults.ts'

const HolderFile = z.object({ url: z.string().nullable(), pid: z.int() })

export interface DirectoryLock {
  /** Writes down the holder, for a process that is refused. */
  setHolder(holder: Holder): void
  release(): void
}

export function lockDirectory(dir: string): DirectoryLock {
  const holderFile = join(dir, 'store.holder.json')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const database = takeLock(dir, () => readHolder(holderFile))
  const setHolder = (holder: Holder): void => {
    const temporary = `${holderFile}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(holder))
    renameSync(temporary, holderFile)
  }
  setHolder({ url: null, pid: process.pid })
  return {
    setHolder,
    release: () => {
      rmSync(holderFile, { force: true })
      database.close()
    },
  }
}

function takeLock(dir: string, holder: () => Holder | null): DatabaseSync {
  const path = join(dir, 'store.lock')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database?.close()
    if (/locked|busy/i.test(messageOf(error))) throw new StoreLocked(dir, holder())
    throw new Fault('store_lock', `${path} could not be locked: ${messageOf(error)}`, { cause: error })
  }
}

/**
 * The holder of a directory; null while the owner has not written it yet; a file that a dead owner left names nobody.
 */
function readHolder(file: string): Holder | null {
  try {
    const holder = HolderFile.parse(JSON.parse(readFileSync(file, 'utf8')))
    return isAlive(holder.pid) ? holder : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
