// The files of a checkout as they are: what git tracks, and what is new and not ignored.
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ProjectTree } from '@treadle/flow/ports/project-tree'
import { type GitOptions, openGit } from './git.ts'
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
    read: async (path) => readText(root, path),
  }
}

/** A link is followed only to a place below the root. */
function readText(root: string, path: string): string | null {
  try {
    const place = realpathSync(join(root, path))
    if (!place.startsWith(`${realpathSync(root)}${sep}`)) return null
    const stat = lstatSync(place)
    if (!stat.isFile() || stat.size > BYTES_MAX) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(place))
  } catch {
    // It is not there, or it is no text: for whoever asks about conventions that is the same.
    return null
  }
}
