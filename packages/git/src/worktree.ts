// Git as an agent needs it: one worktree, one branch, checkpoints beside the branch.
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import type { WorktreeGit, WorktreeRequest } from '@treadle/flow/ports/git'
import { contains } from './ancestry.ts'
import { clearArtefacts, watch } from './artefacts.ts'
import { carry } from './carry.ts'
import { diffOf, fileAt, fileChanges, idsAt, worktreeDiff } from './compare.ts'
import { changedFiles, commit, push } from './deliver.ts'
import { type Git, type GitOptions, openGit } from './git.ts'
import { inverseOf } from './inverse.ts'
import { removeIfStale } from './locks.ts'
import { bytesOf, kindAt, type Name, namesOf, parentsOf } from './names.ts'
import { leftOut } from './oversized.ts'
import { headAt, noteOwnBranch, ownBranch, returnToBranch } from './own-branch.ts'
import { checkBranchName, commitOf, gitDirOf, moveRef, needCommit } from './refs.ts'
import { lastPushed, latest } from './remote.ts'
import { commitUnder, type IndexEnv, keepCommit, treeOf, withIndexCopy } from './snapshot.ts'
import { fillSubmodules } from './submodules.ts'
import {
  addWorktree,
  type Checkout,
  discardHalfMade,
  dropCheckout,
  findCheckout,
  finishDrops,
  linkedPath,
  listCheckouts,
  repairLink,
} from './worktree-list.ts'

export function openWorktreeGit(options: GitOptions): WorktreeGit {
  const git = openGit(options)
  return {
    commitOf: (ref) => commitOf(git, ref),
    ensureWorktree: (request) => ensureWorktree(git, request),
    checkpoint: (worktree, ref, message) => checkpoint(git, worktree, { ref, message }),
    restore: (worktree, checkpoint, keepRef) => restore(git, { worktree, checkpoint, keepRef }),
    commit: (worktree, message) => commit(git, worktree, message),
    leftOut: (worktree) => leftOut(git, worktree),
    changedFiles: (worktree, base) => changedFiles(git, worktree, base),
    watch: (worktree, what, use) => watch(git, { worktree, what }, use),
    clearArtefacts: (worktree) => clearArtefacts(git, worktree),
    diff: (from, to) => diffOf(git, from, to),
    worktreeDiff: (worktree, from) => worktreeDiff(git, worktree, from),
    fileChanges: (from, to) => fileChanges(git, from, to),
    fileAt: (commit, path) => fileAt(git, commit, path),
    idsAt: (commit, paths) => idsAt(git, commit, paths),
    inverseOf: (merge, onto) => inverseOf(git, merge, onto),
    carry: (head, onto) => carry(git, head, onto),
    push: (branch) => push(git, branch),
    latest: (branch, fetchMs) => latest(git, branch, fetchMs),
    removeWorktree: (worktree, keepRef) => removeWorktree(git, worktree, keepRef),
  }
}

// ── Making and taking up ────────────────────────────────────────────────────────────────────────

async function ensureWorktree(
  git: Git,
  request: WorktreeRequest,
): Promise<{ head: string; resumed: boolean }> {
  if (!isAbsolute(request.path)) throw new Fault('git', `the worktree's path ${request.path} is not absolute`)
  await checkBranchName(git, request.branch)
  const path = await linkedPath(git, request.path)
  await finishDrops(path)
  await discardHalfMade(git, path)
  const known = await findCheckout(git, path)
  if (known && existsSync(path) && (await repairLink(git, path))) {
    const takenUp = !request.fresh && (await takeUp(git, known, request.branch))
    if (takenUp) return { head: await headAt(git, path), resumed: true }
    // Left by an earlier claim: its content goes under the reference, then it makes room.
    await removeWorktree(git, path, request.keepRef)
  } else {
    await clearPlace(git, path, known)
  }
  await makeWorktree(git, { ...request, path })
  return { head: await headAt(git, path), resumed: false }
}

