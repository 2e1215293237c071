// Which category is looked at next: the one that was looked at longest ago, of those that can be looked at. Pure.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { CategoryOff } from '@treadle/contracts/category'
import { CATEGORY_TITLES } from '@treadle/contracts/words/category'
import type { CategoryTally } from '../../ports/ideations.ts'

/** More open improvements of one category than this, and it waits. */
const OPEN_MAX = 10
/** Fewer points on the average, and a category is left alone. */
const VALUE_MIN = 5
/** So many have to have been valued before that says anything. */
const VALUED_MIN = 3

export interface CategoryFacts {
  readonly now: Date
  /** agents.enabledCategories */
  readonly enabled: readonly Category[]
  /** ideas.perCategoryPerDay */
  readonly perDay: number
  readonly tallies: readonly CategoryTally[]
  /** When the code was changed last; null, or left out: nobody knows. */
  readonly changedAt?: Date | null
  /** Why a category cannot be looked at here at all; null: it can. */
  readonly whyNot: (category: Category) => string | null
}

export interface Off {
  readonly why: CategoryOff
  readonly words: string
}

export type Selected =
  | { readonly is: 'category'; readonly category: Category }
  /** None, until the first of those comes back that only have to wait; null: nothing comes back by itself. */
  | { readonly is: 'none'; readonly until: Date | null; readonly why: string }

/** Never looked at comes first, in the order of the list. */
export function selectCategory(facts: CategoryFacts): Selected {
  const tallies = new Map(facts.tallies.map((tally) => [tally.category, tally]))
  const free = CATEGORIES.filter((category) => whyOff(facts, category) === null)
  const usedAt = (category: Category) => Date.parse(tallies.get(category)?.lastUsedAt ?? '') || 0
  const [oldest] = free.toSorted((a, b) => usedAt(a) - usedAt(b))
  return oldest === undefined ? noneOf(facts) : { is: 'category', category: oldest }
}

/** Null: it can be looked at. */
export function whyOff(facts: CategoryFacts, category: Category): Off | null {
  const { enabled, whyNot, tallies } = facts
  if (!enabled.includes(category))
    return { why: 'disabled', words: 'agents.enabledCategories of treadle.json does not name it' }
  const impossible = whyNot(category)
  if (impossible !== null) return { why: 'not_possible', words: impossible }
  const tally = tallies.find((each) => each.category === category)
  return tally === undefined ? null : whyNotNow(facts, tally)
}

function whyNotNow({ now, perDay, changedAt = null }: CategoryFacts, tally: CategoryTally): Off | null {
  const { exhaustedUntil, exhaustedWhy, open, createdToday, recentValue, recentlyValued, underWay } = tally
  if (underWay > 0) return { why: 'under_way', words: 'somebody is looking' }
  if (exhaustedUntil !== null && Date.parse(exhaustedUntil) > now.getTime())
    return { why: 'exhausted', words: exhaustedWhy ?? 'nothing worth doing was found' }
  if (open > OPEN_MAX)
    return { why: 'many_open', words: `${open} improvements of it are open, more than ${OPEN_MAX}` }
  if (recentlyValued >= VALUED_MIN && recentValue !== null && recentValue < VALUE_MIN)
    return {
      why: 'low_value',
      words: `${recentlyValued} merged changes of the last 30 days got ${recentValue.toFixed(1)} points on the average, fewer than ${VALUE_MIN}`,
    }
  if (isStillLow(tally, changedAt))
    return {
      why: 'low_value',
      words: `its merged changes got fewer than ${VALUE_MIN} points on the average, and no code has changed since it was looked at last`,
    }
  if (createdToday >= perDay)
    return { why: 'enough_today', words: `it has brought ${createdToday} today, as many as a day may bring` }
  return null
}

/** After a month the points are old; what they said still holds as long as the code is the same. */
export function isStillLow(
  { value, valued, recentlyValued, lastUsedAt }: CategoryTally,
  changedAt: Date | null,
): boolean {
  if (valued < VALUED_MIN || value === null || value >= VALUE_MIN || recentlyValued >= VALUED_MIN)
    return false
  return changedAt !== null && lastUsedAt !== null && changedAt.getTime() <= Date.parse(lastUsedAt)
}

function noneOf(facts: CategoryFacts): Selected {
  const { tallies, now } = facts
  const back = tallies.flatMap(({ category, exhaustedUntil }) =>
    exhaustedUntil !== null && whyOff(facts, category)?.why === 'exhausted'
      ? [Date.parse(exhaustedUntil)]
      : [],
  )
  const until = back.length === 0 ? null : new Date(Math.max(now.getTime(), Math.min(...back)))
  return { is: 'none', until, why: whyNone(facts) }
}

function whyNone(facts: CategoryFacts): string {
  const off = CATEGORIES.map((category) => ({ category, off: whyOff(facts, category) }))
  if (facts.enabled.length === 0) return 'agents.enabledCategories of treadle.json is empty'
  const counted = Map.groupBy(
    off.filter(({ off: each }) => each?.why !== 'disabled'),
    ({ off: each }) => each?.why ?? 'disabled',
  )
  return [...counted]
    .map(
      ([why, each]) =>
        `${WHY_WORDS[why]}: ${each.map(({ category }) => CATEGORY_TITLES[category]).join(', ')}`,
    )
    .join('; ')
}

const WHY_WORDS: Readonly<Record<CategoryOff, string>> = {
  disabled: 'turned off',
  exhausted: 'nothing worth doing',
  many_open: 'many are open',
  enough_today: 'enough for today',
  low_value: 'few points',
  under_way: 'being looked at',
  not_possible: 'cannot be looked at here',
}

/** Whether looking is over because nothing is worth doing, and not because everybody is busy with it. */
export function isExhausted(facts: CategoryFacts): boolean {
  return CATEGORIES.every((category) => {
    const off = whyOff(facts, category)
    return off !== null && off.why !== 'under_way' && off.why !== 'enough_today'
  })
}
