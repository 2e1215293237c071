// What the flow needs from the world. Types only; adapters implement them, compose.ts joins them.
import type { Agent, AgentStatus, AgentWanted, Heartbeat } from '@treadle/contracts/agent'
import type { GatesConfig } from '@treadle/contracts/config'
import type { Cursor, StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { FailureHints } from '@treadle/contracts/failure'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item, ItemStatus, NewItem } from '@treadle/contracts/item'
import type { Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import type { Confidence, EngineOutcome, Observation, Run, Usage } from '@treadle/contracts/run'

export interface Clock {
  now(): Date
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

// ── Engines: who writes code ────────────────────────────────────────────────────────────────────

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
  probe(): Promise<{ is: 'usable'; note: string } | { is: 'unusable'; why: string; hint: string }>
  open(options: EngineOpen): Promise<EngineSession>
}

// ── Git ─────────────────────────────────────────────────────────────────────────────────────────

export interface WorktreeRequest {
  readonly path: string
  readonly branch: string
  readonly base: string
  /** A new claim: the branch starts at `base`; what it pointed at before stays under `keepRef`. False: go on where it is. */
  readonly fresh: boolean
  readonly keepRef: string
}

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
  /** Commits everything on the branch; nothing to commit is an outcome. */
  commit(worktree: string, message: string): Promise<{ is: 'committed'; commit: string } | { is: 'nothing' }>
  changedFiles(worktree: string, base: string): Promise<string[]>
  /** The changed files and the unified diff from one commit's files to another's. */
  diff(from: string, to: string): Promise<{ files: string[]; text: string }>
  /** A text file's content in a commit. */
  fileAt(commit: string, path: string): Promise<string | null>
  push(branch: string): Promise<{ is: 'pushed' } | { is: 'no_remote' } | { is: 'failed'; why: string }>
  /** Removes the worktree only if its content is reachable from a ref; a checkpoint under `keepRef` makes it so. */
  removeWorktree(worktree: string, keepRef: string): Promise<void>
}

export interface MergeRequest {
  readonly target: string
  readonly head: string
  readonly message: string
}
export type MergePrepared =
  | { readonly is: 'prepared'; readonly commit: string; readonly base: string }
  | { readonly is: 'conflicted'; readonly files: string[] }
export type MergeLanded =
  | { readonly is: 'landed'; readonly checkout: 'none' | 'updated' | 'left'; readonly note: string | null }
  | { readonly is: 'moved' }

