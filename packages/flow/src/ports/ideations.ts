// Looks for improvements, by category: what was asked, what came of it, what people think of it. Types only.
import type { Category } from '@treadle/contracts/categories'
import type { CategoryView, IdeationOutcome, SelfGenerated } from '@treadle/contracts/category'
import type { ItemRef } from '@treadle/contracts/ids'

/** One look, by one thought. */
export interface Ideation {
  readonly thought: string
  readonly category: Category
  /** 2: the same category again, with a reminder of what did not hold. */
  readonly attempt: number
  readonly askedAt: string
  /** Null: nobody has answered, or the answer was not taken in yet. */
  readonly outcome: IdeationOutcome | null
}

/** What the database counts of a category; of those that nothing is known of there is none. */
export interface CategoryTally
  extends Pick<
    CategoryView,
    | 'category'
    | 'lastUsedAt'
    | 'exhaustedUntil'
    | 'projectsGenerated'
    | 'open'
    | 'merged'
    | 'withdrawn'
    | 'refused'
    | 'value'
    | 'valued'
    | 'costUSD'
    | 'weekly'
  > {
  readonly exhaustedWhy: string | null
  readonly underWay: number
  /** Since the beginning of the day. */
  readonly createdToday: number
  /** Of the points given within the last 30 days. */
  readonly recentValue: number | null
  readonly recentlyValued: number
}

export interface IdeationTotals {
  /** Asked, and not taken in yet. */
  readonly underWay: number
  /** Of those, in the hands of an agent. */
  readonly atWork: number
  /** Improvements of the crew's own that are not over. */
  readonly open: number
  readonly createdToday: number
  readonly spentTodayUSD: number
  /** The dearest look of the last 24 hours: what the next one may cost; 0: none has cost anything. */
  readonly dearestUSD: number
  /** Looks in a row, the last ones, that nobody has answered. */
  readonly failedInRow: number
  readonly lastFailedAt: Date | null
}

/** Of this workspace; several may share one database. */
export interface Ideations {
  tally(now: Date): Promise<CategoryTally[]>
  totals(now: Date): Promise<IdeationTotals>
  /** Until the transaction ends nobody else asks for a look, or takes one in. */
  lock(): Promise<void>
  markUsed(category: Category, at: Date): Promise<void>
  /** Null: it can be looked at again at once. */
  exhaust(category: Category, until: Date | null, why: string | null): Promise<void>
  /** Marks the category as used as well. */
  ask(ideation: Omit<Ideation, 'outcome'>): Promise<void>
  find(thought: string): Promise<Ideation | null>
  end(
    thought: string,
    over: { readonly outcome: IdeationOutcome; readonly why: string | null; readonly item: ItemRef | null },
    at: Date,
  ): Promise<void>
  /** Those whose thought is over and whose answer was not taken in yet, the oldest first. */
  left(limit: number): Promise<Ideation[]>
  /** False: it is said of this item already. */
  record(project: SelfGenerated, finding: string | null): Promise<boolean>
  ofItem(item: ItemRef): Promise<SelfGenerated | null>
  /** Keys of findings that an item was made of since a moment, or whose item is not over. */
  findingsTaken(since: Date): Promise<string[]>
  /** Files of improvements of the crew's own that are not over. */
  filesTaken(): Promise<string[]>
  /** The titles of all items of a project, open and closed. */
  titles(
    projectNumber: number,
  ): Promise<{ readonly number: number; readonly title: string; readonly isOpen: boolean }[]>
  /** The last word about an item counts. */
  value(item: ItemRef, said: { readonly value: number; readonly by: string }, at: Date): Promise<void>
  /** The mean of the points of items merged since a moment; null: nobody gave any. */
  satisfaction(since: Date): Promise<{ readonly mean: number; readonly valued: number } | null>
  /** When it was last told that there is no category left to look at, since a look was asked for; null: not since. */
  allExhaustedAt(): Promise<Date | null>
}
