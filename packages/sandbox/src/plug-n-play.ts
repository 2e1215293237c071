// Yarn's Plug'n'Play: one file says where every package is, relative to itself. A copy of it in another tree says so
// too, if its packages of the project mean that tree and all others the checkout that has them.
import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, posix, relative } from 'node:path'

/** Files that an install of Yarn leaves beside its folders, often ignored by git. */
export const PLUG_N_PLAY: ReadonlySet<string> = new Set([
  '.pnp.cjs',
  '.pnp.js',
  '.pnp.data.json',
  '.pnp.loader.mjs',
  '.yarn/install-state.gz',
])
const HAS_LOCATIONS = new Set(['.pnp.cjs', '.pnp.js', '.pnp.data.json'])
/** The end of a copy that we made; JavaScript and JSON read over it. */
const MARK = '\n\t\n\t\n'
/** A package that is the same as another but for its peers: so many folders up from `.yarn`, and then there. */
const VIRTUAL = /^(.*)\/(?:__virtual__|\$\$virtual)\/[^/]+\/(\d+)\/(.*)$/

interface Trees {
  readonly owner: string
  readonly tree: string
  /** The path by which whoever reads the file knows the tree, if another. */
  readonly at?: string
}

/** Puts a file of Plug'n'Play into the tree, unless one is there that we did not make, or that is as new. */
export function turnPlugNPlay({ owner, tree, at = tree }: Trees, name: string): void {
  const [from, to] = [join(owner, name), join(tree, name)]
  const there = statSync(to, { throwIfNoEntry: false })
  if (there !== undefined && there.size > 0 && !isTurned(to)) return
  if (there !== undefined && there.size > 0 && there.mtimeMs >= statSync(from).mtimeMs) return
  if (!HAS_LOCATIONS.has(basename(name))) {
    copyFileSync(from, to)
    return
  }
  // Locations are relative to the file itself, which lies as deep in the one as in the other.
  const back = relative(at, owner)
  writeFileSync(to, `${turnedLocations(readFileSync(from, 'utf8'), back)}${MARK}`)
}

export function turnedLocations(text: string, back: string): string {
  return text.replaceAll(
    /("packageLocation":\s*")([^"\\]+)(")/g,
    (whole, before: string, location: string, after: string) =>
      isOfProject(location) ? whole : `${before}${posix.join(back, location)}${after}`,
  )
}

function isOfProject(location: string): boolean {
  const [, folder = '', up = '0', rest = ''] = VIRTUAL.exec(location) ?? []
  const real = rest === '' ? posix.normalize(location) : posix.join(folder, '../'.repeat(Number(up)), rest)
  return !(real.startsWith('..') || /(?:^|\/)\.yarn\/(?:cache|unplugged)\//.test(real))
}

/** Whether a file is a copy that we made. */
export function isTurned(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const end = Buffer.alloc(MARK.length)
    readSync(file, end, 0, end.length, Math.max(0, fstatSync(file).size - end.length))
    return end.toString('utf8') === MARK
  } finally {
    closeSync(file)
  }
}
