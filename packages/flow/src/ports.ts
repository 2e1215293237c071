// What the flow needs from the world. Types only; adapters implement them, compose.ts joins them.
import type { Agent, AgentStatus, AgentWanted, AgentWorkspace, Heartbeat } from '@treadle/contracts/agent'
import type { Cursor, EventType, RunNote, StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item, ItemStatus, NewItem } from '@treadle/contracts/item'
import type { Lesson, LessonQuery } from '@treadle/contracts/lesson'
import type { Run } from '@treadle/contracts/run'
import type { ClaimChanges } from './claim/changes.ts'
import type { Conflicts } from './conflict/records.ts'
import type { Signs } from './health/records.ts'
import type { Retrospectives } from './learn/records.ts'
import type { ImprovementMetrics, Metrics } from './metrics/records.ts'
import type { Notifications } from './notify/records.ts'
import type { Promotions } from './promote/records.ts'
import type { Preferences, Questions } from './question/records.ts'
import type { Lessons } from './recall/records.ts'
import type { Reviews } from './review/records.ts'
import type { Ledger } from './spend/ledger.ts'
import type { LessonUses } from './trial/uses.ts'

export type { Conflicts, NewConflict } from './conflict/records.ts'
export type { AgentSigns, LoopSigns, Signs } from './health/records.ts'
export type { Retrospectives } from './learn/records.ts'
export type * from './metrics/records.ts'
export type {
  Acknowledged,
  Address,
  Alerts,
  NoticeChannel,
  NoticeMessage,
  Notifications,
  Outgoing,
  Sent,
} from './notify/records.ts'
export type { Promotion, Promotions } from './promote/records.ts'
export type * from './question/records.ts'
export type { LessonFilter, LessonMark, Lessons } from './recall/records.ts'
export type { NewReview, ReviewPatch, Reviews } from './review/records.ts'
export type { LessonUse, LessonUses, NewUse, UseCounts } from './trial/uses.ts'

