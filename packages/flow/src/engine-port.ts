// Who writes code, as the flow needs it.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Confidence, EngineOutcome, Observation, Usage } from '@treadle/contracts/run'

export interface EngineTask {
  /** The whole request in words, for engines that read. */
  readonly text: string
  readonly item: Pick<Item, 'projectNumber' | 'number' | 'title' | 'body' | 'acceptance'> | null
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly testCommand: string | null
  /** What failed last time; empty on a first attempt of a new item. */
  readonly failures: readonly TestFailure[]
  readonly evidence: readonly GateResult[]
}

export interface EngineQuestion {
  readonly id: string
  readonly title: string
  readonly options: readonly string[]
}

export type EngineEvent =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'observed'; readonly observation: Observation }
  | { readonly is: 'used'; readonly usage: Usage }
  | { readonly is: 'asked'; readonly question: EngineQuestion }

export interface TurnEnd {
  readonly outcome: EngineOutcome
  readonly text: string
  /** Only engines that can judge their own change say so. */
  readonly confidence?: Confidence
}

export interface EngineOpen {
  readonly cwd: string
  /** The child's whole environment, built from an allow-list. */
  readonly env: Readonly<Record<string, string>>
  readonly stallMs: number
  onEvent(event: EngineEvent): void
  onQuestion(question: EngineQuestion): Promise<string>
  /**
   * Waited for after a call was told of and before the next is made, by every engine that can hold its calls back. It
   * does not resolve where no further call may be made: the turn is ended instead. An engine that does not wait is
   * ended at once then, with all that it has started.
   */
  beforeCall?(): Promise<void>
}

export interface EngineSession {
  prompt(task: EngineTask): Promise<TurnEnd>
  /** Ends the turn at the next safe point. */
  interrupt(): Promise<void>
  /** Ends everything, whole process tree included. */
  stop(graceMs: number): Promise<void>
}

export interface Engine {
  readonly id: string
  /** Whether it is asked about one cause of failures at a time, or about all that fails at once. */
  readonly takes: 'groups' | 'all'
  /** True: whatever it does costs nothing, and its turns need no money set aside. Unknown means they do. */
  isFree?(): boolean
  probe(): Promise<{ is: 'usable'; note: string } | { is: 'unusable'; why: string; hint: string }>
  open(options: EngineOpen): Promise<EngineSession>
}
