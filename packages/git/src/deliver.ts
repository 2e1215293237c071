// The ways out of a worktree: commits on its branch, the list of changes, a push.
import { Fault } from '@treadle/flow/fault'
import type { Pushed } from '@treadle/flow/ports/git'
import { artefactsIn, untrackedIn } from './artefacts.ts'
import { type Git, withoutCredentials } from './git.ts'
import { utf8 } from './names.ts'
import { oversizedAmong } from './oversized.ts'
import { headAt, ownBranch, returnToBranch } from './own-branch.ts'
import { checkBranchName, currentBranch, needCommit } from './refs.ts'
import { hasOrigin } from './remote.ts'
import { addAll } from './snapshot.ts'
import { repairLink } from './worktree-list.ts'

export async function commit(
  git: Git,
  worktree: string,
  message: string,
): Promise<{ is: 'committed'; commit: string } | { is: 'nothing' }> {
  await repairLink(git, worktree)
  const branch = await currentBranch(git, worktree)
  const madeFor = (await ownBranch(git, worktree)) ?? branch
  if (madeFor === null) throw new Fault('git', `the worktree ${worktree} is on no branch`)
  if (madeFor !== branch) await returnToBranch(git, worktree, madeFor)
  await addAll(git, worktree)
  const staged = await git.run(['diff', '--cached', '--quiet', '--no-ext-diff'], {
    cwd: worktree,
    ok: [0, 1],
  })
  if (staged.code === 0) return { is: 'nothing' }
  const env = await git.identity(worktree)
  const args = ['commit', '--no-verify', '--quiet', '--cleanup=whitespace', '-F', '-']
  await git.run(args, { cwd: worktree, env, stdin: message })
  return { is: 'committed', commit: await headAt(git, worktree) }
}

/** Everything that differs from where the branch left `base`, untracked files too; artefacts and what is too large are left out. */
export async function changedFiles(git: Git, worktree: string, base: string): Promise<string[]> {
  const cwd = worktree
  await repairLink(git, cwd)
  const from = await needCommit(git, base)
  const fork = await git.run(['merge-base', from, 'HEAD'], { cwd, ok: [0, 1] })
  const since = fork.code === 0 ? fork.stdout.trim() : from
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', since, '--']
  const tracked = await git.run(args, { cwd })
  const untracked = await untrackedIn(git, cwd)
  const artefacts = await artefactsIn(git, cwd, untracked)
  const fresh = untracked.filter((name) => !artefacts.has(name))
  const large = new Set(oversizedAmong(cwd, fresh, git.keep).map(({ name }) => name))
  const added = fresh.filter((name) => !large.has(name)).map(utf8)
  // A nested repository ends in a slash; it is never part of a commit.
  const names = [...tracked.stdout.split('\0'), ...added].filter((name) => /[^/]$/.test(name))
  return [...new Set(names)].sort()
}

const pushMsMax = 5 * 60_000

export async function push(git: Git, branch: string): Promise<Pushed> {
  await checkBranchName(git, branch)
  if (!(await hasOrigin(git))) return { is: 'no_remote' }
  const ref = `refs/heads/${branch}`
  const args = [
    'push',
    '--no-verify',
    '--no-follow-tags',
    '--recurse-submodules=no',
    'origin',
    `${ref}:${ref}`,
  ]
  const pushed = await git.run(args, { ok: [0, 1, 128], timeoutMs: pushMsMax })
  if (pushed.code === 0) return { is: 'pushed' }
  return { is: 'failed', why: withoutCredentials(pushed.stderr.trim().slice(-2_000)) || 'git gave no reason' }
}
