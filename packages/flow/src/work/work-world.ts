// What an agent needs of the world while it holds an item, and the names it gives to what it leaves behind.
import type { CountTokens } from '@treadle/context/fill'
import type { PackageToInstall } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { RunNote, RunReport } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import type { ValidationLevel } from '@treadle/contracts/validation-level'
import type { BudgetClient } from '../ports/budget.ts'
import type { Clock } from '../ports/clock.ts'
import type { Engine } from '../ports/engine.ts'
import type { Gates } from '../ports/gates.ts'
import type { WorktreeGit } from '../ports/git.ts'
import type { GuidanceChannel } from '../ports/guidance.ts'
import type { LessonBook } from '../ports/memory.ts'
import type { Requested, Rework } from './rework.ts'

export interface WorkWorld {
  readonly git: WorktreeGit
  readonly gates: Gates
  readonly engine: Engine
  /** Tries before the engine proper, once per item; null: nobody does. */
  readonly first: Engine | null
  /** What the crew has learned. */
  readonly lessons: LessonBook
  /** Pays for engines that cost something. */
  readonly budget: BudgetClient
  /** What people say to it; null: nobody can. */
  readonly guidanceChannel: GuidanceChannel | null
  /** The conversations of this run that can be gone on with, by engine; left out: each turn is one of its own. */
  readonly conversations?: Map<string, string>
  /** A folder of this agent's own, for what its engines keep. */
  readonly engineHome?: string
  readonly clock: Clock
  readonly config: Config
  readonly worktree: string
  /** The whole suite; null if none is known. */
  readonly testCommand: string | null
  /** Whether the whole suite is known to turn red when a source file is broken. */
  readonly testsSeeChanges: boolean
  /** Environment of the engine and the tests. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Before each call of a model, and between two phases: a pause is waited out there. */
  readonly checkpoint?: () => Promise<void>
  /** The changes that reviews of an item have asked for and that are not known to be done; left out: nobody knows. */
  readonly requested?: (item: Item) => Promise<Requested>
  /** The branch of the build that a delivery brings; left out: nobody knows. */
  readonly buildBranch?: (item: Item) => Promise<string | null>
  /** How thoroughly the build of an item is validated; null or left out: it says nothing of its own. */
  readonly buildLevel?: (item: Item) => Promise<ValidationLevel | null>
  /** What is installed for a task of a build before it is tried again; left out: nothing is. */
  readonly packagesToInstall?: (item: Item) => Promise<readonly PackageToInstall[]>
  /** Counts the tokens of a text as a model would; loaded when first asked for. */
  counter(): Promise<CountTokens>
  /** A text file of the worktree; null if there is none. */
  read(path: string): Promise<string | null>
  /** Resolves once the report is safe on disk. */
  say(report: RunReport): Promise<void>
  /** As say, from a place that cannot wait; kept in order. */
  note(report: RunNote): void
}

export interface WorkJob {
  readonly item: Item
  readonly run: Pick<Run, 'id' | 'baseline' | 'history' | 'gates'>
  readonly branch: string
  /** The commit the work started from. */
  readonly base: string
  /** An engine was cut off in the middle of the attempt, and goes on in its conversation with the files as they are. */
  readonly isContinued?: boolean
  /** What was delivered before and is to be built on; left out: nothing was. */
  readonly rework?: Rework | null
  /** What the reviews of it have asked for; left out: nothing. */
  readonly asked?: Requested
}

export function checkpointRef(runId: string, name: string): string {
  return `refs/treadle/runs/${runId}/${name}`
}
