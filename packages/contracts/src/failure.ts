// Why tests fail: the signature of one failure, and failures with one likely cause as a group.
import { z } from 'zod'
import { TestFailure } from './gate.ts'

/** What is left of a failure without the values that differ from run to run. */
export const Signature = z.strictObject({
  /** As the language names it, `TypeError` or `java.lang.IllegalStateException`; null if nothing says it. */
  errorClass: z.string().max(200).nullable(),
  message: z.string().max(600),
  /** Function and file of the top project frames, deepest first. */
  frames: z.array(z.string().max(300)).max(5),
  /** All of it in one text: the same text is the same signature, and a lesson can be kept under it. */
  text: z.string().min(1).max(2_000),
  /** Of the text, as a database key. */
  hash: z.string().regex(/^[0-9a-f]{16}$/),
})
export type Signature = z.infer<typeof Signature>

export const FailureKind = z.enum(['assertion', 'error', 'timeout', 'load', 'unknown'])
export type FailureKind = z.infer<typeof FailureKind>

/** One improvement addresses one group. */
export const FailureGroup = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  kind: FailureKind,
  signature: Signature,
  /** The likely cause and its place, as one sentence for people and prompts. */
  cause: z.string().min(1).max(1_000),
  /** Ids of the tests, sorted, each once. */
  tests: z.array(z.string()).min(1),
  failures: z.array(TestFailure).min(1),
  /** Project frames that all failures of the group went through. */
  frames: z.array(z.string()).max(20),
  /** Functions that all failures of the group reach, the likeliest first. */
  suspects: z.array(z.string()).max(20),
})
export type FailureGroup = z.infer<typeof FailureGroup>

/** `src/ledger.ts#transfer`: a function of the project, by file and name. */
export type FunctionName = string

/** What a caller with access to the project can say about failures that have only a message of their own. */
export interface FailureHints {
  /** Functions that a failing test reaches, each with how close it is to what failed: above 0, up to 1. */
  reachedBy(failure: TestFailure): ReadonlyMap<FunctionName, number>
  /** The same for each test that passed. */
  readonly passed: readonly ReadonlyMap<FunctionName, number>[]
  /** What the tests were seen to run, if they were watched. */
  readonly parts?: readonly CodePart[]
}

/** A part of a function whose lines always ran together. */
export interface CodePart {
  readonly fn: FunctionName
  /** Ids of the failing tests that ran it. */
  readonly failing: ReadonlySet<string>
  /** How many passing tests ran it. */
  readonly passing: number
}
