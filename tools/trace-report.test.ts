import { expect, test } from 'vitest'
import { foldReport, formatReport, type Row } from './trace-report.ts'
import { mergeResults, type TestResult, type TierResults } from './trace-results.ts'

const rows: Row[] = [
  { id: 'A-1', group: 'alpha' },
  { id: 'A-2', group: 'alpha' },
  { id: 'A-3', group: 'alpha', deferred: 'fleet' },
  { id: 'B-1', group: 'beta' },
  { id: 'B-2', group: 'beta', deferred: 'sprint' },
]
const at = '2026-01-01T00:00:00.000Z'
const now = Date.parse(at) + 90_000

function results(tree: string, tests: TestResult[], extra: Partial<TierResults> = {}): TierResults {
  return {
    tier: 'quick',
    tree,
    at,
    whole: true,
    files: { 'a.test.ts': { at, loaded: true, ms: 1, tests } },
    ...extra,
  }
}

function passed(title: string, ...ids: string[]): TestResult {
  return { title, ids, state: 'passed', ms: 1 }
}

test('a requirement is verified by a passing test of this tree', () => {
  const report = foldReport({ rows, results: [results('t1', [passed('one', 'A-1')])], tree: 't1', now })
  expect(report).toMatchObject({ total: 5, verified: 1, deferred: 2, ran: true, tree: 't1', ageSeconds: 90 })
  expect(report.groups).toEqual({
    alpha: { total: 3, verified: 1, deferred: 1, missing: ['A-2'] },
    beta: { total: 2, verified: 0, deferred: 1, missing: ['B-1'] },
  })
})

test('one failing citation outweighs any number of passing ones, also from another tier', () => {
  const quick = results('t1', [passed('one', 'A-1'), passed('two', 'A-1', 'B-1')])
  const long = results('t1', [{ title: 'three', ids: ['A-1'], state: 'failed', ms: 1 }], { tier: 'long' })
  const report = foldReport({ rows, results: [quick, long], tree: 't1', now })
  expect(report.verified).toBe(1)
  expect(report.groups.alpha?.missing).toEqual(['A-1', 'A-2'])
  expect(report.failed).toEqual(['a.test.ts: three'])
})

test('a test that was not run verifies nothing', () => {
  const left: TestResult = { title: 'one', ids: ['A-1'], state: 'not-run', ms: 1, why: 'no browser' }
  const report = foldReport({ rows, results: [results('t1', [left])], tree: 't1', now })
  expect(report).toMatchObject({ verified: 0, ran: true, notRun: ['a.test.ts: one'] })
})

test.each([
  ['another tree', 't2'],
  ['an unknown tree', 'unknown'],
])('results of %s do not count', (_, tree) => {
  const old = [results('t1', [passed('one', 'A-1')]), results('unknown', [passed('one', 'A-1')])]
  const report = foldReport({ rows, results: old, tree, now })
  expect(report).toMatchObject({ verified: 0, ran: false, ageSeconds: null })
  expect(formatReport(report)).toContain('verified: 0, ran: false')
  expect(formatReport(report)).toContain('npm run trace -- --run')
})

test('a verified row that is still marked deferred counts as verified and is named', () => {
  const report = foldReport({ rows, results: [results('t1', [passed('one', 'A-3')])], tree: 't1', now })
  expect(report.groups.alpha).toEqual({ total: 3, verified: 1, deferred: 0, missing: ['A-1', 'A-2'] })
  expect(report.verifiedThoughDeferred).toEqual(['A-3'])
})

test('tests that cite more than three ids are listed', () => {
  const tests = [passed('three', 'A-1', 'A-2', 'A-3'), passed('four', 'A-1', 'A-2', 'A-3', 'B-1')]
  const report = foldReport({ rows, results: [results('t1', tests)], tree: 't1', now })
  expect(report.manyIds).toEqual([{ title: 'a.test.ts: four', ids: 4 }])
  expect(formatReport(report)).toContain('4  a.test.ts: four')
})

test('the text form is a table with one row per group and one for all', () => {
  const text = formatReport(
    foldReport({ rows, results: [results('t1', [passed('one', 'A-1')])], tree: 't1', now }),
  )
  expect(text.split('\n').slice(0, 6)).toEqual([
    'group     total  verified  deferred   missing',
    'alpha         3         1         1         1  A-2',
    'beta          2         0         1         1  B-1',
    'all           5         1         2         2',
    '',
    'verified: 1, ran: true, tree t1',
  ])
  expect(text).toContain('quick: 1 tests, 90 s ago')
})

test('a narrowed run of the same tree replaces only what it ran', () => {
  const whole = results('t1', [passed('one', 'A-1'), passed('two', 'A-2')])
  whole.files['b.test.ts'] = { at, loaded: true, ms: 1, tests: [passed('other', 'B-1')] }
  const narrowed = results('t1', [{ title: 'two', ids: ['A-2'], state: 'failed', ms: 1 }], { whole: false })
  const merged = mergeResults(whole, narrowed)
  expect(merged.whole).toBe(true)
  expect(merged.files['b.test.ts']?.tests).toEqual([passed('other', 'B-1')])
  expect(merged.files['a.test.ts']?.tests).toEqual([
    passed('one', 'A-1'),
    { title: 'two', ids: ['A-2'], state: 'failed', ms: 1 },
  ])
})

test('a file that no longer loads loses its earlier results', () => {
  const broken = results('t1', [])
  broken.files['a.test.ts'] = { at, loaded: false, ms: 1, tests: [] }
  const merged = mergeResults(results('t1', [passed('one', 'A-1')]), broken)
  expect(merged.files['a.test.ts']).toEqual({ at, loaded: false, ms: 1, tests: [] })
  expect(foldReport({ rows, results: [merged], tree: 't1', now }).notLoaded).toEqual(['a.test.ts'])
})

test('results of another tree are dropped whole', () => {
  const merged = mergeResults(results('t1', [passed('one', 'A-1')]), results('t2', [passed('two', 'A-2')]))
  expect(merged).toEqual(results('t2', [passed('two', 'A-2')]))
})
