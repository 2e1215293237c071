import { AgentMetrics, type CrewMetrics, type MetricsSummary } from '@treadle/contracts/metrics'
import { expect, test } from 'vitest'
import { apartWords, COMPARED, FIGURES, figureWords } from './figures.model.ts'
import { headlines, isMeasuredShort, mergeMark, periodWords, staleWords, summaryOf } from './metrics.model.ts'
import { agentMetrics, rates } from './metrics-samples.ts'

test('every figure of an agent has a name, a meaning and a value of its own', () => {
  const agent = agentMetrics({
    tasksCompleted: { total: 41, last24h: 2, last7d: 9, inPeriod: 7 },
    completedPerDay: 1.5,
    averageCycleMs: 90_000,
    reviewPassRate: 0.755,
    reviewsPerItem: 1.25,
    mergePassRate: 1,
    errorsPerItem: 0.5,
    costPerItemUSD: 1.25,
    costUSD: 8.75,
    uptime: 0.4,
    firstPassSuccess: 0.6,
    errors: 3,
    crashes: 1,
  })
  expect(Object.fromEntries(FIGURES.map((figure) => [figure.name, figureWords(figure, agent)]))).toEqual({
    Completed: '7',
    'Completed, 24 hours': '2',
    'Completed, 7 days': '9',
    'Completed in total': '41',
    'Completed a day': '1.50',
    'Average cycle time': '1 min 30 s',
    'Review pass rate': '76%',
    'Reviews per item': '1.25',
    'First-pass success': '60%',
    'Merge pass rate': '100%',
    'Errors per item': '0.50',
    'Cost per item, in total': '$1.25',
    'Cost in the period': '$8.75',
    'Time working': '40%',
    Errors: '3',
    Crashes: '1',
  })
  expect(FIGURES.every(({ meaning }) => meaning.endsWith('.'))).toBe(true)
})

/** Fields that say whose figures they are and of when, and are no figures themselves. */
const ABOUT = ['agentId', 'period', 'role', 'measuredSince', 'calculatedAt', 'stale']

test('nothing that is measured is left out of the card', () => {
  const measured = Object.keys(AgentMetrics.shape).filter((key) => !ABOUT.includes(key))
  const seen = new Set<string>()
  const watched = new Proxy(agentMetrics({}), {
    get: (agent, key) => {
      seen.add(String(key))
      return Reflect.get(agent, key)
    },
  })
  for (const { of } of FIGURES) of(watched)
  expect([...seen].toSorted()).toEqual(measured.toSorted())
})

test('what was not measured is shown as that, not as nothing', () => {
  const cycle = COMPARED.find(({ id }) => id === 'cycle')
  expect(cycle && figureWords(cycle, agentMetrics({ averageCycleMs: null }))).toBe('–')
})

test('a closed card says the most important', () => {
  const completed = { total: 5, last24h: 1, last7d: 3, inPeriod: 3 }
  const agent = agentMetrics({ tasksCompleted: completed, averageCycleMs: 60_000, costUSD: 2 })
  expect(headlines(agent)).toEqual(['3 completed', '1 min 0 s a cycle', '$2.00'])
  expect(headlines(agentMetrics({ role: 'review' }))).toEqual(['0 reviews'])
})

test.each([
  { measuredSince: '2026-11-08T12:00:00.000Z', is: false },
  { measuredSince: '2026-11-08T12:00:30.000Z', is: false },
  { measuredSince: '2026-11-14T12:00:00.000Z', is: true },
])('measured since $measuredSince, that is short for 7 days: $is', ({ measuredSince, is }) => {
  expect(isMeasuredShort({ measuredSince, calculatedAt: '2026-11-15T12:00:00.000Z', period: '7d' })).toBe(is)
})

test('the header says how many, how fast and how dear', () => {
  const completed = { total: 41, last24h: 2, last7d: 9, inPeriod: 12 }
  const summary: MetricsSummary = { ...rates, completed, averageCycleMs: 90_000, costUSD: 3.2 }
  expect(summaryOf({ summary, period: '30d' })).toEqual([
    { name: 'Completed', value: '41 (12 in 30 days)' },
    { name: 'Average cycle', value: '1 min 30 s' },
    { name: 'Cost in 30 days', value: '$3.20' },
  ])
  expect(summaryOf({ summary: { ...summary, averageCycleMs: null }, period: '24h' })[1]?.value).toBe('–')
})

const now = Date.parse('2026-11-15T12:10:00.000Z')
const fresh: Pick<CrewMetrics, 'calculatedAt' | 'stale'> = {
  calculatedAt: '2026-11-15T12:00:00.000Z',
  stale: null,
}

test.each([
  ['fresh', { answer: fresh, problem: null }, null],
  ['not there yet', { answer: null, problem: 'The daemon does not answer.' }, null],
  [
    'not read again',
    { answer: fresh, problem: 'The daemon does not answer.' },
    {
      head: 'These figures are of 10 min ago.',
      why: 'They could not be read since: The daemon does not answer.',
    },
  ],
  [
    'not calculated again',
    {
      answer: { ...fresh, stale: { since: '2026-11-15T12:05:00.000Z', why: 'the database is busy' } },
      problem: null,
    },
    {
      head: 'These figures are of 10 min ago.',
      why: 'They could not be recalculated since 5 min ago: the database is busy',
    },
  ],
] as const)('figures that are %s', (_, facts, words) => {
  expect(staleWords({ ...facts, now })).toEqual(words)
})

test('who reviews, and who was never started here, is told apart', () => {
  const crew = new Set(['agent-1', 'review-agent'])
  expect(apartWords({ agentId: 'agent-1', role: 'build' }, crew)).toEqual([])
  expect(apartWords({ agentId: 'review-agent', role: 'review' }, crew)).toEqual(['reviewer'])
  expect(apartWords({ agentId: 'agent-7', role: 'build' }, crew)).toEqual(['not in the crew'])
})

test('a merge changes the mark, other news do not', () => {
  const done = { state: 'done', updatedAt: '2026-11-15T12:00:00.000Z' } as const
  const open = { state: 'building', updatedAt: '2026-11-15T13:00:00.000Z' } as const
  const mark = mergeMark([done, open])
  expect(mergeMark([done])).toBe(mark)
  expect(mergeMark([])).not.toBe(mark)
  expect(mergeMark([done, { ...open, state: 'done' }])).not.toBe(mark)
  // The page keeps only the newest: one comes, one goes.
  expect(mergeMark([{ ...open, state: 'done' }])).not.toBe(mark)
})

test('a period has words', () => {
  expect((['24h', '7d', '30d'] as const).map(periodWords)).toEqual(['24 hours', '7 days', '30 days'])
})
