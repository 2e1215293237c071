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
    const stat = fstatSync(fd)
    if (!stat.isFile() || !isBelow(pathOf(fd, path), realpathSync.native(root))) return null
    return readUpTo(fd, stat.size, bytesMax)
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}

const pathOf = (fd: number, path: string): string =>
  process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path)

/** `size` is only what to make room for at first: the file could have grown since. */
function readUpTo(fd: number, size: number, bytesMax: number): Buffer | null {
  const full: Buffer[] = []
  let bytes = 0
  let used = 0
  // One byte more than there should be shows that there is more.
  let chunk = Buffer.allocUnsafe(Math.min(size, bytesMax) + 1)
  while (bytes <= bytesMax) {
    const read = readSync(fd, chunk, used, chunk.length - used, null)
    if (read === 0) return Buffer.concat([...full, chunk.subarray(0, used)], bytes)
    bytes += read
    used += read
    if (used < chunk.length) continue
    full.push(chunk)
    chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    used = 0
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
