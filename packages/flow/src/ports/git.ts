// What the flow needs of git: an agent in its own worktree, the daemon where it merges and looks ahead. Types only.
import type { ConflictFile, ConflictView, LineRange } from '@treadle/contracts/conflict'
import type { ConflictParts, FileChoice } from '@treadle/contracts/conflict-parts'
import type { DeliveredFile } from '@treadle/contracts/delivery'
import type { SignatureFound } from '@treadle/contracts/receipt'

export type { ConflictFile, ConflictView, LineRange, SignatureFound }

export interface WorktreeRequest {
  readonly path: string
  readonly branch: string
  readonly base: string
  /** A new claim: the branch starts at `base`; what it pointed at before stays under `keepRef`. False: go on where it is. */
  readonly fresh: boolean
  readonly keepRef: string
}

/** A new file that is too large to be kept. */
export interface LeftOut {
  readonly file: string
  readonly bytes: number
}

/** What a merge brought, taken back on top of a later commit. */
export interface Inverse {
  /** A commit on top of the later one; of the same two commits it is always the same. */
  readonly commit: string
  /** Files in which later work stands in the way; the commit leaves them as they are. */
  readonly conflicts: readonly string[]
}

/** A delivered change on top of a later commit; `from` is what both have in common. */
export type Carried =
  | { readonly is: 'carried'; readonly from: string; readonly commit: string }
  | { readonly is: 'conflicted'; readonly from: string; readonly files: readonly string[] }

/** Git as the agent needs it: inside its own worktree. */
export interface WorktreeGit {
  /** The commit a branch of the repository points at. */
  commitOf(ref: string): Promise<string | null>
  /** Makes the worktree, or takes up the one that a killed predecessor left. Never loses what is in it. */
  ensureWorktree(request: WorktreeRequest): Promise<{ head: string; resumed: boolean }>
  /** Everything in the worktree, untracked files too, as a commit under `ref`; the branch does not move. */
  checkpoint(worktree: string, ref: string, message: string): Promise<string>
  /** Puts the worktree's files back to a checkpoint; what was there is kept under `keepRef` first. */
  restore(worktree: string, checkpoint: string, keepRef: string): Promise<void>
  /** New files that a checkpoint and a commit leave out, since they are larger than the limits. */
  leftOut(worktree: string): Promise<LeftOut[]>
  /** Commits everything on the branch; nothing to commit is an outcome. */
  commit(worktree: string, message: string): Promise<{ is: 'committed'; commit: string } | { is: 'nothing' }>
  changedFiles(worktree: string, base: string): Promise<string[]>
  /** Files that appear while `use` runs are artefacts: in no checkpoint, no list of changes and no commit. */
  watch<T>(worktree: string, what: 'gate' | 'setup', use: () => Promise<T>): Promise<T>
  /** Removes the artefacts of gates, so that the files are those that would be delivered. */
  clearArtefacts(worktree: string): Promise<void>
  /** The changed files and the unified diff from one commit's files to another's. */
  diff(from: string, to: string): Promise<{ files: string[]; text: string }>
  /** The same from a commit's files to those in the worktree as they are now; the worktree is left as it is. */
  worktreeDiff(worktree: string, from: string): Promise<{ files: string[]; text: string }>
  /** The same file by file, each with its counts; of what is too long, the beginning. */
  fileChanges(from: string, to: string): Promise<DeliveredFile[]>
  /** A text file's content in a commit. */
  fileAt(commit: string, path: string): Promise<string | null>
  /** The ids of what a commit has at these paths, by path; what it does not have is left out. */
  idsAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The inverse of a merge on top of `onto`; null if the merge is not in its history. */
  inverseOf(merge: string, onto: string): Promise<Inverse | null>
  /** A delivered change on top of `onto`, as a commit; null if the two have nothing in common. */
  carry(head: string, onto: string): Promise<Carried | null>
  push(branch: string): Promise<Pushed>
  /** The newest commit that new work may start from; origin is asked first, where there is one. */
  latest(branch: string, fetchMs: number): Promise<Latest>
  /** Removes the worktree only if its content is reachable from a ref; a checkpoint under `keepRef` makes it so. */
  removeWorktree(worktree: string, keepRef: string): Promise<void>
}

