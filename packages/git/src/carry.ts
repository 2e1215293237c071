// A delivered change on top of a later commit, computed on objects: no working tree, no index and no reference is
// touched.
import type { Carried } from '@treadle/flow/ports/git'
import { mergeBase } from './ancestry.ts'
import type { Git } from './git.ts'
import { fixedIdentity, mergeTree } from './merge-tree.ts'
import { commitOf, needCommit } from './refs.ts'

/** Null: the commit is not here, or has no history in common with `onto`. */
export async function carry(git: Git, head: string, onto: string): Promise<Carried | null> {
  const at = await needCommit(git, onto)
  const delivered = await commitOf(git, head)
  const from = delivered === null ? null : await mergeBase(git, at, delivered)
  if (delivered === null || from === null) return null
  const { tree, clean, files } = await mergeTree(git, at, delivered)
  if (!clean) return { is: 'conflicted', from, files }
  const args = ['commit-tree', '-p', at, '-m', 'A delivered change', tree]
  const commit = (await git.run(args, { env: fixedIdentity })).stdout.trim()
  return { is: 'carried', from, commit }
}
