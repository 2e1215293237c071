// Who writes code, as the flow needs it.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { Effort, Item } from '@treadle/contracts/item'
import type { GoalEnd, PaorState, Plan, Question, Reflection } from '@treadle/contracts/paor'
import type { Confidence, EngineOutcome, Observation, Usage } from '@treadle/contracts/run'

/** A goal is planned, acted on, observed and reflected upon until it is reached; an item is built in one turn. */
export interface GoalTask {
  readonly iterationsMax: number
  /** The same plan or the same failure this often, and a person is asked; 3 if left out. */
  readonly stuckAfter?: number
  /** Exit code 0: reached. Null: nothing can be run to find out. */
  readonly verifyCommand: string | null
  /** What people have said so far; every later plan contains it. */
  readonly guidance: readonly string[]
  /** What an earlier process of the same run has left, if it was killed. */
  readonly plans: readonly Plan[]
  readonly reflections: readonly Reflection[]
}

export interface EngineTask {
  /** The whole request in words, for engines that read. */
  readonly text: string
  readonly item:
    | (Pick<Item, 'projectNumber' | 'number' | 'title' | 'body' | 'acceptance'> &
        Partial<Pick<Item, 'labels' | 'measure' | 'engine' | 'model' | 'effort' | 'fence'>>)
    | null
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly testCommand: string | null
  /** What failed last time; empty on a first attempt of a new item. */
  readonly failures: readonly TestFailure[]
  readonly evidence: readonly GateResult[]
  /** What is new in the request, for a conversation that has the rest of it; left out: all of it is new. */
  readonly news?: string
  /** Only where the item is a goal. */
  readonly goal?: GoalTask
  /** Only where it is no item: what is thought about, for an engine that plays a script. */
  readonly thought?: { readonly kind: string; readonly subject: string }
}

export type EngineQuestion = Question

/** `text` is the chosen option, or words of a person; with a refusal they reach the model. */
export interface EngineAnswer {
  readonly text: string
  /** Of a permission; true if left out. */
  readonly allow?: boolean
  /** What the tool is to be called with instead. */
  readonly input?: unknown
  /** The fields of a form, each by the name of its part; several choices are a list. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Nobody was asked, or nobody answered: what the model is told of it. */
  readonly unasked?: string
  /** True: the system gave it, by a rule; nobody has said it. */
  readonly isSystem?: boolean
}

export type EngineEvent =
  /** What an engine calls its own conversation, to go on with it later. */
  | { readonly is: 'session'; readonly id: string; readonly model?: string; readonly version?: string }
  | { readonly is: 'text'; readonly text: string }
  /** A part of the next text, as soon as it is there; not every engine has them. */
  | { readonly is: 'piece'; readonly text: string }
  /** What whoever looks at the run should know: nothing is confined, a price is not known, a setting is not told. */
  | { readonly is: 'noted'; readonly text: string }
  | { readonly is: 'began'; readonly callId: string; readonly tool: string; readonly input: string }
  | { readonly is: 'observed'; readonly observation: Observation }
  /** Always what is new: to add all of a session up is to know what it has used. */
  | { readonly is: 'used'; readonly usage: Usage }
  | { readonly is: 'asked'; readonly question: EngineQuestion }
  /** The list of things to do that an engine keeps for itself. */
  | { readonly is: 'listed'; readonly entries: readonly TodoEntry[] }
  | { readonly is: 'retrying'; readonly attempt: number; readonly delayMs: number; readonly cause: string }
  | { readonly is: 'moved'; readonly to: PaorState }
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'reflected'; readonly reflection: Reflection }

