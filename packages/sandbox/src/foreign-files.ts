// Files in folders that foreign code writes to, handled from outside: a link there may lead to the owner's key, a pipe
// may never end, and a folder may be locked. Nothing out here follows what was put there.
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isBelow } from './paths.ts'

const CHUNK_BYTES = 1024 * 1024

/** The bytes of a plain file below `root`; null: it is none, leads out of `root`, or has more than `bytesMax`. A pipe is
 *  not waited for. */
export function readForeign(root: string, path: string, bytesMax: number): Buffer | null {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return null
  }
  try {
    // The file that was opened is asked where it is: its path may lead elsewhere by now.
    if (!fstatSync(fd).isFile() || !isBelow(pathOf(fd, path), realpathSync(root))) return null
    return readUpTo(fd, bytesMax)
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}

const pathOf = (fd: number, path: string): string =>
  process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path)

function readUpTo(fd: number, bytesMax: number): Buffer | null {
  const chunks: Buffer[] = []
  let bytes = 0
  // One byte more than allowed shows that there is more; a size that was asked for before could grow.
  while (bytes <= bytesMax) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytesMax + 1 - bytes))
    const read = readSync(fd, chunk)
    if (read === 0) return Buffer.concat(chunks, bytes)
    chunks.push(chunk.subarray(0, read))
    bytes += read
  }
  return null
}

/** Puts a plain file in the place of whatever is there, unless its folder leads out of `root`. */
export function writeForeign(root: string, path: string, text: string, mode = 0o644): void {
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const where = pathOf(folder, dirname(path))
    if (!isBelow(where, realpathSync(root))) throw new Error(`${path} does not lead to a place in ${root}`)
    // By the folder that is open, wherever its name may lead by now.
    const at = process.platform === 'linux' ? `/proc/self/fd/${folder}` : where
    replaceFile(join(at, basename(path)), { draft: join(at, `.${randomUUID()}`), text, mode })
  } finally {
    closeSync(folder)
  }
}

function replaceFile(
  place: string,
  { draft, text, mode }: { readonly draft: string; readonly text: string; readonly mode: number },
): void {
  try {
    writeFileSync(draft, text, { flag: 'wx', mode })
    chmodSync(draft, mode)
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) removeForeign(place)
    renameSync(draft, place)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes a folder with all that is in it, also what was locked against that. */
export function removeForeign(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 })
  } catch {
    unlock(path)
    rmSync(path, { recursive: true, force: true, maxRetries: 2 })
  }
}

function unlock(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  chmodSync(path, 0o700)
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(path, entry.name))
}