/** True if the worktree that is there belongs to the branch; its files stay as they are. */
async function takeUp(git: Git, known: Checkout, branch: string): Promise<boolean> {
  const gitDir = await gitDirOf(git, known.path)
  const madeFor = (await ownBranch(git, known.path)) ?? known.branch
  if (madeFor !== branch) return false
  for (const name of ['index.lock', 'HEAD.lock']) removeIfStale(join(gitDir, name))
  // An engine may have checked out something else; the files are what counts, and they belong on the branch.
  if (known.branch !== branch) await returnToBranch(git, known.path, branch)
  await repairIndex(git, known.path, gitDir)
  await noteOwnBranch(git, known.path, branch)
  return true
}

/** The index holds nothing that the files and HEAD do not; a broken or missing one is made again. */
async function repairIndex(git: Git, worktree: string, gitDir: string): Promise<void> {
  const index = join(gitDir, 'index')
  if (existsSync(index)) {
    const { code } = await git.run(['ls-files', '--cached', '--', ':(top)'], { cwd: worktree, ok: [0, 128] })
    if (code === 0) return
    rmSync(index, { force: true })
  }
  await git.run(['reset', '--quiet'], { cwd: worktree })
}

/** Clears a path where nothing of git's is, but perhaps an old entry or somebody's files. */
async function clearPlace(git: Git, path: string, known: Checkout | null): Promise<void> {
  if (existsSync(path) && readdirSync(path).length > 0) renameSync(path, `${path}.set-aside-${Date.now()}`)
  if (known) await git.run(['worktree', 'remove', '--force', '--force', path])
  mkdirSync(dirname(path), { recursive: true })
}

async function makeWorktree(git: Git, request: WorktreeRequest): Promise<void> {
  const { path, branch } = request
  await freeBranch(git, branch)
  await placeBranch(git, request)
  await addWorktree(git, path, [path, branch])
  await noteOwnBranch(git, path, branch)
  await fillSubmodules(git, path)
}

/** The branch exists afterwards: new or fresh at the base, else where it was. */
async function placeBranch(git: Git, request: WorktreeRequest): Promise<void> {
  const ref = `refs/heads/${request.branch}`
  const at = await commitOf(git, ref)
  if (at !== null && !request.fresh) return
  const to = await startOf(git, request.branch, await needCommit(git, request.base))
  if (at === to) return
  if (at !== null) await keepCommit(git, request.keepRef, at)
  const moved = await moveRef(git, { ref, to, from: at ?? '0'.repeat(to.length), why: 'start of a worktree' })
  if (!moved) throw new Fault('git', `somebody else has just moved the branch ${request.branch}`)
}

/**
 * Where the branch begins: at the base, and if it was pushed before, on top of that as well, with the files of the
 * base. So the next push adds to what origin has and need not overwrite it.
 */
async function startOf(git: Git, branch: string, base: string): Promise<string> {
  const pushed = await lastPushed(git, branch)
  if (pushed === null || (await contains(git, base, pushed))) return base
  const args = ['commit-tree', '-p', base, '-p', pushed, '-F', '-', `${base}^{tree}`]
  const stdin = `Start over; what was pushed before is superseded\n\nKind: restart\n`
  return (await git.run(args, { env: await git.identity(git.repository), stdin })).stdout.trim()
}

/** A worktree whose folder is gone still holds its branch until git is told. */
async function freeBranch(git: Git, branch: string): Promise<void> {
  for (const each of await listCheckouts(git)) {
    if (each.branch !== branch || each.bare) continue
    if (existsSync(each.path) || each.lockedBecause !== null) {
      throw new Fault('git', `the branch ${branch} is checked out at ${each.path}`, {
        hint: 'Check out another branch there; the agent works on this one in its own worktree.',
      })
    }
    await git.run(['worktree', 'remove', '--force', each.path])
  }
}

