// Reads a file that somebody else's program may have put there. Such a file can be a pipe that nobody writes to, a
// device that never ends, or larger than the memory; none of that may hold up or end the process that looks at it.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export type BoundedFile =
  | { readonly is: 'read'; readonly data: Buffer }
  /** The file is not there, or may not be opened. */
  | { readonly is: 'absent' }
  /** The path names a folder, a pipe, a socket or a device. */
  | { readonly is: 'no_file' }
  | { readonly is: 'too_large'; readonly bytes: number }

/** The whole content of a plain file of at most `bytesMax` bytes; links are followed. */
export function readBounded(path: string, bytesMax: number): BoundedFile {
  return withFile(path, (file, size) => {
    if (size > bytesMax) return { is: 'too_large', bytes: size }
    const data = fill(file, Math.min(size + 1, bytesMax + 1))
    // It grew while it was read.
    return data.length > bytesMax ? { is: 'too_large', bytes: data.length } : { is: 'read', data }
  })
}

/** As readBounded, but of a file that is no link itself; `names` counts the names that it has on its file system. */
export function readUnlinked(
  path: string,
  bytesMax: number,
):
  | Exclude<BoundedFile, { is: 'read' }>
  | { readonly is: 'read'; readonly data: Buffer; readonly names: number } {
  let names = 1
  const found = withFile(
    path,
    (file, size) => {
      names = fstatSync(file).nlink
      return size > bytesMax ? { is: 'too_large', bytes: size } : { is: 'read', data: fill(file, size) }
    },
    constants.O_NOFOLLOW ?? 0,
  )
  return found.is === 'read' ? { ...found, names } : found
}

/** The beginning of a plain file, at most `bytesMax` bytes of it. */
export function readBoundedStart(path: string, bytesMax: number): BoundedFile {
  return withFile(path, (file, size) => ({ is: 'read', data: fill(file, Math.min(size, bytesMax)) }))
}

/** The text of a plain file of at most `bytesMax` bytes; null if there is none such. */
export function boundedText(path: string, bytesMax: number): string | null {
  const found = readBounded(path, bytesMax)
  return found.is === 'read' ? found.data.toString('utf8') : null
}

function withFile(path: string, read: (file: number, size: number) => BoundedFile, flags = 0): BoundedFile {
  let file: number
  try {
    // Without waiting: to open a pipe would else last until somebody writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  } catch (error) {
    // A socket cannot be opened at all, nor a link where none is followed.
    return ['ENXIO', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? { is: 'no_file' }
      : { is: 'absent' }
  }
  try {
    const stat = fstatSync(file)
    return stat.isFile() ? read(file, stat.size) : { is: 'no_file' }
  } catch {
    return { is: 'absent' }
  } finally {
    closeSync(file)
  }
}

function fill(file: number, bytes: number): Buffer {
  const data = Buffer.allocUnsafe(bytes)
  let at = 0
  while (at < bytes) {
    const count = readSync(file, data, at, bytes - at, null)
    if (count === 0) break
    at += count
  }
  return data.subarray(0, at)
}
