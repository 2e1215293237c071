// The owner's key as the daemon knows it: read once at the start, from the user's own folder.
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { type OwnerKeyPlace, ownerKeyIn } from '@treadle/contracts/owner-key'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Logger } from 'pino'

const OTHERS = 0o077

/** The daemon makes no key: whoever starts it as the owner has one, and nobody else becomes the owner by starting it. */
export function readOwnerKey({ file }: OwnerKeyPlace, log: Logger): string {
  const key = ownerKeyIn(readText(file))
  if (key === null)
    throw new Fault('owner_key', `the owner's key ${file} is not there, or cannot be read`, {
      hint: 'Start it with: treadle up, which makes one.',
    })
  closeToOthers(file, log)
  return key
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A key that other users of the machine can read is closed to them; where that is not allowed, the log says so. */
function closeToOthers(file: string, log: Logger): void {
  try {
    const { mode } = statSync(file)
    if ((mode & OTHERS) === 0) return
    chmodSync(file, mode & ~OTHERS)
    log.warn({ file }, 'other users could read the owner’s key; now they cannot')
  } catch (error) {
    log.warn({ file, why: messageOf(error) }, 'other users can read the owner’s key')
  }
}
