// Everything the daemon's parts share, joined by compose.ts.
import type { Config } from '@treadle/contracts/config'
import type { EngineProbes } from '@treadle/contracts/engine-probe'
import type { RestsOn } from '@treadle/contracts/item'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { RestBook } from '@treadle/engines/proxy/rest-book'
import type { CallBook } from '@treadle/flow/claim/call-book'
import type { Documents } from '@treadle/flow/ports/documents'
import type { Gates } from '@treadle/flow/ports/gates'
import type { KeptGit, MergeGit, WorktreeGit } from '@treadle/flow/ports/git'
import type { AdvanceClaim, MovingWorld } from '@treadle/flow/ports/moving'
import type { ProjectTree } from '@treadle/flow/ports/project-tree'
import type { ReviewChecks } from '@treadle/flow/ports/review-checks'
import type { WebSearch } from '@treadle/flow/ports/web-search'
import type { SpecContexts } from '@treadle/flow/spec/spec-contexts'
import type { LessonIndex } from '@treadle/memory/lesson-index'
import type { OpenStore } from '@treadle/store/connect'
import type { Logger } from 'pino'
import type { CategoryPrompts } from './category-prompts.ts'
import type { Clock } from './clock.ts'
import type { Crew } from './crew/crew.ts'
import type { WorkspaceIdentity } from './crew/workspace-identity.ts'
import type { Isolated } from './isolation.ts'
import type { UnattendedSince } from './jobs/unattended.ts'
import type { CallList } from './offers/call-list.ts'
import type { EngineCooldowns } from './offers/engine-cooldowns.ts'
import type { ThoughtWatch } from './offers/thoughts.ts'
import type { WaitList } from './offers/wait-list.ts'
import type { ConfirmCodes } from './orders/confirm-codes.ts'
import type { BudgetGuard } from './watch/budget-guard.ts'
import type { ConflictForecast } from './watch/conflict-forecast.ts'
import type { HealthWatch } from './watch/health-watch.ts'
import type { Measuring } from './watch/measuring.ts'
import type { Notices } from './watch/notices.ts'
import type { PressureWatch } from './watch/pressure-watch.ts'
import type { ReadinessWatch } from './watch/readiness-watch.ts'

export interface World extends MovingWorld {
  readonly advanceClaim: AdvanceClaim
  readonly paths: WorkspacePaths
  readonly store: OpenStore
  /** Recalls what the store alone cannot: lessons for an error that is only like a known one. */
  readonly lessons: LessonIndex
  /** The files of the owner's checkout. */
  readonly tree: ProjectTree
  readonly git: MergeGit
  readonly kept: KeptGit
  readonly gates: Gates
  /** Reads what a delivery is, without a checkout. */
  readonly source: Pick<WorktreeGit, 'diff' | 'worktreeDiff' | 'fileChanges' | 'fileAt' | 'idsAt' | 'carry'>
  /** What a review looks at besides the gates of a delivery. */
  readonly reviewChecks: ReviewChecks | null
  /** Documents of the checkout that people edit, too. */
  readonly documents: Documents
  /** git's user.name as the name of a folder, else owner. */
  readonly userSlug: () => Promise<string>
  /** Who looks up the web; null: nobody is configured. */
  readonly webSearch: () => WebSearch | null
  /** Of those who wait for the reply of a model. */
  readonly repliesList: CallList
  /** Calls of models that the crew has under way, and those that wait for their turn. */
  readonly modelCalls: CallBook
  /** Of those calls that wait. */
  readonly callsList: CallList
  /** What was read for specifications that are being written. */
  readonly specContexts: SpecContexts
  /** What a model is asked for in each category. */
  readonly categoryPrompts: CategoryPrompts
  readonly crew: Crew
  readonly workspace: WorkspaceIdentity
  readonly budget: BudgetGuard
  readonly measuring: Measuring
  readonly notices: Notices
  readonly health: HealthWatch
  readonly conflictForecast: ConflictForecast
  readonly readiness: ReadinessWatch
  /** Whether the machine has enough for more work at once. */
  readonly pressure: PressureWatch
  readonly waitList: WaitList
  readonly thoughtWatch: ThoughtWatch
  /** Since when nobody can reply, by the thought. */
  readonly unattendedSince: UnattendedSince
  readonly cooldowns: EngineCooldowns
  /** Which engines can be used here; starts a program, so it is asked only for people. */
  readonly probeEngines: () => Promise<EngineProbes>
  /** Models that rest because their providers are in trouble. */
  readonly modelRests: RestBook
  readonly clock: Clock
  readonly log: Logger
  readonly uuid: () => string
  readonly config: () => Config
  readonly warnings: () => readonly string[]
  /** Settings about money that could not be used. */
  readonly errors: () => readonly string[]
  readonly target: string
  readonly testCommand: string | null
  readonly version: string
  readonly startedAt: Date
  /** Drawn at each start. */
  readonly startId: string
  /** The crew key. */
  readonly token: string
  readonly ownerKey: string
  /** The user that foreign programs run as; null: whoever runs the daemon. */
  readonly asUser: string | null
  /** What keeps the owner's key from the crew. */
  readonly isolation: () => Isolated
  readonly restsOn: () => RestsOn
  readonly codes: ConfirmCodes
  readonly stopping: AbortSignal
  /** Ends the daemon in good order. */
  readonly stop: (why: string) => void
}

/** Injection token of the world. */
export const WORLD = Symbol('world')
