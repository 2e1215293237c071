import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'
import { linkedGitDir } from './worktree-list.ts'

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
    seen.add(commit)
    return commit
  }
  return null
}

/**
 * Several references as `commitOf` would tell each, from one process. HEAD is that of the checkout at `cwd`; every other
 * name is a whole one.
 */
export async function commitsOf(
  git: Git,
  refs: readonly string[],
  cwd: string = git.repository,
): Promise<(string | null)[]> {
  if (refs.length === 0) return []
  const stdin = refs.map((ref) => `${ref}^{commit}\n`).join('')
  const asked = refs.every((ref) => ref === 'HEAD' || isPlainRef(ref))
    ? await git.run(['cat-file', '--batch-check'], { cwd, stdin, ok: [0, 128] })
    : null
  const lines = asked?.code === 0 ? asked.stdout.split('\n').slice(0, -1) : []
  if (lines.length !== refs.length) {
    const found: (string | null)[] = []
    for (const ref of refs) found.push(ref === 'HEAD' ? await headOf(git, cwd) : await commitOf(git, ref))
    return found
  }
  const commits = lines.map((line) => /^([0-9a-f]{40,64}) commit \d+$/.exec(line)?.[1] ?? null)
  for (const commit of commits) if (commit !== null) knownTo(git).add(commit)
  return commits
}

/** Notes a commit that was just made here, so that nobody need ask whether it is one. */
export function noteCommit(git: Git, commit: string): void {
  if (fullId.test(commit)) knownTo(git).add(commit)
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

const plainPart = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?!\.))*$/

/** Names that git takes for sure, so that it need not be asked: letters, digits and a few marks. */
function isPlainRef(ref: string): boolean {
  const [first, ...parts] = ref.split('/')
  if (first !== 'refs' || parts.length === 0) return false
  return parts.every((part) => plainPart.test(part) && !/\.(?:lock)?$/.test(part))
}

export async function checkBranchName(git: Git, branch: string): Promise<void> {
  if (isPlainRef(`refs/heads/${branch}`)) return
  const { code } = await git.run(['check-ref-format', `refs/heads/${branch}`], { ok: [0, 1] })
  if (code !== 0 || branch.startsWith('-')) throw new Fault('git', `'${branch}' cannot be a branch name`)
}

export async function checkRefName(git: Git, ref: string): Promise<void> {
  if (isPlainRef(ref)) return
  const { code } = await git.run(['check-ref-format', ref], { ok: [0, 1] })
  if (code !== 0 || !ref.startsWith('refs/')) throw new Fault('git', `'${ref}' cannot be a reference`)
}

export async function gitDirOf(git: Git, worktree: string): Promise<string> {
  const linked = await linkedGitDir(git, worktree)
  if (linked !== null) return linked
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
  if (code !== 0) return null
  noteCommit(git, stdout.trim())
  return stdout.trim()
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
