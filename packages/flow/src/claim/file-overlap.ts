// Could two pieces of work touch the same file? Read from their paths and globs; in doubt the answer is yes.
import { compileFit, type FitOf, readPath } from '@treadle/memory/fit'

interface Glob {
  readonly fits: FitOf
  /** The folder below which all that it fits stands; empty: it may stand anywhere. */
  readonly folder: string
  /** The end of every path that it fits; empty: any. */
  readonly end: string
}

/** Paths and globs of an item, read once. */
export interface FileSet {
  readonly paths: ReadonlySet<string>
  readonly globs: readonly Glob[]
}

export function fileSet(files: readonly string[]): FileSet {
  const entries = files.map(plainFile)
  return {
    paths: new Set(entries.filter((entry) => !isGlob(entry))),
    globs: entries.filter(isGlob).map(globOf),
  }
}

/** A path as it is compared and kept: with slashes, without a dot in front, a folder as all that is in it. */
export function plainFile(file: string): string {
  const path = file
    .trim()
    .replaceAll('\\', '/')
    .replace(/\/(?:\.?\/)+/g, '/')
    .replace(/^(?:\.?\/)+/, '')
  return path.endsWith('/') ? `${path}**` : path
}

/** A file, or a glob, that both could touch; null: none. */
export function sharedFile(one: FileSet, other: FileSet): string | null {
  for (const path of one.paths) {
    if (other.paths.has(path)) return path
    const asked = readPath(path)
    if (other.globs.some(({ fits }) => fits(asked) !== null)) return path
  }
  for (const path of other.paths) {
    const asked = readPath(path)
    if (one.globs.some(({ fits }) => fits(asked) !== null)) return path
  }
  const pair = one.globs.flatMap((a) => other.globs.filter((b) => mayMeet(a, b)))
  return pair[0] === undefined ? null : `${pair[0].folder}**`
}

function isGlob(entry: string): boolean {
  return /[*?{]/.test(entry)
}

function globOf(glob: string): Glob {
  const inFolder = glob.replace(/^(?:\*\*\/)+/, '').includes('/')
  const head = /^[^*?{]*/.exec(glob)?.[0] ?? ''
  return {
    fits: compileFit(glob),
    folder: inFolder ? head.slice(0, head.lastIndexOf('/') + 1) : '',
    end: /[^*?}]*$/.exec(glob)?.[0].replace(/^.*\//, '') ?? '',
  }
}

/** False only where no path could fit both. */
function mayMeet(a: Glob, b: Glob): boolean {
  const sameFolder = a.folder.startsWith(b.folder) || b.folder.startsWith(a.folder)
  return sameFolder && (a.end.endsWith(b.end) || b.end.endsWith(a.end))
}
