// What is told of a merge and of conflicts.
import { z } from 'zod'
import { GateResult } from '../gate.ts'
import { CommitId, ItemRef, itemLabel, NO_REMOTE } from '../ids.ts'
import { shortCommit } from '../words/commit.ts'
import { count, event, line, type Sentences, why } from './shape.ts'

/** What only the daemon may say of an item. */
const daemonMoves = [
  event('merge.landed', {
    commit: CommitId,
    target: z.string(),
    /** What the owner has to do about a checkout that could not follow. */
    note: z.string().max(4_000).nullable(),
  }),
  event('merge.conflicted', { files: z.array(z.string()), why }),
  event('merge.failed', {
    gates: z.array(GateResult),
    why,
    /** Set where origin did not take it: nothing was found against the change itself. */
    during: z.literal('push').optional(),
  }),
  /** A small conflict was taken out of the way: the target's side won, and the checks held. */
  event('merge.auto_resolved', {
    head: CommitId,
    onto: CommitId,
    how: z.enum(['rebase', 'merge']),
    files: z.array(z.string()),
  }),
  /** A person has resolved the conflict on the branch. */
  event('merge.resumed', { by: z.string().min(1), head: CommitId }),
  /** Nothing is merged by standing order: the branch is the result. */
  event('merge.delivered', {
    branch: z.string().min(1).max(300),
    head: CommitId,
    pushed: z.boolean(),
    /** Why it was not pushed. */
    note: z.string().max(1_000).nullable(),
  }),
] as const

/** Facts that move no item. */
const facts = [
  event('conflict.predicted', {
    branch: z.string().max(300),
    /** The other branch; the target if `otherItem` is null. */
    other: z.string().max(300),
    otherItem: ItemRef.nullable(),
    files: z.array(z.string()).max(100),
    /** False while one side has edits that are not committed yet. */
    committed: z.boolean(),
  }),
] as const

export const mergeEvents = {
  daemonMoves,
  facts,
  sentences: {
    'merge.landed': ({ commit, target, note }, { item }) =>
      line(
        `${item} was merged into ${target}`,
        [`as ${shortCommit(commit)}`, note].filter(Boolean).join('; '),
        note === null ? 'good' : 'attention',
      ),
    'merge.conflicted': ({ files, why }, { item }) =>
      line(`${item} conflicts in ${count(files.length, 'file')}`, files.join(', ') || why, 'bad'),
    'merge.failed': ({ why }, { item }) => line(`${item} could not be merged`, why, 'bad'),
    'merge.auto_resolved': ({ how, files }, { item }) =>
      line(
        `${item} was adapted to the target by a ${how}; where both changed the same, the target's side was kept`,
        files.join(', '),
        'attention',
      ),
    'merge.resumed': ({ by }, { item }) => line(`${by} resolved the conflict of ${item}`, null, 'good'),
    'merge.delivered': ({ branch, pushed, note }, { item }) =>
      line(
        `${item} is done on ${branch}`,
        pushed ? 'pushed to origin' : `not pushed: ${note ?? 'unknown'}`,
        note === null || note === NO_REMOTE ? 'good' : 'attention',
      ),
    'conflict.predicted': ({ other, otherItem, files, committed }, { item }) =>
      line(
        `${item} will conflict with ${otherItem === null ? other : itemLabel(otherItem)} in ${count(files.length, 'file')}`,
        `${files.join(', ')}${committed ? '' : ' (not committed yet)'}`,
        'attention',
      ),
  } satisfies Sentences<(typeof daemonMoves)[number] | (typeof facts)[number]>,
}
