// Work kept under refs/treadle/: found, looked at, and brought back beside everything that the user has.
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import type { KeptGit, KeptRef, KeptRestored } from '@treadle/flow/ports/git'
import { type Git, type GitOptions, openGit } from './git.ts'
import { namesOf, utf8 } from './names.ts'
import { checkBranchName, commitOf, moveRef } from './refs.ts'
import { isCommitId } from './remote.ts'
import { removeWorktree } from './worktree.ts'
import { addWorktree, findCheckout, linkedPath } from './worktree-list.ts'

const KEPT = 'refs/treadle/'
const KNOWN_MAX = 10_000

export function openKeptGit(options: GitOptions): KeptGit {
  const git = openGit(options)
  const known = new Map<string, string[]>()
  return {
    list: () => list(git),
    changes: async (commit, target) => {
      const key = `${target} ${commit}`
      const files = known.get(key) ?? (await changes(git, commit, target))
      if (known.size >= KNOWN_MAX) known.clear()
      // Of two commits it never changes; a branch may be elsewhere the next time.
      if (isCommitId(target)) known.set(key, files)
      return files
    },
    restore: (ref, into) => restore(git, ref, into),
    keepWorktree: (worktree, ref) => removeWorktree(git, worktree, ref),
  }
}

async function list(git: Git): Promise<KeptRef[]> {
  const format = '%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)'
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, KEPT]
  const { stdout } = await git.run(args)
  return stdout.split('\n').flatMap((line) => {
    const [ref = '', commit = '', seconds = '', subject = ''] = line.split('\0')
    return ref === '' ? [] : [{ ref, commit, at: new Date(Number(seconds) * 1_000), subject }]
  })
}

async function changes(git: Git, commit: string, target: string): Promise<string[]> {
  const base = await git.run(['merge-base', target, commit], { ok: [0, 1, 128] })
  const from = base.code === 0 ? base.stdout.trim() : await emptyTree(git)
  const args = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', from, commit]
  return namesOf((await git.run(args)).bytes).map(utf8)
}

/** The empty tree, whose id depends on how the repository hashes. */
async function emptyTree(git: Git): Promise<string> {
  return (await git.run(['hash-object', '-t', 'tree', '--stdin'])).stdout.trim()
}

/** A new branch, and a new folder if one is named; nothing that exists is moved. */
async function restore(
  git: Git,
  ref: string,
  into: { branch: string; worktree: string | null },
): Promise<KeptRestored> {
  const commit = ref.startsWith(KEPT) ? await commitOf(git, ref) : null
  if (commit === null) return { is: 'missing' }
  await checkBranchName(git, into.branch)
  const path = into.worktree === null ? null : await freePlace(git, into.worktree)
  if (path?.is === 'taken') return path
  const to = { ref: `refs/heads/${into.branch}`, to: commit, from: '0'.repeat(commit.length) }
  if (!(await moveRef(git, { ...to, why: 'undelete' }))) return { is: 'branch_exists' }
  if (path !== null) await addWorktree(git, path.at, [path.at, into.branch])
  return { is: 'restored', commit, branch: into.branch, worktree: path?.at ?? null }
}

async function freePlace(
  git: Git,
  path: string,
): Promise<{ is: 'free'; at: string } | { is: 'taken'; at: string }> {
  if (!isAbsolute(path)) throw new Fault('git', `the worktree's path ${path} is not absolute`)
  const at = await linkedPath(git, path)
  const taken = (existsSync(at) && readdirSync(at).length > 0) || (await findCheckout(git, at)) !== null
  return { is: taken ? 'taken' : 'free', at }
}
