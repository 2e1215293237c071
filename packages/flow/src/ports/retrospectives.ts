// Where retrospectives are kept. Types only.
import type { Lesson } from '@treadle/contracts/lesson'
import type { Retrospective } from '@treadle/contracts/retrospective'

export interface Retrospectives {
  /** False: the run has one already, and that stays. */
  add(made: Retrospective): Promise<boolean>
  find(runId: string): Promise<Retrospective | null>
  /** Newest first. */
  list(filter: {
    agentType?: string | undefined
    outcome?: string | undefined
    limit: number
  }): Promise<Retrospective[]>
  /** What a run was the first to find, as it stands now. */
  discoveredIn(runId: string, limit: number): Promise<Pick<Lesson, 'id'>[]>
}
