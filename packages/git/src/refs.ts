import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'

const fullId = /^[0-9a-f]{40}([0-9a-f]{24})?$/

const knownMax = 5_000
/** Commits that were seen. They do not change, and asking for one costs a process. */
const known = new WeakMap<Git, Set<string>>()

function knownTo(git: Git): Set<string> {
  const seen = known.get(git)
  if (seen !== undefined && seen.size < knownMax) return seen
  const fresh = new Set<string>()
  known.set(git, fresh)
  return fresh
}

/** A branch is preferred to a tag or anything else of the same name. */
export async function commitOf(git: Git, ref: string): Promise<string | null> {
  const seen = knownTo(git)
  if (seen.has(ref)) return ref
  const names = fullId.test(ref) || ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, ref]
  for (const name of names) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    const { code, stdout } = await git.run(args, { ok: [0, 1, 128] })
    if (code !== 0) continue
    const commit = stdout.trim()
    if (commit === ref) seen.add(commit)
    return commit
  }
  return null
}

export async function needCommit(git: Git, ref: string): Promise<string> {
  const commit = await commitOf(git, ref)
  if (commit !== null) return commit
  const anything = await git.run(['rev-list', '--all', '--max-count=1'], { ok: [0, 128] })
  const empty = anything.stdout.trim() === ''
  throw new Fault('git', empty ? 'the repository has no commit yet' : `there is no commit named '${ref}'`, {
    hint: empty ? 'Make a first commit.' : 'Check the name of the branch.',
  })
}

export async function checkBranchName(git: Git, branch: string): Promise<void> {
  const { code } = await git.run(['check-ref-format', `refs/heads/${branch}`], { ok: [0, 1] })
  if (code !== 0 || branch.startsWith('-')) throw new Fault('git', `'${branch}' cannot be a branch name`)
}

export async function checkRefName(git: Git, ref: string): Promise<void> {
  const { code } = await git.run(['check-ref-format', ref], { ok: [0, 1] })
  if (code !== 0 || !ref.startsWith('refs/')) throw new Fault('git', `'${ref}' cannot be a reference`)
}

export async function gitDirOf(git: Git, worktree: string): Promise<string> {
  const args = ['rev-parse', '--path-format=absolute', '--git-dir']
  return (await git.run(args, { cwd: worktree })).stdout.replace(/\n$/, '')
}

/** The branch that HEAD of a checkout names, without refs/heads/; null if it is detached. */
export async function currentBranch(git: Git, cwd: string): Promise<string | null> {
  const { code, stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD'], { cwd, ok: [0, 1] })
  return code === 0 ? stdout.trim().replace(/^refs\/heads\//, '') : null
}

export async function headOf(git: Git, cwd: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
  const { code, stdout } = await git.run(args, { cwd, ok: [0, 1, 128] })
  return code === 0 ? stdout.trim() : null
}

/** Compare-and-swap; false if the reference was not at `from`. An all-zero `from` means that it must be new. */
export async function moveRef(
  git: Git,
  move: { ref: string; to: string; from: string; why: string },
): Promise<boolean> {
  const args = ['update-ref', '-m', `treadle: ${move.why}`, move.ref, move.to, move.from]
  const { code, stderr } = await git.run(args, { ok: [0, 1, 128] })
  if (code === 0) return true
  if (/but expected|reference already exists|unable to resolve reference/.test(stderr)) return false
  throw new Fault('git', `the reference ${move.ref} could not be moved: ${stderr.trim().slice(-1_000)}`)
}