export interface MergeRequest {
  readonly target: string
  readonly head: string
  readonly message: string
  /** With the user's own key where one works, else with that of the workspace. */
  readonly sign?: boolean
}
export type Signature =
  /** `why` is what kept the user's own key from being used, where there is one. */
  | { readonly is: 'signed'; readonly by: 'user' | 'workspace'; readonly why?: string }
  | { readonly is: 'unsigned' }
  /** There is a key, and it could not be used. */
  | { readonly is: 'failed'; readonly why: string }
export type MergePrepared =
  | {
      readonly is: 'prepared'
      readonly commit: string
      readonly base: string
      readonly signature: Signature
    }
  | { readonly is: 'conflicted'; readonly files: string[] }
export type MergeLanded =
  | { readonly is: 'landed'; readonly checkout: 'none' | 'updated' | 'left'; readonly note: string | null }
  | { readonly is: 'moved' }

/** The newest commit of a branch, here or at origin. */
export interface Latest {
  readonly commit: string
  readonly from: 'here' | 'origin'
  /** What origin has besides, where the two have gone different ways. */
  readonly beside: string | null
  /** Which it is, in words. */
  readonly note: string
}
export type DryRun =
  | { readonly is: 'clean' }
  | { readonly is: 'conflicted'; readonly files: readonly string[] }
export interface ResolveRequest {
  readonly head: string
  readonly onto: string
  /** A branch that was pushed is never rewritten: the target is merged into it. */
  readonly how: 'rebase' | 'merge'
  /** Where a throw-away checkout may be put. */
  readonly path: string
  readonly message: string
}
export type Resolved =
  | { readonly is: 'resolved'; readonly commit: string }
  | { readonly is: 'failed'; readonly why: string }
export interface BranchMove {
  readonly branch: string
  readonly from: string
  readonly to: string
}
export type Pushed =
  | { readonly is: 'pushed' }
  | { readonly is: 'no_remote' }
  | { readonly is: 'failed'; readonly why: string }
/** `moved`: the branch at origin has something that the commit has not. */
export type PushedCommit = Pushed | { readonly is: 'moved' }

/** Git as it is needed to see conflicts coming. */
/** Where a branch is, and a commit of what stands in its worktree, which is the same if all is committed. */
export interface Stand {
  readonly head: string
  readonly commit: string
  readonly committed: boolean
}

export interface ForecastGit {
  /** Would the two merge? Computed on objects; nothing is touched. */
  dryRun(one: string, other: string): Promise<DryRun>
  mergeBase(one: string, other: string): Promise<string | null>
  /** The lines of `from` that differ in `to`, file by file. */
  hunks(ends: { from: string; to: string }, files: readonly string[]): Promise<LineRange[][]>
  /** Branches with what stands uncommitted in their worktrees; null for one that is not there or cannot be read. */
  standsOf(branches: readonly string[]): Promise<(Stand | null)[]>
  commitOf(ref: string): Promise<string | null>
}

/** Two commits, with the names that people know them by. */
export interface ViewRequest {
  readonly branch: { readonly name: string; readonly commit: string }
  readonly target: { readonly name: string; readonly commit: string }
  readonly filesMax: number
  /** Of one diff. */
  readonly charsMax: number
}

/** The two commits of a conflict, with the names that people know them by. */
export type PartsRequest = Pick<ViewRequest, 'branch' | 'target'>

export interface SettleRequest {
  readonly target: string
  readonly branch: string
  readonly files: readonly FileChoice[]
  readonly message: string
}
export type SettledConflict =
  /** A merge of the target into the branch; no branch has moved. */
  { readonly is: 'settled'; readonly commit: string } | { readonly is: 'refused'; readonly why: string }

export interface FileCommit {
  readonly branch: string
  readonly base: string
  readonly path: string
  readonly text: string
  readonly message: string
}
export type CommittedFile =
  | { readonly is: 'committed'; readonly commit: string }
  /** The branch is there already, at this commit. */
  | { readonly is: 'exists'; readonly commit: string }

/** What became of a branch that was to be made: `exists` says where it is already. */
export type MadeBranch =
  | { readonly is: 'made' }
  | { readonly is: 'exists'; readonly commit: string }
  | { readonly is: 'refused'; readonly why: string }

