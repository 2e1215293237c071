// The checks of a review that the gates of a delivery do not have. Types only.
import type { GatesConfig } from '@treadle/contracts/config/gates'
import type { FindingOrder, SurveyedCommit } from '@treadle/contracts/finding-measure'
import type { GateResult } from '@treadle/contracts/gate'
import type { InputsCompared, InputsOrder } from '@treadle/contracts/inputs'
import type { Item } from '@treadle/contracts/item'
import type { Strength, StrengthOrder } from '@treadle/contracts/strength'
import type { ValidationLevel } from '@treadle/contracts/validation-level'
import type { RevertCheck } from './gates.ts'

export interface ReviewChecksRequest {
  /** A clean checkout of the head, set up. The checks put back what they change in it. */
  readonly cwd: string
  /** Where the work started from; what the change is held against. */
  readonly base: string
  /** The delivered commit. */
  readonly head: string
  /** Every file that the item changed, added or deleted, relative to `cwd`; a rename is both of its names. */
  readonly changed: readonly string[]
  /** A file's content at the base; null if it was not there. */
  readBase(path: string): Promise<string | null>
  /**
   * A throw-away checkout of the base, set up as `cwd` is; `use` may write into it. A fresh one each time, and not
   * asked for by two at a time.
   */
  withBase<T>(use: (path: string) => Promise<T>): Promise<CheckoutUse<T>>
  /** The same of the head, in which no test has run yet. */
  withHead<T>(use: (path: string) => Promise<T>): Promise<CheckoutUse<T>>
  /** Gates beyond this level are left out; absent or null: none are. */
  readonly level?: ValidationLevel | null
  /** The whole suite; null if none is known. */
  readonly command: string | null
  readonly item: Pick<Item, 'title' | 'labels' | 'mayChangeTests' | 'testCommand' | 'measure'>
  /** Absent or null: it takes no merge back. */
  readonly revert?: RevertCheck | null | undefined
  /** What was found on `cwd` before: the tests, and the gates of a delivery. */
  readonly earlier: readonly GateResult[]
  /** What the tests found on the base in earlier runs, where that is known: it saves runs there. */
  readonly before?: readonly GateResult[] | undefined
  readonly config: GatesConfig
  /** For one run of a command. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type CheckoutUse<T> =
  | { readonly is: 'used'; readonly value: T }
  /** There is no such checkout, or it could not be set up. */
  | { readonly is: 'failed'; readonly why: string }

/** `security`, `documentation`, `witness`, `loads`, `assertions`, `other_inputs`, `other_conditions` and `mutation`, in this
 *  order: always one result for each. */
export interface ReviewChecks {
  run(request: ReviewChecksRequest): Promise<readonly GateResult[]>
}

/** Plants small faults in the changed lines and looks which of them the tests notice. */
export type MeasureStrength = (order: StrengthOrder, signal?: AbortSignal) => Promise<Strength>

/** What all surveys say of a commit. */
export type SurveyCommit = (order: FindingOrder, signal?: AbortSignal) => Promise<SurveyedCommit>

/** Calls functions with inputs of the tests and others near them: what head, base and other patches answer. */
export type CompareInputs = (order: InputsOrder, signal?: AbortSignal) => Promise<InputsCompared>
