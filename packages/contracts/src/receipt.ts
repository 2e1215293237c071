// What a merge proves: a statement about trees that a stranger can execute again. In the shape of in-toto.
import { z } from 'zod'
import { GateName } from './gate.ts'
import { CommitId, Instant, ItemRef, RunId, Sha256 } from './ids.ts'
import { Approval } from './item.ts'

const TreeId = CommitId
const Stand = z.strictObject({ commit: CommitId, tree: TreeId })

/** A check and what it found, without what differs from run to run. */
export const ReceiptGate = z.strictObject({
  gate: GateName,
  is: z.enum(['passed', 'passed_with_warnings', 'failed', 'skipped', 'not_run']),
  /** Null: nothing was run for it. */
  command: z.string().nullable(),
  exitCode: z.int().nullable(),
  /** Null: the output told of no tests. */
  tests: z.strictObject({ total: z.int(), passed: z.int(), failed: z.int(), skipped: z.int() }).nullable(),
  /** Warnings, or why it did not run. */
  notes: z.array(z.string()),
  /** Of the whole output, which the workspace that made the merge keeps. */
  evidence: Sha256.nullable(),
})
export type ReceiptGate = z.infer<typeof ReceiptGate>

export const Receipt = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([
    z.strictObject({ name: z.literal('merged tree'), digest: z.strictObject({ gitTree: TreeId }) }),
  ]),
  predicateType: z.literal('urn:treadle:receipt:1'),
  predicate: z.strictObject({
    item: z.strictObject({ ...ItemRef.shape, title: z.string() }),
    run: RunId.nullable(),
    target: z.string(),
    /** The first and the second parent of the merge. */
    base: Stand,
    head: Stand,
    /** Run in a clean checkout before any check; this one may use the network. */
    install: z.string().nullable(),
    /** On the merged tree. What `treadle verify` runs again. */
    merged: z.array(ReceiptGate),
    /** On the change alone, before it was merged. */
    delivered: z.array(ReceiptGate),
    environment: z.strictObject({
      os: z.string(),
      arch: z.string(),
      node: z.string(),
      /** Git's own hash of each lock file in the merged tree. */
      locks: z.array(z.strictObject({ path: z.string(), blob: z.string() })),
    }),
    review: Approval,
    costUSD: z.number(),
    lessons: z.array(z.uuid()),
    madeAt: Instant,
  }),
})
export type Receipt = z.infer<typeof Receipt>

/** The trailer of the merge commit that holds the hash of its receipt. */
export const RECEIPT_TRAILER = 'Receipt'
/** Where receipts are: a note on the merge commit. */
export const RECEIPT_NOTES = 'refs/notes/treadle'
