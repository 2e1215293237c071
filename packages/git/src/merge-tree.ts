// A merge of two commits as it would be, computed on objects: no working tree, no index, no reference is touched.
import { existsSync } from 'node:fs'
import { Fault } from '@treadle/flow/fault'
import type { DryRun, LineRange } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'
import { needCommit } from './refs.ts'
import { treeOf, withIndexCopy } from './snapshot.ts'
import { listCheckouts } from './worktree-list.ts'

/** The tree of a merge, and the files that conflict in it. */
export async function mergeTree(
  git: Git,
  base: string,
  head: string,
): Promise<{ tree: string; clean: boolean; files: string[] }> {
  // Attributes come from the target, not from whatever the user has in the checkout; git before 2.41 ignores it.
  const run = { cwd: await git.commonDir(), env: { GIT_ATTR_SOURCE: base } }
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', base, head]
  const merged = await git.run(args, { ...run, ok: [0, 1] })
  const [tree, ...files] = merged.stdout.split('\0').filter((part) => part !== '')
  if (tree === undefined) throw new Fault('git', 'git merge-tree gave no tree')
  return { tree, clean: merged.code === 0, files: [...new Set(files)].sort() }
}

export async function dryRun(git: Git, one: string, other: string): Promise<DryRun> {
  const merged = await mergeTree(git, await needCommit(git, one), await needCommit(git, other))
  return merged.clean ? { is: 'clean' } : { is: 'conflicted', files: merged.files }
}

/** The lines of `from` that `to` replaces, deletes or adds after, for each of the files. */
export async function hunks(
  git: Git,
  ends: { from: string; to: string },
  files: readonly string[],
): Promise<LineRange[][]> {
  const found: LineRange[][] = []
  for (const file of files) {
    const args = ['diff', '-U0', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
    const { stdout } = await git.run(['--literal-pathspecs', ...args, ends.from, ends.to, '--', file])
    found.push([...stdout.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)].map(rangeOf))
  }
  return found
}

function rangeOf([, from, count]: RegExpMatchArray): LineRange {
  const first = Number(from)
  return { from: first, to: first + Math.max(0, Number(count ?? 1) - 1) }
}

/** The same content gives the same commit, so that what was looked at once is known again. */
export const fixedIdentity = {
  GIT_AUTHOR_NAME: 'Treadle',
  GIT_AUTHOR_EMAIL: 'treadle@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Treadle',
  GIT_COMMITTER_EMAIL: 'treadle@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
}

/** A branch as it stands in its worktree, edits that are not committed included; null if there is no such branch. */
export async function standOf(
  git: Git,
  branch: string,
): Promise<{ head: string; commit: string; committed: boolean } | null> {
  const place = (await listCheckouts(git)).find((each) => each.branch === branch && existsSync(each.path))
  const head = await headOfBranch(git, branch)
  if (head === null) return null
  if (place === undefined) return { head, commit: head, committed: true }
  const tree = await treeAt(git, place.path)
  const was = await git.run(['rev-parse', '--verify', '--quiet', `${head}^{tree}`])
  if (was.stdout.trim() === tree) return { head, commit: head, committed: true }
  const made = await git.run(['commit-tree', '-p', head, '-m', 'as it stands', tree], { env: fixedIdentity })
  return { head, commit: made.stdout.trim(), committed: false }
}

/** An agent may take its worktree away at any moment; then files are missing while they are read. */
async function treeAt(git: Git, path: string): Promise<string> {
  try {
    return await withIndexCopy(git, path, (env) => treeOf(git, path, env))
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new Fault('git', `the worktree ${path} could not be read: ${error.message}`, { cause: error })
    throw error
  }
}

async function headOfBranch(git: Git, branch: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]
  const { code, stdout } = await git.run(args, { ok: [0, 1, 128] })
  return code === 0 ? stdout.trim() : null
}
