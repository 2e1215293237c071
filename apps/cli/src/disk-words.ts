// Words for a person when the disk or the rights of a folder stand in the way, whichever command meets it.
import { statfsSync } from 'node:fs'
import { UserError } from './user-error.ts'

interface Words {
  readonly message: string
  readonly hint: string
}

/** Words for an error of the system that the user can put right; null for any other. */
export function diskWords(error: unknown): Words | null {
  if (!(error instanceof Error)) return null
  const { code, path } = error as NodeJS.ErrnoException
  const where = path ?? 'a file of Treadle'
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        message: `The disk is full: ${where} could not be written.`,
        hint: 'Make room, then try again. Nothing that was recorded is lost.',
      }
    case 'EROFS':
      return {
        message: `${where} is on a disk that can only be read.`,
        hint: 'Mount it writable, or work on a copy of the repository.',
      }
    case 'EACCES':
    case 'EPERM':
      return {
        message: `There is no permission to write ${where}.`,
        hint: `See whom it belongs to: ls -ld '${where}'`,
      }
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return {
        message: `Something that is not a folder, or not a file, is in the way at ${where}.`,
        hint: 'Move it away, then try again.',
      }
    case 'EMFILE':
    case 'ENFILE':
      return {
        message: 'Too many files are open.',
        hint: 'Close programs, or raise the limit: ulimit -n 4096',
      }
    default:
      return null
  }
}

/** Does what writes to disk; what the user can put right is said in words. */
export function orInWords<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    const words = diskWords(error)
    if (words === null) throw error
    throw new UserError(words.message, words.hint)
  }
}

const ROOM_BYTES_MIN = 16 * 1024 * 1024

/** Refuses where the database and its log could not be written a moment later. */
export function needSpace(folder: string): void {
  const full = fullWords(folder)
  if (full !== null)
    throw new UserError(full, 'Make room, then try again. Nothing that was recorded is lost.')
}

/** A sentence about a disk on which there is no room for a start; null where there is. */
export function fullWords(folder: string): string | null {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= ROOM_BYTES_MIN) return null
  return `The disk is full: ${(free / 1024 ** 2).toFixed(1)} MB are free for ${folder}, and a start needs 16 MB.`
}