interface TodoEntry {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

export interface TurnEnd {
  readonly outcome: EngineOutcome
  readonly text: string
  /** Only engines that can judge their own change say so. */
  readonly confidence?: Confidence
  /** What was asked for with a schema. */
  readonly structured?: unknown
  /** A limit of use that ends then. */
  readonly wakeAt?: string
  /** Its provider was in trouble for as long as a call is held; the model rests until then. */
  readonly restsUntil?: string
  /** No call of a model has gone out in this turn, which is known for certain; left out: it may have. */
  readonly hasAsked?: false
  /** None of the tools that it has used has worked: what the last one said. */
  readonly toolFault?: string
  /** How a goal ended. */
  readonly goal?: GoalEnd
}

/** What one turn may use; what is left out has no limit. */
export interface TurnLimits {
  /** Calls of a model that offer tools. */
  readonly steps?: number
  /** Without the time in which it was held. */
  readonly ms?: number
  readonly usd?: number
}

export interface EngineOpen {
  readonly cwd: string
  /** The child's whole environment, built from an allow-list. */
  readonly env: Readonly<Record<string, string>>
  readonly stallMs: number
  /** A folder of this agent's own, for the settings and conversations of an engine. */
  readonly home?: string
  readonly system?: string
  /** ask: onQuestion decides on what an engine would not do by itself. Left out: all that the sandbox allows. */
  readonly permissions?: 'ask' | 'all'
  /** Which model is asked; left out: the one of its settings, or what it would use itself. */
  readonly model?: string
  /** Which model plans and judges a goal, where the engine asks for that in calls of its own; left out: the same. */
  readonly planModel?: string
  /** How hard the model thinks, where the engine can say so. */
  readonly effort?: Effort
  /** Nothing may be changed: for readers. */
  readonly readOnly?: boolean
  readonly maxTurns?: number
  readonly budgetUSD?: number
  /** Of each turn; held by engines that say so (`holdsLimits`). */
  readonly limits?: TurnLimits
  /** JSON schema of the answer, draft 7. */
  readonly schema?: object
  /** A conversation to go on with. */
  readonly resume?: string
  onEvent(event: EngineEvent): void
  onQuestion(question: EngineQuestion): Promise<EngineAnswer>
  /** Resolves once all that people have said by now was handed to `steer`; waited for before a plan is made. */
  hear?(): Promise<void>
  /**
   * Waited for after a call was told of and before the next is made, by every engine that can hold its calls back. It
   * does not resolve where no further call may be made: the turn is ended instead. An engine that does not wait is
   * ended at once then, with all that it has started.
   */
  beforeCall?(): Promise<void>
}

export interface EngineSession {
  prompt(task: EngineTask): Promise<TurnEnd>
  /** Words for the turn under way. False: it does not take any now, and they belong into the next prompt. */
  steer?(text: string): Promise<boolean>
  /** Holds it at the next tool boundary, until it is let go. */
  pause?(): Promise<void>
  resume?(): Promise<void>
  /** Somebody holds its calls of a model, or no longer does: its silence is not its own meanwhile. */
  hold?(isHeld: boolean): void
  /** Halts every process of it where it stands. */
  freeze?(): Promise<void>
  thaw?(): Promise<void>
  /** Ends the turn at the next safe point; the session stays. */
  interrupt(): Promise<void>
  /** Ends everything, whole process tree included. */
  stop(graceMs: number): Promise<void>
}

/** What an engine can do of what not every engine can. */
export interface Capabilities {
  /** The words of a refusal reach the model. */
  readonly denyMessage: boolean
  readonly editInput: boolean
  readonly forms: boolean
  readonly structured: boolean
  readonly budget: boolean
  readonly maxTurns: boolean
  /** It says itself what it has cost. */
  readonly cost: boolean
  readonly toolOutput: boolean
  readonly retries: boolean
  readonly resume: boolean
  readonly steer: boolean
  readonly pause: boolean
}

export type Probed =
  | { readonly is: 'usable'; readonly note: string }
  | { readonly is: 'unusable'; readonly why: string; readonly hint: string }

export interface Engine {
  readonly id: string
  /** Whether it is asked about one cause of failures at a time, or about all that fails at once. */
  readonly takes: 'groups' | 'all'
  readonly can?: Capabilities
  /** True: whatever it does costs nothing, and its turns need no money set aside. Unknown means they do. */
  isFree?(): boolean
  /** True: its turns end at their limits, and its calls are held while a provider is in trouble. */
  readonly holdsLimits?: boolean
  /** True: it drives goals itself, phase by phase; others are driven. */
  readonly plans?: boolean
  /** True: it finds the questions in what its model says itself; for others it is done around them. */
  readonly asks?: boolean
  probe(): Promise<Probed>
  open(options: EngineOpen): Promise<EngineSession>
}
