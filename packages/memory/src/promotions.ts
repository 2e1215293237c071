// Lessons on their way into the file that every agent reads. Types only.
type PromotionStatus = 'asked' | 'declined' | 'promoted' | 'failed'

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
  /** How often it could not be written, and when that was last. */
  readonly tries: number
  readonly triedAt: Date | null
}

interface Least {
  readonly confidence: number
  readonly occurrences: number
  readonly places: number
  readonly limit: number
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
  /** Counts tries that could not be written; answers how many, 0 if it is over. */
  tried(lessonId: string, at: Date): Promise<number>
  /** Promotions whose question is not open any more. */
  asked(limit: number): Promise<Promotion[]>
  /**
   * Patterns and gotchas with words that are neither superseded nor retired, at least so sure, so often and in so many
   * places seen, and about no folder. Nobody was asked about them or about what they superseded, or the answer was no
   * and they were seen twice as often since. The surest first.
   */
  candidates(least: Least): Promise<string[]>
}
