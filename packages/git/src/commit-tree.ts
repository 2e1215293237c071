// A commit of a tree, as an object: no reference moves.
import type { Git } from './git.ts'
import { noteTree } from './notes.ts'
import { noteCommit } from './refs.ts'

export interface NewObject {
  readonly cwd: string
  /** An id, or an expression for one. */
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/**
 * Makes the commit by the name and address that are configured. Git would guess what is not; told not to, it fails, and
 * only then it is worth asking what is missing.
 */
export async function commitTree(git: Git, { cwd, tree, parents, message }: NewObject): Promise<string> {
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree]
  const run = { cwd, stdin: `${message}\n` }
  const own = await git.run(['-c', 'user.useConfigOnly=true', ...args], { ...run, ok: [0, 128] })
  const made = own.code === 0 ? own : await git.run(args, { ...run, env: await git.identity(cwd) })
  const commit = made.stdout.trim()
  noteCommit(git, commit)
  noteTree(commit, tree)
  return commit
}
