// What a merge proves: a statement about trees that a stranger can execute again. In the shape of in-toto.
import { z } from 'zod'
import { ReceiptBuild } from './build.ts'
import { DeliveryEvidence } from './evidence-level.ts'
import { GateName } from './gate.ts'
import { CommitId, Instant, ItemRef, RunId, Sha256 } from './ids.ts'
import { Approval, Reverts } from './item.ts'
import { Measure, MeasureFound } from './measure.ts'
import { ReviewCriterion, ReviewStatus } from './review.ts'

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

/** Several merges that were tested together, as one stack. */
const ReceiptBatch = z.strictObject({
  /** The tree of the last merge: the one on which the checks ran. Those before it were not tested by themselves. */
  tested: TreeId,
  /** In the order of the merges, each on top of the one before. */
  merges: z.array(z.strictObject({ item: ItemRef, head: CommitId })).min(2),
})

/** Who said yes, and what was known when they did. */
const ReceiptReview = z.strictObject({
  ...Approval.shape,
  /** On the change alone, in a clean checkout: the tests, the witness, the strength of the tests, and more. */
  checks: z.array(ReceiptGate).optional(),
  /** On which these checks ran. */
  checkedTree: TreeId.nullable().optional(),
  criteria: z.array(ReviewCriterion.pick({ id: true, description: true, status: true })).optional(),
  /** Who has read the change, where an engine did, and what it said. */
  reviewer: z
    .strictObject({ engine: z.string(), model: z.string().optional(), verdict: ReviewStatus })
    .optional(),
  /** The models that were asked for the change; absent: none, or an older version made it. */
  writtenWith: z.array(z.string()).optional(),
})

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
    /** Absent: the merge was tested by itself. */
    batch: ReceiptBatch.optional(),
    /** Run in a clean checkout before any check; this one may use the network. */
    install: z.string().nullable(),
    /** On the merged tree; in a batch, on the tree of its last merge. What `treadle verify` runs again. */
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
    review: ReceiptReview,
    /** Absent: the merge takes no other back. */
    reverts: z
      .strictObject({
        ...Reverts.shape,
        /** The change is exactly the inverse of that merge, and nothing else. */
        exact: z.boolean(),
      })
      .optional(),
    /** The build whose tasks the merge brings; absent: it is of no build. */
    build: ReceiptBuild.optional(),
    /** The item's measure, and what it said of the change from `base` to the head; absent: it has none, or none was taken. */
    measure: z.strictObject({ ...Measure.shape, base: CommitId, found: MeasureFound }).optional(),
    /** How well the change is proven; absent in what older versions made. */
    evidence: DeliveryEvidence.optional(),
    costUSD: z.number(),
    lessons: z.array(z.uuid()),
    madeAt: Instant,
  }),
})
export type Receipt = z.infer<typeof Receipt>

export function readReceipt(text: string): Receipt | { readonly why: string } {
  try {
    const read = Receipt.safeParse(JSON.parse(text))
    if (read.success) return read.data
    const [issue] = read.error.issues
    return { why: `it is no receipt of this version: ${issue?.path.join('.')}: ${issue?.message}` }
  } catch {
    return { why: 'it is no JSON' }
  }
}

/** The trailer of the merge commit that holds the hash of its receipt. */
export const RECEIPT_TRAILER = 'Receipt'

/** The hash that the message of a merge names; null if it names none. */
export function statedDigest(message: string): string | null {
  const trailers = message.trimEnd().split('\n\n').at(-1) ?? ''
  return new RegExp(`^${RECEIPT_TRAILER}: sha256:([0-9a-f]{64})$`, 'm').exec(trailers)?.[1] ?? null
}

/** What the signature of a commit is worth where it is looked at. */
export const SignatureFound = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('none') }),
  /** `key` is the fingerprint of the key. */
  z.strictObject({ is: z.literal('good'), by: z.string(), key: z.string().optional() }),
  /** The signature fits, and nothing here says whose key it is. */
  z.strictObject({ is: z.literal('unknown_key'), by: z.string(), key: z.string().optional() }),
  z.strictObject({ is: z.literal('bad') }),
  z.strictObject({ is: z.literal('unchecked'), why: z.string() }),
])
export type SignatureFound = z.infer<typeof SignatureFound>

/** The receipt of a merge as it lies beside the commit, and whether it is the one that the commit names. */
export const KeptReceipt = z.strictObject({
  commit: CommitId,
  /** Of the commit itself, whatever the receipt says. */
  tree: TreeId,
  /** The hash that the commit names; null: it names none. */
  stated: Sha256.nullable(),
  /** The hash of what is kept. */
  found: Sha256,
  signature: SignatureFound,
  /** Null: what is kept cannot be read as a receipt. */
  receipt: Receipt.nullable(),
  /** Why it cannot be read. */
  why: z.string().nullable(),
})
export type KeptReceipt = z.infer<typeof KeptReceipt>

/** Where receipts are: a note on the merge commit. */
export const RECEIPT_NOTES = 'refs/notes/treadle'
/** What origin has of them, beside what is here. */
export const FETCHED_NOTES = `${RECEIPT_NOTES}-origin`
