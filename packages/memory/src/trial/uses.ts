// Uses of lessons: what became of each that fitted a run. Types only.
import type { LessonTrial } from '@treadle/contracts/lesson'

type LessonExposure = 'shown' | 'withheld' | 'left_out'

export interface LessonUse {
  readonly lessonId: string
  readonly runId: string
  /** Runs are compared with their like: repository and kind of item. */
  readonly stratum: string
  /** How many runs of the stratum were eligible before this one. */
  readonly nth: number
  readonly given: LessonExposure
  /** Why it was left out; why it was shown without a draw. */
  readonly why: string | null
  /** The attempt that was the first to be shown it, or not. */
  readonly attempt: number
  /** A draw decided; what is shown in any case says nothing about its effect. */
  readonly drawn: boolean
  readonly outcome: 'good' | 'bad' | null
  readonly usd: number | null
  readonly at: Date
  readonly settledAt: Date | null
}

export type NewUse = Omit<LessonUse, 'outcome' | 'usd' | 'settledAt'>

interface Settlement {
  readonly lessonId: string
  /** The outcome of the run; null: it says nothing about the lesson. */
  readonly outcome: 'good' | 'bad' | null
  readonly usd: number
}

export type UseCounts = Pick<LessonTrial, 'shown' | 'withheld' | 'leftOut' | 'used'>

export interface LessonUses {
  ofRun(runId: string): Promise<LessonUse[]>
  /** Draws are made one after the other, until the transaction ends. */
  lockDraws(): Promise<void>
  /** How many runs of the stratum each of these was drawn for; none is left out of the answer. */
  drawnIn(stratum: string, lessonIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Adds uses; decisions of before stay, but one that was only left out may become shown or withheld. */
  add(uses: readonly NewUse[]): Promise<void>
  /** Once: what was settled before is not touched. Answers with the ids of those that it settled. */
  settle(runId: string, settlements: readonly Settlement[], at: Date): Promise<string[]>
  /** Runs of the stratum that the lesson fitted and that are over, the latest first. */
  settledIn(of: { lessonId: string; stratum: string; limit: number }): Promise<string[]>
  /** Counts of draws that are settled, by lesson; none is left out of the answer. */
  countsOf(lessonIds: readonly string[]): Promise<ReadonlyMap<string, UseCounts>>
}
