// Git as the daemon needs it: merging and landing without a working tree of the user's.
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import type { BranchMove, MergeGit, MergeLanded, MergePrepared, MergeRequest } from '@treadle/flow/ports/git'
import { contains, mergeBase } from './ancestry.ts'
import { carry } from './carry.ts'
import { lockCheckouts, type Synced, syncLocked } from './checkout.ts'
import { commitFile } from './commit-file.ts'
import { conflictParts } from './conflict-parts.ts'
import { viewConflict } from './conflict-view.ts'
import { push } from './deliver.ts'
import { type Git, type GitOptions, openGit } from './git.ts'
import { inverseOf } from './inverse.ts'
import { withLease } from './lease.ts'
import { makeBranch } from './make-branch.ts'
import { dryRun, hunks, mergeTree, standsOf } from './merge-tree.ts'
import { lockFiles, readNote, treeOf, writeNote } from './notes.ts'
import { ownBranch } from './own-branch.ts'
import { OWN_COMMON_DIR } from './own-config.ts'
import { pushCommit, pushNotes } from './publish.ts'
import { checkBranchName, checkRefName, commitOf, currentBranch, moveRef, needCommit } from './refs.ts'
import { fetchBranch, hasOrigin, isPushed, latest } from './remote.ts'
import { resolveIn } from './resolve.ts'
import { settleConflict } from './settle-conflict.ts'
import { makeCommit, signatureOf } from './sign.ts'
import { fillSubmodules } from './submodules.ts'
import {
  addWorktree,
  discardHalfMade,
  dropCheckout,
  findCheckout,
  finishDrops,
  linkedPath,
  linkTarget,
  listCheckouts,
} from './worktree-list.ts'

export interface MergeGitWithSync extends MergeGit {
  syncCheckout(target: string, base: string, commit: string): Promise<Synced>
}

export function openMergeGit(options: GitOptions): MergeGitWithSync {
  const git = openGit(options)
  return {
    commitOf: (ref) => commitOf(git, ref),
    findLanded: (target, head) => findLanded(git, target, head),
    prepareMerge: (request) => prepareMerge(git, request),
    treeOf: (commit) => treeOf(git, commit),
    lockFiles: (tree) => lockFiles(git, tree),
    writeNote: (ref, commit, text) => writeNote(git, ref, { commit, text }),
    readNote: (ref, commit) => readNote(git, ref, commit),
    messageOf: async (commit) => (await git.run(['show', '-s', '--format=%B', commit])).stdout,
    signatureOf: (commit) => signatureOf(git, commit),
    withCheckout: (commit, path, use) =>
      withCheckout(git, { commit, path }, async (cwd) => {
        await fillSubmodules(git, cwd)
        return use(cwd)
      }),
    land: (target, base, commit) => land(git, { target, base, commit }),
    discardCheckout: async (path) => clearLeftOver(git, await linkedPath(git, path)),
    currentBranch: () => currentBranch(git, options.repository),
    syncCheckout: (target, base, commit) => syncCheckout(git, { target, base, commit }),
    latest: (branch, fetchMs) => latest(git, branch, fetchMs),
    dryRun: (one, other) => dryRun(git, one, other),
    viewConflict: (request) => viewConflict(git, request),
    conflictParts: (request) => conflictParts(git, request),
    settleConflict: (request) => settleConflict(git, request),
    mergeBase: (one, other) => mergeBase(git, one, other),
    inverseOf: (merge, onto) => inverseOf(git, merge, onto),
    makeBranch: (branch, commit) => makeBranch(git, branch, commit),
    carry: (head, onto) => carry(git, head, onto),
    hunks: (ends, files) => hunks(git, ends, files),
    standsOf: (branches) => standsOf(git, branches),
    // Without submodules: nothing runs in it, and what stands in them must not get into the result.
    resolve: (request) =>
      withCheckout(git, { commit: request.head, path: request.path }, (cwd) => resolveIn(git, cwd, request)),
    keep: (ref, commit) => keep(git, ref, commit),
    moveBranch: (move) => moveBranch(git, move),
    takePushed: (branch, fetchMs) => takePushed(git, branch, fetchMs),
    isPushed: (branch, timeoutMs) => isPushed(git, branch, timeoutMs),
    push: (branch) => push(git, branch),
    pushCommit: (branch, commit) => pushCommit(git, branch, commit),
    pushNotes: (ref, fetchMs) => pushNotes(git, ref, fetchMs),
    withLease: (signal, use) => withLease(git, signal, use),
    commitFile: (request) => commitFile(git, request),
  }
}

async function prepareMerge(git: Git, request: MergeRequest): Promise<MergePrepared> {
  const base = await needCommit(git, request.target)
  const head = await needCommit(git, request.head)
  const merged = await mergeTree(git, base, head)
  if (!merged.clean) return { is: 'conflicted', files: merged.files }
  const { message, sign = false } = request
  return {
    is: 'prepared',
    base,
    ...(await makeCommit(git, { tree: merged.tree, parents: [base, head], message, sign })),
  }
}