/** Git as the daemon needs it: merging without a working tree of the user's. */
export interface MergeGit extends ForecastGit {
  /** Asks origin first, where there is one. */
  latest(branch: string, fetchMs: number): Promise<Latest>
  /** What a merge of the two leaves in the files that conflict; null if they have no commit in common. */
  viewConflict(request: ViewRequest): Promise<ConflictView | null>
  /** The files that conflict in parts to be decided; null if the two have no commit in common. */
  conflictParts(request: PartsRequest): Promise<ConflictParts | null>
  /** The merge that the choices make, as an object. */
  settleConflict(request: SettleRequest): Promise<SettledConflict>
  /** Rebases or merges in a throw-away checkout, the target's side winning; no branch moves. */
  resolve(request: ResolveRequest): Promise<Resolved>
  /** Makes a commit reachable from a reference of ours. */
  keep(ref: string, commit: string): Promise<void>
  /** Compare-and-swap; false if the branch is elsewhere, or somebody has it checked out. */
  moveBranch(move: BranchMove): Promise<boolean>
  /** Where the branch is, after it has followed what was pushed to origin meanwhile. */
  takePushed(branch: string, fetchMs: number): Promise<string | null>
  isPushed(branch: string, timeoutMs: number): Promise<boolean>
  push(branch: string): Promise<Pushed>
  /** Never by force: origin takes it only if it adds to the branch. */
  pushCommit(branch: string, commit: string): Promise<PushedCommit>
  /** Takes in what origin has under the reference, and sends ours. */
  pushNotes(ref: string, fetchMs: number): Promise<Pushed>
  /** A new branch at a commit; it is never moved if it is there. */
  makeBranch(branch: string, commit: string): Promise<MadeBranch>
  /** A change on top of `onto`, as a commit; null if the two have nothing in common. */
  carry(head: string, onto: string): Promise<Carried | null>
  /** A new branch from `base` with one commit that sets one file; no checkout is touched. */
  commitFile(request: FileCommit): Promise<CommittedFile>
  /** Nobody else merges in this repository while `use` runs; a holder that died is not waited for. */
  withLease<T>(signal: AbortSignal, use: () => Promise<T>): Promise<T>
  /** The merge commit by which `head` came to `target`, if it is there already. */
  findLanded(target: string, head: string): Promise<string | null>
  /** Makes the merge commit as an object; no ref moves. */
  prepareMerge(request: MergeRequest): Promise<MergePrepared>
  treeOf(commit: string): Promise<string>
  /** The inverse of a merge on top of `onto`; null if the merge is not in its history. */
  inverseOf(merge: string, onto: string): Promise<Inverse | null>
  /** The lock files at the root of a tree, with git's own hash of each. */
  lockFiles(tree: string): Promise<{ path: string; blob: string }[]>
  /** Keeps a text beside a commit, byte for byte, as a note under `ref`. */
  writeNote(ref: string, commit: string, text: string): Promise<void>
  /** Null: nothing is kept beside the commit. */
  readNote(ref: string, commit: string): Promise<string | null>
  messageOf(commit: string): Promise<string>
  signatureOf(commit: string): Promise<SignatureFound>
  /** A throw-away checkout of `commit` for the length of `use`. */
  withCheckout<T>(commit: string, path: string, use: (path: string) => Promise<T>): Promise<T>
  /** Removes what a killed `withCheckout` left behind at `path`. */
  discardCheckout(path: string): Promise<void>
  /** The branch that the repository's own checkout is on; null if detached. */
  currentBranch(): Promise<string | null>
  /** Brings a clean checkout of `target` from `base` to `commit`, where a landing was interrupted before it did. */
  syncCheckout(target: string, base: string, commit: string): Promise<{ readonly note: string | null }>
  /** Compare-and-swap of the target's ref from `base` to `commit`; a clean checkout of it follows. */
  land(target: string, base: string, commit: string): Promise<MergeLanded>
}

export interface KeptRef {
  readonly ref: string
  readonly commit: string
  readonly at: Date
  readonly subject: string
}
export type KeptRestored =
  | {
      readonly is: 'restored'
      readonly commit: string
      readonly branch: string
      readonly worktree: string | null
    }
  | { readonly is: 'missing' }
  | { readonly is: 'branch_exists' }
  | { readonly is: 'taken'; readonly at: string }

/** Work that was kept under refs/treadle/. */
export interface KeptGit {
  /** Newest first. */
  list(): Promise<KeptRef[]>
  /** The files that differ from where the commit left the target's line. */
  changes(commit: string, target: string): Promise<string[]>
  /** On a new branch, and in a new worktree if a folder is named; the user's checkout is not touched. */
  restore(ref: string, into: { branch: string; worktree: string | null }): Promise<KeptRestored>
  /** Keeps what a worktree holds under the reference, then removes it. */
  keepWorktree(worktree: string, ref: string): Promise<void>
}
