// Which category is looked at next, with every rule that leaves one alone.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import { expect, test } from 'vitest'
import type { CategoryTally } from '../../ports/ideations.ts'
import { type CategoryFacts, isExhausted, selectCategory, whyOff } from './select-category.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000).toISOString()

function tally(category: Category, facts: Partial<CategoryTally> = {}): CategoryTally {
  return {
    category,
    lastUsedAt: null,
    exhaustedUntil: null,
    exhaustedWhy: null,
    projectsGenerated: 0,
    open: 0,
    merged: 0,
    withdrawn: 0,
    refused: 0,
    value: null,
    valued: 0,
    recentValue: null,
    recentlyValued: 0,
    costUSD: 0,
    weekly: [],
    underWay: 0,
    createdToday: 0,
    ...facts,
  }
}

function facts(tallies: readonly CategoryTally[], more: Partial<CategoryFacts> = {}): CategoryFacts {
  return { now: NOW, enabled: CATEGORIES, perDay: 2, tallies, whyNot: () => null, ...more }
}

test('the category that was looked at longest ago comes next, and one that never was before all of them', () => {
  const used = CATEGORIES.map((category, nth) => tally(category, { lastUsedAt: hours(nth - 100) }))
  expect(selectCategory(facts(used))).toEqual({ is: 'category', category: CATEGORIES[0] })
  const [first, ...others] = used
  const later = [{ ...tally('optimization'), lastUsedAt: hours(-1) }, ...others]
  expect(first?.category).toBe('optimization')
  expect(selectCategory(facts(later))).toEqual({ is: 'category', category: CATEGORIES[1] })
  const withoutSecurity = used.filter(({ category }) => category !== 'security')
  expect(selectCategory(facts(withoutSecurity))).toEqual({ is: 'category', category: 'security' })
  // With nothing known at all they come in the order of the list: round-robin.
  expect(selectCategory(facts([]))).toEqual({ is: 'category', category: CATEGORIES[0] })
})

test.each<[string, Partial<CategoryTally>, string | null]>([
  ['nobody has looked', {}, null],
  ['it is exhausted for a moment more', { exhaustedUntil: hours(0.001) }, 'exhausted'],
  ['it was exhausted until now', { exhaustedUntil: hours(0) }, null],
  ['10 improvements are open', { open: 10 }, null],
  ['11 improvements are open', { open: 11 }, 'many_open'],
  ['somebody is looking', { underWay: 1 }, 'under_way'],
  ['3 changes got 4.9 points', { recentlyValued: 3, recentValue: 4.9 }, 'low_value'],
  ['3 changes got 5 points', { recentlyValued: 3, recentValue: 5 }, null],
  ['2 changes got no points', { recentlyValued: 2, recentValue: 0 }, null],
  ['1 came today', { createdToday: 1 }, null],
  ['2 came today', { createdToday: 2 }, 'enough_today'],
])('%s: %o is off because of %s', (_, given, why) => {
  expect(whyOff(facts([tally('testing', given)]), 'testing')?.why ?? null).toBe(why)
})

test('a category that is not enabled, or cannot be looked at here, is never selected', () => {
  const only = facts([], { enabled: ['testing', 'security'] })
  expect(selectCategory(only)).toEqual({ is: 'category', category: 'security' })
  expect(whyOff(only, 'optimization')).toMatchObject({ why: 'disabled' })
  const withoutTemplate = {
    ...only,
    whyNot: (category: Category) => (category === 'security' ? 'gone' : null),
  }
  expect(selectCategory(withoutTemplate)).toEqual({ is: 'category', category: 'testing' })
  expect(whyOff(withoutTemplate, 'security')).toEqual({ why: 'not_possible', words: 'gone' })
})

test('with none left it says until when, and why each is left alone', () => {
  const given = facts(
    [
      tally('testing', { exhaustedUntil: hours(30), exhaustedWhy: 'no idea' }),
      tally('security', { exhaustedUntil: hours(20) }),
    ],
    { enabled: ['testing', 'security'] },
  )
  expect(selectCategory(given)).toEqual({
    is: 'none',
    until: new Date(hours(20)),
    why: 'nothing worth doing: Security, Testing',
  })
  expect(isExhausted(given)).toBe(true)
  expect(selectCategory(facts([], { enabled: [] }))).toMatchObject({ is: 'none', until: null })
})

test('while somebody looks at the last one nothing is exhausted', () => {
  const given = facts([tally('testing', { exhaustedUntil: hours(30) }), tally('security', { underWay: 1 })], {
    enabled: ['testing', 'security'],
  })
  expect(selectCategory(given).is).toBe('none')
  expect(isExhausted(given)).toBe(false)
})
