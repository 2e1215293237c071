// The policy of spending as tables, and the bound on overspending as a property.
import { fromMicros, toMicros } from '@treadle/contracts/cost'
import { spendLabel } from '@treadle/contracts/words/money'
import { verifies } from '@treadle/requirements/verifies'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideRest } from '../../ports/budget.ts'
import { adviseLimit, DAYS, dearWords } from './advice.ts'
import { type Budget, judgeBudget, judgeHold, reached, worse } from './budget.ts'
import { chooseAffordable, estimateUSD, sizeOf } from './estimate.ts'
import { isHolderGone } from './holder.ts'
import { spanOf } from './period.ts'
import { decideReserve, shareOf } from './reserve.ts'

const now = new Date('2026-11-15T13:14:15.000Z')
const CALL = toMicros(0.5)

function budget(spentUSD: number, limitUSD: number, given: Partial<Budget> = {}): Budget {
  const period = given.period ?? 'daily'
  const sums = { spent: toMicros(spentUSD), limit: toMicros(limitUSD) }
  return { period, ...spanOf(period, now), ...sums, refused: false, ...given }
}

test.each([
  [0.1 + 0.2, 300_000],
  [0.29, 290_000],
  [1e-9, 1],
  [0, 0],
  [999_999.999_999, 999_999_999_999],
])('%d dollars are %d millionths', (dollars, micros) => {
  expect(toMicros(dollars)).toBe(micros)
  expect(toMicros(fromMicros(micros))).toBe(micros)
})

test.each([
  [12.34, 50, '$12.34 / $50.00 (24.7%)'],
  [0, 50, '$0.00 / $50.00 (0.0%)'],
  [49.999, 50, '$50.00 / $50.00 (99.9%)'],
  [50, 50, '$50.00 / $50.00 (100.0%)'],
  [61, 50, '$61.00 / $50.00 (122.0%)'],
  [0.0042, 50, '$0.0042 / $50.00 (0.0%)'],
])('%d of %d is told as %s', (spent, limit, label) => {
  expect(spendLabel(spent, limit)).toBe(label)
})

test('the thresholds: 50 info, 75 warning, 90 error and no claims, 100 critical and nothing runs', () => {
  const table: [spent: number, percents: number[], hold: string][] = [
    [24.999_999, [], 'none'],
    [25, [50], 'none'],
    [37.5, [50, 75], 'none'],
    [44.999_999, [50, 75], 'none'],
    [45, [50, 75, 90], 'claims'],
    [49.999_999, [50, 75, 90], 'claims'],
    [50, [50, 75, 90, 100], 'all'],
    [80, [50, 75, 90, 100], 'all'],
  ]
  for (const [spent, percents, hold] of table) {
    const daily = budget(spent, 50)
    expect([spent, reached(daily).map(({ percent }) => percent)]).toEqual([spent, percents])
    expect([spent, judgeHold([daily, budget(0, 500, { period: 'monthly' })], CALL).is]).toEqual([spent, hold])
    expect(judgeHold([budget(0, 50), { ...daily, period: 'monthly' }], CALL).is).toBe(hold)
  }
  expect(reached(budget(50, 50)).map(({ level }) => level)).toEqual(['info', 'warning', 'error', 'critical'])
  // The notification at 90 percent: at least a warning, and the health of the budget is critical.
  expect(judgeBudget(budget(45, 50))).toBe('critical')
})

test('a hold says which budget, how much, and the way out', () => {
  expect(judgeHold([budget(46, 50)], CALL)).toEqual({
    is: 'claims',
    why: 'the daily budget is nearly used up: $46.00 / $50.00 (92.0%); raise agents.dailyBudgetUSD, or wait until 2026-11-16 00:00 UTC',
  })
  expect(judgeHold([budget(1.75, 2, { refused: true, period: 'monthly' })], CALL)).toEqual({
    is: 'all',
    why: 'the monthly budget is used up: $1.75 / $2.00 (87.5%), and the next call may cost $0.50; raise agents.monthlyBudgetUSD, or wait until 2026-12-01 00:00 UTC',
  })
  // Of a refusal nothing is left once an assumed cost has turned out smaller.
  expect(judgeHold([budget(1.5, 2, { refused: true })], CALL)).toEqual({ is: 'none' })
})

test.each([
  [24.9, 'healthy'],
  [25, 'warning'],
  [37.5, 'warning'],
  [37.6, 'critical'],
  [60, 'critical'],
] as const)('with %d of 50 spent the health is %s', (spent, health) => {
  expect(judgeBudget(budget(spent, 50))).toBe(health)
})

test('of two budgets the worse counts', () => {
  expect(worse(['healthy', 'warning'])).toBe('warning')
  expect(worse(['critical', 'warning'])).toBe('critical')
  expect(worse(['healthy', 'healthy'])).toBe('healthy')
})

