// Lessons on their way into the file that every agent reads. Types only.
type PromotionStatus = 'asked' | 'declined' | 'promoted'

export interface Promotion {
  readonly lessonId: string
  readonly status: PromotionStatus
  readonly questionId: string | null
  /** How often the lesson was seen when somebody was asked. */
  readonly occurrences: number
  readonly text: string | null
  readonly file: string | null
  readonly branch: string | null
  readonly commit: string | null
  readonly why: string | null
  readonly askedAt: Date
  readonly decidedAt: Date | null
}

export interface Promotions {
  find(lessonId: string): Promise<Promotion | null>
  /** Locks the row until the transaction ends. */
  lock(lessonId: string): Promise<Promotion | null>
  /** Asked, or asked again; false if it is promoted, or the question is still open. */
  ask(asked: Pick<Promotion, 'lessonId' | 'questionId' | 'occurrences' | 'askedAt'>): Promise<boolean>
  decide(
    lessonId: string,
    decided: Pick<Promotion, 'status' | 'text' | 'file' | 'branch' | 'commit' | 'why'>,
    at: Date,
  ): Promise<void>
  /** Those whose question may have been answered. */
  asked(limit: number): Promise<Promotion[]>
  /** Lessons that are neither superseded nor retired, at least so sure and so often seen, and not promoted. */
  candidates(least: { confidence: number; occurrences: number; limit: number }): Promise<string[]>
}
