// Whether git is in the middle of something in this checkout; files that appear then would be taken for a part of it.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'

const MARKS: readonly (readonly [name: string, words: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisection'],
]

/** What git is busy with; null: nothing, or it is no checkout. */
export function gitBusyWith(root: string): string | null {
  const folder = gitFolderOf(root)
  if (folder === null) return null
  return MARKS.find(([name]) => existsSync(join(folder, name)))?.[1] ?? null
}

/** A worktree has a file that says where its folder is. */
function gitFolderOf(root: string): string | null {
  const own = join(root, '.git')
  const stat = statSync(own, { throwIfNoEntry: false })
  if (stat === undefined) return null
  if (stat.isDirectory()) return own
  const named = /^gitdir: (.+)$/m.exec(boundedText(own, 10_000) ?? '')?.[1]
  return named === undefined ? null : resolve(root, named.trim())
}
