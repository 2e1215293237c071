// Changes that do not go together: those that stopped a merge, and those that would if things stay as they are.
import { z } from 'zod'
import { AgentId, CommitId, Instant, ItemRef, Positive } from './ids.ts'

/** Set on an item while its conflict waits for a person. */
export const CONFLICT_LABEL = 'needs-manual-resolution'

/** Pending: waits for a person. Resolving: a person says it is resolved, and the merge looks. */
export const ConflictStatus = z.enum(['pending', 'resolving', 'resolved'])
export type ConflictStatus = z.infer<typeof ConflictStatus>

/** A merge that stopped because both sides changed the same. */
export const Conflict = z.strictObject({
  id: Positive,
  projectNumber: Positive,
  issueNumber: Positive,
  issueTitle: z.string(),
  branchName: z.string(),
  headCommit: CommitId,
  conflictingFiles: z.array(z.string()),
  status: ConflictStatus,
  why: z.string(),
  createdAt: Instant,
  resolvedAt: Instant.nullable(),
  /** How it ended. */
  how: z.string().nullable(),
})
export type Conflict = z.infer<typeof Conflict>

/** Lines of a file as it was where both sides began; `to` is the last of them. */
export const LineRange = z.strictObject({ from: z.int().min(0), to: z.int().min(0) })
export type LineRange = z.infer<typeof LineRange>

export const OverlapFile = z.strictObject({
  path: z.string(),
  /** Where both sides changed the same lines; empty if the conflict is not about lines. */
  lines: z.array(LineRange),
})
export type OverlapFile = z.infer<typeof OverlapFile>

export const ConflictSide = z.strictObject({
  branch: z.string(),
  /** Null: the target. */
  item: ItemRef.nullable(),
  agentId: AgentId.nullable(),
  /** What was looked at; edits that are not committed yet are in a commit that no branch has. */
  commit: CommitId,
  committed: z.boolean(),
})
export type ConflictSide = z.infer<typeof ConflictSide>

/** What would stop the second of two merges if both went on as they are. */
export const PredictedConflict = z.strictObject({
  one: ConflictSide,
  other: ConflictSide,
  files: z.array(OverlapFile),
  since: Instant,
})
export type PredictedConflict = z.infer<typeof PredictedConflict>

/** What the two sides did to a file; what git finds in the three versions of it, not what is in the lines. */
export const ConflictKind = z.enum([
  'both_changed',
  'both_added',
  'deleted_on_target',
  'deleted_on_branch',
  /** Renamed, or a file on one side and a folder on the other. */
  'moved',
  /** A link, a submodule or no text: only one side or the other. */
  'not_text',
])
export type ConflictKind = z.infer<typeof ConflictKind>

export const ConflictFile = z.strictObject({
  path: z.string(),
  kind: ConflictKind,
  /** Unified diffs; empty: nothing differs. From the target to what a merge leaves, with markers where it stopped. */
  merged: z.string(),
  /** From where both began to the branch, and to the target. */
  onBranch: z.string(),
  onTarget: z.string(),
  /** A diff was too long and is cut. */
  cut: z.boolean(),
})
export type ConflictFile = z.infer<typeof ConflictFile>

export const NamedCommit = z.strictObject({ name: z.string(), commit: CommitId })

/** A conflict as it would be if the branch were merged now. */
export const ConflictView = z.strictObject({
  branch: NamedCommit,
  target: NamedCommit,
  /** Where both sides began. */
  base: CommitId,
  /** None: the branch merges as it is now. */
  files: z.array(ConflictFile),
  /** Conflict too, and are not shown. */
  more: z.int(),
})
export type ConflictView = z.infer<typeof ConflictView>
