// The owner's key: made by the first init or up, and used for the person at the keyboard.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type OwnerKeyPlace, ownerKeyIn } from '@treadle/contracts/owner-key'
import type { CliEnv } from './env.ts'
import { UserError } from './user-error.ts'

/** The key of whoever runs this command; null if there is none, or if an agent runs it, which is not the owner. */
export function readOwnerKey({ ownerKey, isAgent }: CliEnv): string | null {
  return isAgent ? null : readKey(ownerKey)
}

/** Makes the key unless there is one. Two that come at once make one. */
export function makeOwnerKey({ ownerKey: place, isAgent }: CliEnv): void {
  if (isAgent || readKey(place) !== null) return
  const { file } = place
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
    linkSync(draft, file)
  } catch (error) {
    // Somebody else was first; what they have made is as good.
    if (readKey(place) !== null) return
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `Your key cannot be written to ${file}: ${why}`,
      'Make that folder writable, take away what is in the way, or name another: TREADLE_CONFIG_HOME=<folder>',
    )
  } finally {
    rmSync(draft, { force: true })
  }
}

function readKey({ file }: OwnerKeyPlace): string | null {
  try {
    return ownerKeyIn(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
