// A merge of two commits as it would be, computed on objects: no working tree, no index, no reference is touched.
import { existsSync } from 'node:fs'
import { Fault } from '@treadle/flow/fault'
import type { DryRun, LineRange, Stand } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'
import { treeOf as treeOfCommit } from './notes.ts'
import { commitsOf, needCommit, noteCommit } from './refs.ts'
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

const cleanMax = 5_000
/**
 * Pairs of commits that merge cleanly, by their whole ids. A conflict is looked at anew each time: a person may settle it
 * by a setting, and whoever merges what is clean computes it again.
 */
const cleanPairs = new WeakMap<Git, Set<string>>()

export async function dryRun(git: Git, one: string, other: string): Promise<DryRun> {
  const [base, head] = [await needCommit(git, one), await needCommit(git, other)]
  const pair = `${base} ${head}`
  const known = cleanPairs.get(git) ?? new Set()
  if (base === head || known.has(pair)) return { is: 'clean' }
  const merged = await mergeTree(git, base, head)
  if (!merged.clean) return { is: 'conflicted', files: merged.files }
  if (known.size >= cleanMax) known.clear()
  cleanPairs.set(git, known.add(pair))
  return { is: 'clean' }
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

/**
 * Branches as they stand in their worktrees, edits that are not committed included; null for one that is not there, or
 * whose worktree goes while it is read.
 */
export async function standsOf(git: Git, branches: readonly string[]): Promise<(Stand | null)[]> {
  if (branches.length === 0) return []
  const checkouts = await listCheckouts(git)
  const heads = await commitsOf(
    git,
    branches.map((branch) => `refs/heads/${branch}`),
  )
  const stands: (Stand | null)[] = []
  for (const [at, branch] of branches.entries()) {
    const place = checkouts.find((each) => each.branch === branch && existsSync(each.path))
    const head = heads[at] ?? null
    stands.push(head === null ? null : await standAt(git, head, place?.path ?? null))
  }
  return stands
}

async function standAt(git: Git, head: string, path: string | null): Promise<Stand | null> {
  if (path === null) return { head, commit: head, committed: true }
  try {
    const tree = await treeAt(git, path)
    if ((await treeOfCommit(git, head)) === tree) return { head, commit: head, committed: true }
    const args = ['commit-tree', '-p', head, '-m', 'as it stands', tree]
    const commit = (await git.run(args, { env: fixedIdentity })).stdout.trim()
    noteCommit(git, commit)
    return { head, commit, committed: false }
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
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