export interface Clock {
  now(): Date
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type {
  Capabilities,
  Engine,
  EngineAnswer,
  EngineEvent,
  EngineOpen,
  EngineQuestion,
  EngineSession,
  EngineTask,
  GoalTask,
  Probed,
  TurnEnd,
} from './engine-port.ts'

export type { BaseUse, MeasureStrength, ReviewChecks, ReviewChecksRequest } from './review-port.ts'

// ── Git ─────────────────────────────────────────────────────────────────────────────────────────

export type { ForesightGit, MergeGit, Pushed, WorktreeGit } from './git-port.ts'

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

// ── Gates ───────────────────────────────────────────────────────────────────────────────────────

export type {
  AffectedRequest,
  DeliveryGateRequest,
  FixedRequest,
  FlakyRequest,
  Gates,
  HintsRequest,
  TestGateRequest,
} from './gates-port.ts'

// ── Store ───────────────────────────────────────────────────────────────────────────────────────

export interface NewRun {
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

export type ClaimFound =
  /** Nobody holds it; `version` changes with every write to the item. */
  | { readonly is: 'free'; readonly item: Item; readonly version: string }
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

interface HeldNote {
  readonly id: EventId
  readonly at: Date
  readonly runId: RunId
  readonly fence: number
  readonly event: RunNote
}

export interface EventQuery {
  readonly after: Cursor
  readonly limit: number
  readonly type?: string | undefined
  /** Item label, run id or agent id. */
  readonly correlationId?: string | undefined
}

export type JobName = 'review' | 'merge' | 'learn'
export interface ItemJob {
  readonly item: ItemRef
  /** A job about one run of the item; there is one for each. */
  readonly runId?: RunId | undefined
}

export interface BoardItems {
  readonly items: Item[]
  /** How many of each kind there are beside these. */
  readonly leftOut: { readonly open: number; readonly ended: number }
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
  /** All that is not over, and the newest of what is, by number; of more than the bounds the oldest are left out. */
  board(bounds: { openMax: number; endedMax: number }): Promise<BoardItems>
  /** Unclaimed and todo, backlog without needsHuman, or rework; rework first, then priority, then number. */
  /** For an agent: without what is kept for another one that runs. */
  queue(limit: number, agentId?: AgentId): Promise<Item[]>
  heldBy(agentId: AgentId): Promise<Item | null>
  /** Items whose deadline has passed. */
  due(now: Date, limit: number): Promise<Item[]>
  /** Items in a state that a daemon job should be working on. */
  inStates(states: readonly string[], limit: number): Promise<Item[]>
}

export interface Claims {
  /** How the item stands to a claim; nothing is locked by looking. */
  look(ref: ItemRef, by: { agentId: AgentId; requestId: EventId | null }): Promise<ClaimFound>
  /**
   * One conditional statement: the changes of the item, the claim, the run and the event are written only if the
   * item is still what was looked at. False: it is not.
   */
  take(claim: {
    changes: ClaimChanges
    version: string
    requestId: EventId | null
    run: NewRun
    event: Pick<NewEvent, 'id' | 'event'>
  }): Promise<boolean>
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
  /**
   * Records what an agent notes of its run, in one statement, if it speaks under the fence of the run and of the item
   * and the id is new. False: nothing was recorded; why not is another question.
   */
  note(note: HeldNote): Promise<boolean>
  /** Has this event id already been recorded for the item or run? */
  seen(id: EventId): Promise<boolean>
  after(query: EventQuery): Promise<{ items: StoredEvent[]; cursor: Cursor }>
  /** Is there an event of this type for a correlation id? */
  exists(type: string, correlationId: string): Promise<boolean>
  /** The last so many, oldest first; with `types`, only of those. */
  ofItem(ref: ItemRef, limit: number, types?: readonly EventType[]): Promise<StoredEvent[]>
  /** Newest first; with `before`, from that place backwards. */
  newest(query: { type: EventType; limit: number; before?: Cursor | undefined }): Promise<StoredEvent[]>
  /** The end of the feed as `after` would bring it, oldest first, and where it goes on. */
  tail(query: {
    limit: number
    without: readonly EventType[]
  }): Promise<{ items: StoredEvent[]; cursor: Cursor }>
}

export interface AgentPatch {
  readonly status?: AgentStatus
  readonly wanted?: AgentWanted
  readonly pid?: number | null
  readonly pidStarted?: string | null
  readonly workspace?: AgentWorkspace | null
  readonly frozenAt?: Date | null
  readonly phase?: string | null
  readonly lastError?: string | null
  readonly errorCount?: number
  readonly tasksCompleted?: number
  /** Measurements of before do not count any more; nothing is deleted. */
  readonly metricsSince?: Date | null
  readonly restarts?: number
  readonly startedAt?: Date | null
}

/** Health and substate are judged by the flow, not stored. */
export type AgentRow = Omit<Agent, 'health' | 'substate'>

export interface Agents {
  /** Makes the row if there is none. */
  ensure(id: AgentId, at: Date): Promise<AgentRow>
  find(id: AgentId): Promise<AgentRow | null>
  list(): Promise<AgentRow[]>
  patch(id: AgentId, patch: AgentPatch): Promise<void>
  /** False if the agent was no longer what it is to be changed from, or something else is wanted of it by now. */
  moveStatus(
    id: AgentId,
    from: { status: AgentStatus; wanted: AgentWanted },
    to: AgentStatus,
  ): Promise<boolean>
  /** Stores the sign of life and keeps the last ten; status and process stay as they are. With `ofPid`, only if that is the process. */
  beat(id: AgentId, beat: Heartbeat, at: Date, ofPid?: number): Promise<void>
  /** The last ten, newest first. */
  beats(id: AgentId): Promise<Heartbeat[]>
  /** Restarts recorded since a moment, for the restart limit. */
  restartsSince(id: AgentId, since: Date): Promise<number>
  countRestart(id: AgentId, at: Date): Promise<void>
  /** A new chance: the restarts of the last hour no longer count. */
  forgiveRestarts(id: AgentId): Promise<void>
}

/** Lessons as an agent reaches them: an answer always comes, if need be an empty one. */
export interface LessonBook {
  recall(query: BookQuery): Promise<readonly Lesson[]>
}
/** About several files at once: what fits one of them is enough. */
export type BookQuery = LessonQuery & { readonly paths?: readonly string[] }

export interface Jobs {
  /** Inside a transaction the job exists only if that commits. At most one waiting job per item, or run, and queue. */
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
  readonly lessonUses: LessonUses
  readonly retrospectives: Retrospectives
  readonly promotions: Promotions
  readonly ledger: Ledger
  readonly conflicts: Conflicts
  readonly reviews: Reviews
  readonly questions: Questions
  readonly preferences: Preferences
  readonly notifications: Notifications
  readonly signs: Signs
  readonly metrics: Metrics
  readonly improvementMetrics: ImprovementMetrics
  readonly jobs: Jobs
}