/**
 * The oldest commit of the target's own line that contains `head`. It is `head` itself if that stands on the
 * line, as after a fast-forward.
 */
async function findLanded(git: Git, target: string, head: string): Promise<string | null> {
  const tip = await commitOf(git, target)
  const wanted = await commitOf(git, head)
  if (tip === null || wanted === null || !(await contains(git, tip, wanted))) return null
  const listed = await git.run(['rev-list', '--first-parent', '--parents', tip, `^${wanted}`])
  const line = listed.stdout.split('\n').filter((row) => row !== '')
  // Newest first: whatever contains `head` comes before whatever does not.
  let newest = 0
  let oldest = line.length
  while (newest < oldest) {
    const middle = Math.floor((newest + oldest) / 2)
    const commit = line[middle]?.split(' ')[0] ?? tip
    if (await contains(git, commit, wanted)) newest = middle + 1
    else oldest = middle
  }
  const [commit, firstParent] = line[newest - 1]?.split(' ') ?? []
  return commit === undefined || firstParent === wanted ? wanted : commit
}

async function withCheckout<T>(
  git: Git,
  at: { commit: string; path: string },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = await linkedPath(git, at.path)
  await clearLeftOver(git, path)
  mkdirSync(dirname(path), { recursive: true })
  try {
    await addWorktree(git, path, ['--detach', path, await needCommit(git, at.commit)])
    return await use(path)
  } finally {
    await dropCheckout(git, path)
  }
}

/** Clears a checkout of this repository; anything else at the path is somebody's. */
async function clearLeftOver(git: Git, path: string): Promise<void> {
  await finishDrops(path)
  await discardHalfMade(git, path)
  const known = await findCheckout(git, path)
  const foreign =
    existsSync(path) && readdirSync(path).length > 0 && !known && !linksTo(path, await git.commonDir())
  // Throw-away checkouts are on no branch; one that is on a branch is somebody's work.
  if (foreign || (known && known.branch !== null))
    throw new Fault('git', `${path} is in the way and is not a throw-away checkout of this repository`)
  if (known || existsSync(path)) await dropCheckout(git, path)
}

function linksTo(path: string, commonDir: string): boolean {
  if (!lstatSync(join(path, '.git'), { throwIfNoEntry: false })?.isFile()) return false
  const entries = [join(commonDir, 'worktrees'), join(commonDir, OWN_COMMON_DIR, 'worktrees')]
  const target = linkTarget(path)
  return target !== null && entries.some((folder) => target.startsWith(`${folder}/`))
}

interface Landing {
  readonly target: string
  readonly base: string
  readonly commit: string
}

async function land(git: Git, landing: Landing): Promise<MergeLanded> {
  const { target, base, commit } = landing
  await checkBranchName(git, target)
  const ref = `refs/heads/${target}`
  const at = await commitOf(git, ref)
  if (at !== base && at !== commit) return { is: 'moved' }
  // The checkouts are locked first: a commit made between the two steps would undo the merge.
  const locked = await lockCheckouts(git, landing)
  try {
    const moved = at === commit || (await moveRef(git, { ref, to: commit, from: base, why: 'merge' }))
    if (!moved) return { is: 'moved' }
    return { is: 'landed', ...(await syncLocked(git, locked, landing)) }
  } finally {
    locked.release()
  }
}

async function syncCheckout(git: Git, landing: Landing): Promise<Synced> {
  const locked = await lockCheckouts(git, landing)
  try {
    return await syncLocked(git, locked, landing)
  } finally {
    locked.release()
  }
}

// ── Branches of agents ──────────────────────────────────────────────────────────────────────────

/** The same commit under the same reference again is nothing new. */
async function keep(git: Git, ref: string, commit: string): Promise<void> {
  await checkRefName(git, ref)
  await git.run(['update-ref', ref, commit])
}

async function moveBranch(git: Git, { branch, from, to }: BranchMove): Promise<boolean> {
  await checkBranchName(git, branch)
  const ref = `refs/heads/${branch}`
  if ((await commitOf(git, ref)) === to) return true
  for (const place of await listCheckouts(git)) {
    // An agent's own worktree is about to go; one that a person has made would look changed all over.
    if (place.branch !== branch || !existsSync(place.path)) continue
    if ((await ownBranch(git, place.path)) === null) return false
  }
  return moveRef(git, { ref, to, from, why: 'adapted to the target' })
}

/** Somebody may have gone on with the branch elsewhere and pushed it; then the one here follows. */
async function takePushed(git: Git, branch: string, fetchMs: number): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  const local = await commitOf(git, ref)
  if (local === null || !(await hasOrigin(git))) return local
  if ((await fetchBranch(git, branch, fetchMs)) !== 'fetched') return local
  const remote = await commitOf(git, `refs/remotes/origin/${branch}`)
  if (remote === null || remote === local || !(await contains(git, remote, local))) return local
  return (await moveBranch(git, { branch, from: local, to: remote })) ? remote : local
}