// ── Checkpoints ─────────────────────────────────────────────────────────────────────────────────

async function checkpoint(git: Git, worktree: string, as: { ref: string; message: string }): Promise<string> {
  await repairLink(git, worktree)
  return withIndexCopy(git, worktree, async (env) =>
    commitUnder(git, worktree, { tree: await treeOf(git, worktree, env), ...as }),
  )
}

async function restore(
  git: Git,
  { worktree, checkpoint, keepRef }: { worktree: string; checkpoint: string; keepRef: string },
): Promise<void> {
  await repairLink(git, worktree)
  const target = await needCommit(git, checkpoint)
  await withIndexCopy(git, worktree, async (env) => {
    await treeOf(git, worktree, env)
    await addCovered(git, { worktree, target, env })
    const tree = (await git.run(['write-tree'], { cwd: worktree, env })).stdout.trim()
    await commitUnder(git, worktree, { tree, ref: keepRef, message: 'Kept before a checkpoint was restored' })
    // The copied index now equals the files, so git knows each file that has to go and each that has to change.
    await git.run(['read-tree', '--reset', '-u', target], { cwd: worktree, env })
  })
  await git.run(['reset', '--quiet'], { cwd: worktree })
}

/** Files that are ignored now but will be overwritten, since the checkpoint has them, are kept as well. */
async function addCovered(git: Git, at: { worktree: string; target: string; env: IndexEnv }): Promise<void> {
  const { worktree: cwd, target, env } = at
  const wanted = namesOf((await git.run(['ls-tree', '-r', '-z', '--name-only', target], { cwd })).bytes)
  const held = new Set(namesOf((await git.run(['ls-files', '-z'], { cwd, env })).bytes))
  const covered = wanted.filter((name) => !held.has(name) && isPlainFile(cwd, name))
  if (covered.length === 0) return
  const args = ['--literal-pathspecs', 'add', '--force', '--pathspec-from-file=-', '--pathspec-file-nul']
  await git.run(args, { cwd, env, stdin: bytesOf(covered) })
}

/** Git does not look behind links to folders. */
function isPlainFile(cwd: string, name: Name): boolean {
  return kindAt(cwd, name) === 'file' && parentsOf(name).every((parent) => kindAt(cwd, parent) === 'folder')
}

// ── Removing ────────────────────────────────────────────────────────────────────────────────────

export async function removeWorktree(git: Git, worktree: string, keepRef: string): Promise<void> {
  const path = await linkedPath(git, worktree)
  await finishDrops(path)
  await discardHalfMade(git, path)
  const known = await findCheckout(git, path)
  if (!existsSync(path)) {
    if (known) await git.run(['worktree', 'remove', '--force', '--force', path])
    return
  }
  if (!known || !(await repairLink(git, path))) return removeEmpty(path)
  if (known.lockedBecause !== null) {
    throw new Fault('git', `the worktree ${path} is locked: ${known.lockedBecause || 'no reason given'}`, {
      hint: `Run \`git worktree unlock ${path}\` if it may go.`,
    })
  }
  await keepContent(git, known, keepRef)
  await dropCheckout(git, path)
}

function removeEmpty(path: string): void {
  if (readdirSync(path).length === 0) {
    rmdirSync(path)
    return
  }
  throw new Fault('git', `${path} is not a worktree of this repository, so it is left as it is`)
}

async function keepContent(git: Git, known: Checkout, keepRef: string): Promise<void> {
  await withIndexCopy(git, known.path, async (env) => {
    const tree = await treeOf(git, known.path, env)
    const same = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'], {
      cwd: known.path,
      ok: [0, 1, 128],
    })
    // A detached HEAD may hold commits that no branch has.
    if (known.branch !== null && same.stdout.trim() === tree) return
    await commitUnder(git, known.path, {
      tree,
      ref: keepRef,
      message: 'Kept before the worktree was removed',
    })
  })
}
