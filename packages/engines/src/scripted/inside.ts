// Keeps a scenario's paths inside the folder it plays in.
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, sep } from 'node:path'

export class OutsidePath extends Error {}

/** The path to use for `file`; throws OutsidePath if it, or a link on the way to it, leads out of `root`. */
export function insidePath(root: string, file: string, end: 'followed' | 'not_followed'): string {
  if (isAbsolute(file) || file.includes('\0') || file.split(/[\\/]/).includes('..')) {
    throw new OutsidePath(`${JSON.stringify(file)} is not a path inside the working folder`)
  }
  const path = join(root, file)
  // A link as the last part is followed by a write, but removed itself by a delete.
  const real = end === 'followed' ? realOf(path) : join(realOf(dirname(path)), 'last')
  const home = realpathSync.native(root)
  if (real.startsWith(home + sep)) return path
  throw new OutsidePath(`${JSON.stringify(file)} does not lead to a place inside the working folder`)
}

/** The real place of a path, also if its last parts are still to be made. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
  if (isLink(path)) throw new OutsidePath(`${JSON.stringify(path)} is a link to nowhere`)
  return join(realOf(dirname(path)), 'missing')
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
