// What a week has taught, as the facts of one question. Pure.
import type { Lesson } from '@treadle/contracts/lesson'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export interface Week {
  /** The Monday on which it begins, as 2026-11-09. */
  readonly name: string
  readonly since: Date
  readonly until: Date
}

/** The last week that is over, from Monday to Monday (UTC). */
export function lastWeek(now: Date): Week {
  const begun = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS)
  const until = new Date(FIRST_MONDAY_MS + begun * WEEK_MS)
  const since = new Date(until.getTime() - WEEK_MS)
  return { name: since.toISOString().slice(0, 10), since, until }
}

export interface WeeklyFacts {
  readonly pattern_count: number
  readonly gotcha_count: number
  readonly total_entries: number
  readonly claude_updates: number
  readonly top_learning: string
}

const WORDS_MAX = 300

/** Null: nothing was learned that anybody would want to read of. `promoted` are those that went into CLAUDE.md then. */
export function weeklyFacts(
  lessons: readonly Lesson[],
  { since, until }: Week,
  promoted: number,
): WeeklyFacts | null {
  const isThen = (at: string) => Date.parse(at) >= since.getTime() && Date.parse(at) < until.getTime()
  const known = lessons.filter(({ createdAt }) => Date.parse(createdAt) < until.getTime())
  const learned = known.filter(({ createdAt }) => isThen(createdAt))
  if (learned.length === 0 && promoted === 0) return null
  const count = (type: Lesson['type']) => learned.filter((lesson) => lesson.type === type).length
  const [top] = (learned.length > 0 ? learned : known).toSorted(
    (a, b) => b.confidence - a.confidence || b.occurrences - a.occurrences,
  )
  return {
    pattern_count: count('pattern'),
    gotcha_count: count('gotcha'),
    total_entries: known.length,
    claude_updates: promoted,
    top_learning: top?.content.slice(0, WORDS_MAX).trim() || 'nothing that has words',
  }
}
