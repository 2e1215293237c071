// When the crew looks for improvements, and how many look at once.
import { expect, test } from 'vitest'
import { decideLook, type LookFacts } from './look-now.ts'

const NOW = new Date(2026, 5, 15, 12, 0)
const calm: LookFacts = {
  now: NOW,
  settings: {
    isOn: true,
    openMax: 10,
    perDay: 24,
    quietHours: null,
    withoutTests: false,
    budgetUSD: 5,
    queueLow: 3,
    queueHigh: 10,
  },
  depth: 0,
  taking: 0,
  inReview: 0,
  idle: 3,
  totals: {
    underWay: 0,
    atWork: 0,
    open: 0,
    createdToday: 0,
    spentTodayUSD: 0,
    dearestUSD: 0,
    failedInRow: 0,
    lastFailedAt: null,
  },
  hasTests: true,
  unready: null,
  isFree: false,
  hold: null,
}
const totals = (more: Partial<LookFacts['totals']>): Partial<LookFacts> => ({
  totals: { ...calm.totals, ...more },
})
const settings = (more: Partial<LookFacts['settings']>): Partial<LookFacts> => ({
  settings: { ...calm.settings, ...more },
})

test.each<[string, Partial<LookFacts>, number]>([
  ['nothing to do and nothing in review: every idle agent', {}, 3],
  ['nothing to do, but a review: one', { inReview: 1 }, 1],
  ['one item waits: one', { depth: 1 }, 1],
  ['two items wait: one', { depth: 2 }, 1],
  ['two items wait and one agent looks: nobody else', { depth: 2, ...totals({ underWay: 1, atWork: 1 }) }, 0],
  ['one is asked and has not begun: the two others', totals({ underWay: 1 }), 2],
  ['three items wait: nobody', { depth: 3 }, 0],
  [
    'three items wait, and whoever asks would take one of them: that one',
    { depth: 3, taking: 1, idle: 1 },
    1,
  ],
  ['four items wait, and whoever asks would leave three: nobody', { depth: 4, taking: 1, idle: 1 }, 0],
  ['eleven items wait: nobody', { depth: 11 }, 0],
  ['one agent looks and two are idle: those two', { idle: 2, ...totals({ underWay: 1, atWork: 1 }) }, 2],
  ['nobody is idle: nobody', { idle: 0 }, 0],
  ['room for one more improvement: one', totals({ open: 9 }), 1],
  ['as many improvements as may be open: nobody', totals({ open: 10 }), 0],
  ['as many as a day may bring: nobody', totals({ createdToday: 24 }), 0],
  ['the money for looking is spent: nobody', totals({ spentTodayUSD: 5 }), 0],
  ['what is left covers no further look: nobody', totals({ spentTodayUSD: 4.5, dearestUSD: 0.6 }), 0],
  [
    'what is left covers a look, which is under way: nobody',
    totals({ spentTodayUSD: 4, dearestUSD: 0.6, underWay: 1 }),
    0,
  ],
  ['yesterday was dear, and nothing is spent today: one tries', totals({ dearestUSD: 6 }), 1],
  ['what is left covers two looks: two', totals({ spentTodayUSD: 3.7, dearestUSD: 0.6 }), 2],
  ['the money is spent, and looking is free: all', { isFree: true, ...totals({ spentTodayUSD: 5 }) }, 3],
  ['nothing may be begun: nobody', { hold: 'the daily budget is used up' }, 0],
  ['it is turned off: nobody', settings({ isOn: false }), 0],
  ['no tests: nobody', { hasTests: false }, 0],
  [
    'no tests, and the owner wants it all the same: all',
    { hasTests: false, ...settings({ withoutTests: true }) },
    3,
  ],
  ['the tests cannot be run: nobody', { unready: 'npm ci fails' }, 0],
  ['quiet hours around noon: nobody', settings({ quietHours: '11:30-12:30' }), 0],
  ['quiet hours that end now: all', settings({ quietHours: '11:00-12:00' }), 3],
  ['quiet hours over midnight: all at noon', settings({ quietHours: '22:00-07:00' }), 3],
  ['quiet hours over midnight and noon: nobody', settings({ quietHours: '22:00-12:01' }), 0],
])('%s', (_, given, agents) => {
  const decided = decideLook({ ...calm, ...given })
  expect(decided.is === 'look' ? decided.agents : 0).toBe(agents)
})

test('after looks that nobody answered it is tried again ever more rarely, at most an hour later', () => {
  const after = (failedInRow: number, minutes: number) => {
    const lastFailedAt = new Date(NOW.getTime() - minutes * 60_000)
    return decideLook({ ...calm, ...totals({ failedInRow, lastFailedAt }) }).is
  }
  expect([after(1, 0.5), after(1, 1)]).toEqual(['wait', 'look'])
  expect([after(3, 3.9), after(3, 4)]).toEqual(['wait', 'look'])
  expect([after(100, 59), after(100, 60)]).toEqual(['wait', 'look'])
})

test('a look that failed before the clock was set back keeps nobody from looking', () => {
  const lastFailedAt = new Date(NOW.getTime() + 365 * 24 * 3_600_000)
  expect(decideLook({ ...calm, ...totals({ failedInRow: 3, lastFailedAt }) }).is).toBe('look')
})
