// The files of a checkout as they are: what git tracks, and what is new and not ignored.
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import type { ProjectTree } from '@treadle/flow/ports/project-tree'
import { type Git, type GitOptions, openGit } from './git.ts'
import { namesOf, utf8 } from './names.ts'

const FILES_MAX = 50_000
/** Larger files are data, and nobody's conventions. */
const BYTES_MAX = 512 * 1024

export function openProjectTree(options: GitOptions): ProjectTree {
  const git = openGit(options)
  const root = options.repository
  return {
    files: async () => {
      const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
      const { bytes } = await git.run(args)
      return namesOf(bytes).slice(0, FILES_MAX).map(utf8)
    },
    read: async (path) => {
      const place = placeOf(root, path)
      if (place === null || (place.isLink && !(await isProjects(git, place, path)))) return null
      return readText(place.file)
    },
  }
}

interface RealPath {
  /** Without links. */
  readonly file: string
  /** Relative to the root. */
  readonly path: string
  readonly isLink: boolean
}

/** Null: there is no such file below the root. */
function placeOf(root: string, path: string): RealPath | null {
  try {
    const own = realpathSync(root)
    const file = realpathSync(join(root, path))
    if (!file.startsWith(`${own}${sep}`)) return null
    const real = file.slice(own.length + 1)
    return { file, path: real, isLink: real !== normalize(path) }
  } catch {
    return null
  }
}

/** What git ignores or keeps for itself, secrets above all, is not read through a link; a package is, by another package. */
async function isProjects(git: Git, { path: real }: RealPath, path: string): Promise<boolean> {
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const { bytes } = await git.run([...args, real])
  return bytes.length > 0 || (isInstalled(path) && isInstalled(real))
}

function isInstalled(path: string): boolean {
  return /(?:^|\/)node_modules\//.test(path)
}

function readText(file: string): string | null {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || stat.size > BYTES_MAX) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch {
    // It is not there, or it is no text: for whoever asks about conventions that is the same.
    return null
  }
}