/** Git as the daemon needs it: merging without a working tree of the user's. */
export interface MergeGit {
  commitOf(ref: string): Promise<string | null>
  /** The merge commit by which `head` came to `target`, if it is there already. */
  findLanded(target: string, head: string): Promise<string | null>
  /** Makes the merge commit as an object; no ref moves. */
  prepareMerge(request: MergeRequest): Promise<MergePrepared>
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

// ── Gates ───────────────────────────────────────────────────────────────────────────────────────

export interface TestGateRequest {
  readonly cwd: string
  readonly command: string | null
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface AffectedRequest {
  readonly cwd: string
  readonly command: string
  readonly changedFiles: readonly string[]
  /** Test files in which something failed before. */
  readonly failed: readonly string[]
  readonly budgetMs: number
  readonly signal?: AbortSignal
}

export interface FlakyRequest extends TestGateRequest {
  readonly command: string
  readonly result: GateResult
  /** What is known of a test before the change; null for one that is new or unknown. */
  before(failure: TestFailure): 'passed' | 'failed' | null
}

export interface DeliveryGateRequest {
  readonly cwd: string
  /** The commit that the change is held against. */
  readonly base: string
  /** Every file that the item changed, added or deleted, relative to `cwd`; a rename is both of its names. */
  readonly changed: readonly string[]
  /** A file's content at the base; null if it was not there. */
  readBase(path: string): Promise<string | null>
  readonly config: GatesConfig
  readonly mayChangeTests: boolean
  readonly timeoutMs: number
  /** When the tests were last started; a coverage report from before says nothing about this change. */
  readonly testsStartedAt?: Date | undefined
  /** What was found before: if it is red, the gates that start commands of the project are not run. */
  readonly skipIfRed?: readonly GateResult[] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Gates {
  detectTestCommand(cwd: string): Promise<string | null>
  /** Runs a preparing command, such as an install; the outcome is a gate-like evidence. */
  runSetup(request: TestGateRequest): Promise<{ is: 'ok' } | { is: 'failed'; why: string }>
  runTests(request: TestGateRequest): Promise<GateResult>
  /** What failed before, then what the change can concern; the first result that is not green is the last. */
  runAffected(request: AffectedRequest): Promise<readonly GateResult[]>
  /** Failed tests again on the same tree: those that fail at times are told from those that always fail. */
  settleFlaky(request: FlakyRequest): Promise<GateResult>
  /** Linter, coverage, secrets, test integrity: those that are configured, each with its evidence. */
  runDeliveryGates(request: DeliveryGateRequest): Promise<GateResult[]>
  /** What the sources say about where failures may come from. */
  hints(cwd: string, failures: readonly TestFailure[]): Promise<FailureHints>
  /** Keeps a text as evidence, secrets taken out, and answers its content hash. */
  keep(text: string): Promise<string>
}

// ── Store ───────────────────────────────────────────────────────────────────────────────────────

interface NewRun {
  readonly id: RunId
  readonly item: ItemRef
  readonly agentId: AgentId
  readonly fence: number
  readonly at: Date
}
export type RunPatch = Partial<
  Pick<
    Run,
    | 'status'
    | 'phase'
    | 'iteration'
    | 'outcome'
    | 'base'
    | 'baseline'
    | 'history'
    | 'gates'
    | 'usage'
    | 'endedAt'
  >
>

export type ClaimTaken =
  | { readonly is: 'taken'; readonly fence: number }
  | { readonly is: 'repeated'; readonly fence: number; readonly runId: RunId }
  | { readonly is: 'held'; readonly by: AgentId | null; readonly status: ItemStatus }
  | { readonly is: 'missing' }

export interface NewEvent {
  readonly id: EventId
  readonly at: Date
  readonly item: ItemRef | null
  readonly agentId: AgentId | null
  readonly runId: RunId | null
  readonly state: string | null
  readonly event: TreadleEvent
}

export interface EventQuery {
  readonly after: Cursor
  readonly limit: number
  readonly type?: string | undefined
  /** Item label, run id or agent id. */
  readonly correlationId?: string | undefined
}

export type JobName = 'review' | 'merge'
export interface ItemJob {
  readonly item: ItemRef
}

export interface Items {
  add(item: NewItem, at: Date): Promise<Item>
  find(ref: ItemRef): Promise<Item | null>
  /** Locks the row until the transaction ends. */
  lock(ref: ItemRef): Promise<Item | null>
  /** Writes every column. Called by advance() alone. */
  save(item: Item): Promise<void>
  list(filter: {
    status?: ItemStatus | undefined
    projectNumber?: number | undefined
    limit: number
  }): Promise<Item[]>
  /** Unclaimed and todo, backlog without needsHuman, or rework; rework first, then priority, then number. */
  queue(limit: number): Promise<Item[]>
  heldBy(agentId: AgentId): Promise<Item | null>
  /** Items whose deadline has passed. */
  due(now: Date, limit: number): Promise<Item[]>
  /** Items in a state that a daemon job should be working on. */
  inStates(states: readonly string[], limit: number): Promise<Item[]>
}

export interface Claims {
  /** One conditional update: sets the holder and raises the fence, only if nobody holds the item and it is in the queue. */
  take(claim: {
    ref: ItemRef
    agentId: AgentId
    requestId: EventId | null
    runId: RunId
    at: Date
  }): Promise<ClaimTaken>
}

export interface Runs {
  add(run: NewRun): Promise<Run>
  find(id: RunId): Promise<Run | null>
  lock(id: RunId): Promise<Run | null>
  patch(id: RunId, patch: RunPatch): Promise<void>
  ofItem(ref: ItemRef, limit: number): Promise<Run[]>
}

export interface Events {
  /** False if an event with this id was already recorded for the same subject. */
  append(event: NewEvent): Promise<boolean>
  /** Has this event id already been recorded for the item or run? */
  seen(id: EventId): Promise<boolean>
  after(query: EventQuery): Promise<{ items: StoredEvent[]; cursor: Cursor }>
  /** Is there an event of this type for a correlation id? */
  exists(type: string, correlationId: string): Promise<boolean>
  ofItem(ref: ItemRef, limit: number): Promise<StoredEvent[]>
}

export interface AgentPatch {
  readonly status?: AgentStatus
  readonly wanted?: AgentWanted
  readonly pid?: number | null
  readonly lastError?: string | null
  readonly restarts?: number
  readonly startedAt?: Date | null
}

/** Health is judged by the flow, not stored. */
export type AgentRow = Omit<Agent, 'health'>

export interface Agents {
  /** Makes the row if there is none. */
  ensure(id: AgentId, at: Date): Promise<AgentRow>
  find(id: AgentId): Promise<AgentRow | null>
  list(): Promise<AgentRow[]>
  patch(id: AgentId, patch: AgentPatch): Promise<void>
  /** Stores the sign of life and keeps the last ten. */
  beat(id: AgentId, beat: Heartbeat, at: Date): Promise<void>
  /** Restarts recorded since a moment, for the restart limit. */
  restartsSince(id: AgentId, since: Date): Promise<number>
  countRestart(id: AgentId, at: Date): Promise<void>
}

export interface Lessons {
  recall(query: LessonQuery): Promise<Lesson[]>
  /** The same lesson again raises its occurrences instead of making a second row. */
  record(lesson: NewLesson, at: Date): Promise<Lesson>
}

/** Lessons as an agent reaches them: an answer always comes, if need be an empty one. */
export interface LessonBook {
  recall(query: LessonQuery): Promise<readonly Lesson[]>
}

export interface Jobs {
  /** Inside a transaction the job exists only if that commits. At most one waiting job per item and queue. */
  send(name: JobName, job: ItemJob): Promise<void>
}

export interface Store {
  /** Joins the transaction that is already open, if there is one. */
  tx<T>(use: () => Promise<T>): Promise<T>
  readonly items: Items
  readonly claims: Claims
  readonly runs: Runs
  readonly events: Events
  readonly agents: Agents
  readonly lessons: Lessons
  readonly jobs: Jobs
}