test.each([
  ['daily', '2026-11-15T23:59:59.999Z', '2026-11-15', '2026-11-16'],
  ['daily', '2026-11-16T00:00:00.000Z', '2026-11-16', '2026-11-17'],
  ['monthly', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['monthly', '2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01'],
] as const)('the %s budget at %s lasts from %s to %s', (period, at, from, to) => {
  const { startsAt, endsAt } = spanOf(period, new Date(at))
  expect([startsAt, endsAt].map((day) => day.toISOString())).toEqual(
    [from, to].map((day) => `${day}T00:00:00.000Z`),
  )
})

test.each([
  // spent, open, own, of a limit of 2
  [0, 0, 0.5, 'granted'],
  [1, 0.5, 0.5, 'granted'],
  [1.5, 0, 0.5, 'granted'],
  [1, 1, 0.5, 'wait'],
  [1.5, 0.1, 0.5, 'wait'],
  [1.6, 0, 0.5, 'refused'],
  [1.6, 0.4, 0.3, 'wait'],
  [1, 0, 1.5, 'wait'],
  [2, 0, 0.000_001, 'refused'],
  [2, 0, 0, 'refused'],
  [2.4, 0, 0.5, 'refused'],
] as const)('with $%d spent and $%d set aside, $%d more is %s', (spent, open, own, is) => {
  const facts = {
    open: toMicros(open),
    own: toMicros(own),
    call: CALL,
    callsLastMinute: 0,
    callsPerMinute: 9,
  }
  const daily = budget(spent, 2)
  expect(decideReserve({ ...facts, budgets: [daily, budget(0, 500)] }).is).toBe(is)
  expect(decideReserve({ ...facts, budgets: [budget(0, 500), daily] }).is).toBe(is)
})

test('the calls of the crew within a minute have a limit that can be set', () => {
  const facts = { budgets: [budget(0, 50)], open: 0, own: CALL, call: CALL }
  expect(decideReserve({ ...facts, callsLastMinute: 6, callsPerMinute: 7 }).is).toBe('granted')
  expect(decideReserve({ ...facts, callsLastMinute: 7, callsPerMinute: 7 }).is).toBe('wait')
})

test('what an agent may spend alone is its part of what is left', () => {
  const budgets = [budget(40, 50), budget(499, 500, { period: 'monthly' })]
  expect(shareOf({ budgets, open: 0 }, 4)).toBe(toMicros(0.25))
  expect(shareOf({ budgets, open: toMicros(3) }, 4)).toBe(0)
  expect(shareOf({ budgets, open: 0 }, 0)).toBe(toMicros(1))
})

const past = (...costs: number[]) => costs.map((costUSD) => ({ size: 100, costUSD }))
const item = (number: number, size: number) => ({ number, title: 'x'.repeat(size), body: '', acceptance: [] })

test('an item that will probably cost more than is left is passed over', () => {
  expect(estimateUSD(100, past(1, 2))).toBeNull()
  expect(estimateUSD(100, past(1, 2, 3))).toBe(2)
  expect(estimateUSD(200, past(1, 2, 3))).toBe(4)
  expect(estimateUSD(100_000, past(1, 2, 3))).toBe(6)
  expect(estimateUSD(0, past(3, 3, 3))).toBe(1)
  expect(estimateUSD(50, [{ size: 0, costUSD: 1 }, ...past(1), { size: 0, costUSD: 1 }])).toBeGreaterThan(0)
  const queue = [item(1, 250), item(2, 100), item(3, 50)]
  const choose = (remainingUSD: number) => chooseAffordable({ queue, past: past(2, 2, 2), remainingUSD })
  expect(choose(5)).toMatchObject({ is: 'item', item: { number: 1 } })
  expect(choose(4.9)).toMatchObject({ is: 'item', item: { number: 2 } })
  expect(choose(1)).toMatchObject({ is: 'item', item: { number: 3 } })
  expect(choose(0.9)).toMatchObject({ is: 'too_dear', item: { number: 1 }, estimateUSD: 5 })
  expect(chooseAffordable({ queue, past: [], remainingUSD: 0 })).toMatchObject({
    is: 'item',
    item: { number: 1 },
  })
  expect(chooseAffordable({ queue: [], past: [], remainingUSD: 0 })).toEqual({ is: 'none' })
  const acceptance = [{ id: null, text: 'four', status: 'pending' as const }]
  expect(sizeOf({ title: 'a', body: 'bc', acceptance })).toBe(7)
})

test.each([
  ['the claim ended', false, null, true],
  ['an agent that the daemon did not start', true, null, false],
  ['its process is there', true, { isThere: true, startedAt: 5 }, false],
  ['its process is gone', true, { isThere: false, startedAt: 5 }, true],
  ['another process came after it', true, { isThere: true, startedAt: 11 }, true],
] as const)('%s', (_, claimed, process, gone) => {
  expect(isHolderGone({ claimed, process, reservedAt: 10 })).toBe(gone)
})

test.each([
  ['done', 3, 'release'],
  ['done', 0, 'assume'],
  ['max_turns', 0, 'assume'],
  ['interrupted', 3, 'assume'],
  ['crashed', 0, 'assume'],
  ['stalled', 3, 'assume'],
  ['rate_limited', 0, 'release'],
  ['auth', 0, 'release'],
  ['network', 2, 'release'],
] as const)('of a turn that ended %s after %i calls, what is set aside is to %s', (outcome, calls, rest) => {
  expect(decideRest({ outcome, calls, asksModel: true })).toBe(rest)
  // A program without a model has cost nothing but what it told of.
  expect(decideRest({ outcome, calls, asksModel: false })).toBe('release')
  // Money for a call that never went out is free again, however the turn ended.
  expect(decideRest({ outcome, calls: 0, asksModel: true, hasAsked: false })).toBe('release')
})

/** The ledger in a few lines: what any store has to do with the choices. */
class Model {
  readonly limit: number
  spent = 0
  readonly open = new Map<number, number>()
  constructor(limit: number) {
    this.limit = limit
  }
  reserve(agent: number, own: number): boolean {
    // A predecessor that died over its call has spent the worst case.
    const left = this.open.get(agent)
    if (left !== undefined) this.settle(agent, left)
    const open = [...this.open.values()].reduce((total, each) => total + each, 0)
    const budgets = [{ ...budget(0, 1), spent: this.spent, limit: this.limit }]
    const choice = decideReserve({ budgets, open, own, call: CALL, callsLastMinute: 0, callsPerMinute: 1 })
    if (choice.is === 'granted') this.open.set(agent, own)
    return choice.is === 'granted'
  }
  settle(agent: number, cost: number): void {
    if (!this.open.delete(agent)) return
    this.spent += cost
  }
}

const AGENTS = 4
const act = fc.record({
  agent: fc.integer({ min: 1, max: AGENTS }),
  does: fc.constantFrom('reserve', 'settle', 'release', 'crash', 'recover'),
  amount: fc.integer({ min: 1, max: 3_000_000 }),
})
const budgets = fc.integer({ min: 0, max: 10_000_000 })

/** The most that a call has cost, and whether each stayed within what was set aside for it. */
interface SpendingLog {
  dearest: number
  honest: boolean
}

function play(
  model: Model,
  { agent, does, amount }: typeof act extends fc.Arbitrary<infer A> ? A : never,
  seen: SpendingLog,
) {
  const reserved = model.open.get(agent) ?? 0
  if (does === 'reserve') model.reserve(agent, amount)
  if (does === 'release') model.open.delete(agent)
  // A crash leaves the reservation open; what is found open is settled at its worst case.
  if (does === 'recover') model.settle(agent, reserved)
  if (does !== 'settle' || reserved === 0) return
  seen.dearest = Math.max(seen.dearest, amount)
  seen.honest &&= amount <= reserved
  model.settle(agent, amount)
}

test('whatever the order of reserving, settling and crashing, one call for each agent is the most that is overspent', () => {
  fc.assert(
    fc.property(budgets, fc.array(act, { maxLength: 80 }), (limit, acts) => {
      const model = new Model(limit)
      const seen = { dearest: 0, honest: true }
      for (const each of acts) {
        play(model, each, seen)
        const open = [...model.open.values()].reduce((total, held) => total + held, 0)
        if (seen.honest) expect(model.spent + open).toBeLessThanOrEqual(limit)
        expect(model.spent).toBeLessThanOrEqual(limit + AGENTS * seen.dearest)
      }
      if (model.spent >= limit) expect(model.reserve(AGENTS + 1, 1)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

const spentOn = (...costs: number[]) =>
  Array.from({ length: DAYS }, (_, at) => ({ day: `2026-11-${14 - at}`, costUSD: costs[at] ?? 0 }))

verifies('ORCH-S4-12', 'a limit that began at $100 a day comes down to what was observed, with room', () => {
  expect(adviseLimit({ days: spentOn(4.2, 12.34, 7), limitUSD: 100 })).toMatchObject({
    suggestedUSD: 19,
    why: 'the most expensive of the last 14 days, 2026-11-13, cost $12.34; times 1.5 and rounded up to whole dollars that is $19.00',
  })
  const none = [
    adviseLimit({ days: spentOn(80, 90, 70), limitUSD: 100 }),
    adviseLimit({ days: spentOn(4.2, 12.34), limitUSD: 100 }),
    adviseLimit({ days: spentOn(), limitUSD: 100 }),
  ]
  expect(none.map(({ suggestedUSD }) => suggestedUSD)).toEqual([null, null, null])
  expect(none.map(({ why }) => why)).toEqual([
    expect.stringContaining('$135.00, not less than the limit'),
    'something was spent on 2 of the last 14 days; a suggestion needs 3',
    'something was spent on 0 of the last 14 days; a suggestion needs 3',
  ])
  expect(adviseLimit({ days: spentOn(0.001, 0.002, 0.001), limitUSD: 100 }).suggestedUSD).toBe(1)
})

test('an item that was dear is told with the order that is called for, and what that would do', () => {
  const words = dearWords({ projectNumber: 1, number: 7, costUSD: 5.4 }, 5)
  expect(words).toMatch(/^#7 has cost \$5\.40, more than \$5\.00/)
  expect(words).toContain('treadle rollback --phase 2 sets flags.enable_multi_agent to false')
})
