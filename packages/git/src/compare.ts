// Changes between two commits, and what a file was in one of them.
import type { Git } from './git.ts'
import { needCommit } from './refs.ts'
import { treeOf, withIndexCopy } from './snapshot.ts'

// A diff that a person decides by has one form, whatever the user's settings or the change itself would make of it.
const plain = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
]
const shape = ['-U3', '--src-prefix=a/', '--dst-prefix=b/']
const EMPTY_TREES = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
]

type Compare = (...options: readonly string[]) => Promise<string>

async function comparing(git: Git, ends: readonly [string, string]): Promise<Compare> {
  // No attributes: those of a checkout could say that code is no text. Git before 2.41 finds none in the git directory.
  const source = EMPTY_TREES.find(({ length }) => length === ends[0]?.length) ?? ''
  const run = { cwd: await git.commonDir(), env: { GIT_ATTR_SOURCE: source } }
  return async (...options) => {
    const args = ['-c', 'core.quotePath=false', 'diff', ...plain, ...options, ...ends, '--']
    return (await git.run(args, run)).stdout
  }
}

/** The changed files and the unified diff from one commit's files to another's. */
export async function diffOf(git: Git, from: string, to: string): Promise<{ files: string[]; text: string }> {
  return changesBetween(await comparing(git, [await needCommit(git, from), await needCommit(git, to)]))
}

/** The changed files and the unified diff from a commit's files to those that stand in a worktree, untracked ones too. */
export async function worktreeDiff(
  git: Git,
  worktree: string,
  from: string,
): Promise<{ files: string[]; text: string }> {
  const base = await needCommit(git, from)
  const tree = await withIndexCopy(git, worktree, (env) => treeOf(git, worktree, env))
  return changesBetween(await comparing(git, [base, tree]))
}

async function changesBetween(compare: Compare): Promise<{ files: string[]; text: string }> {
  const files = (await compare('--name-only', '-z')).split('\0').filter((name) => name !== '')
  return { files, text: files.length === 0 ? '' : await compare(...shape) }
}

/** A file's content in a commit; null if it has none of that name, or if it is no text. */
export async function fileAt(git: Git, commit: string, path: string): Promise<string | null> {
  const at = await needCommit(git, commit)
  const shown = await git.run(['cat-file', 'blob', `${at}:${path}`], { ok: [0, 128] })
  return shown.code === 0 && !shown.stdout.includes('\0') ? shown.stdout : null
}
