import { expect, test } from 'vitest'
import { formatDurations } from './slowest.ts'
import type { Tier, TierResults } from './trace-results.ts'

const quiet = { load: 0.4, cores: 2 }

function results(tier: Tier, files: Record<string, number[]>): TierResults {
  const file = ([name, tests]: [string, number[]]) => [
    name,
    {
      at: '2026-01-01T00:00:00.000Z',
      loaded: true,
      ms: tests.reduce((sum, ms) => sum + ms, 100),
      tests: tests.map((ms) => ({ title: `takes ${ms}`, ids: [], state: 'passed' as const, ms })),
    },
  ]
  return {
    tier,
    tree: 'unknown',
    at: '2026-01-01T00:00:00.000Z',
    whole: true,
    files: Object.fromEntries(Object.entries(files).map(file)),
  }
}

test('the slowest files and tests come first, and what took no time is not listed', () => {
  const printed = formatDurations(
    results('long', { 'a.test.ts': [700, 20], 'b.test.ts': [9_000, 800] }),
    quiet,
  )
  expect(printed.trimEnd().split('\n')).toEqual([
    'Slowest files',
    '    9.9 s  b.test.ts',
    '    0.8 s  a.test.ts',
    '',
    'Slowest tests',
    '    9.0 s  b.test.ts: takes 9000',
    '    0.8 s  b.test.ts: takes 800',
    '    0.7 s  a.test.ts: takes 700',
  ])
  expect(formatDurations(results('long', { 'a.test.ts': [5] }), quiet)).toBe('')
})

test('at most twenty of each are listed', () => {
  const tests = Array.from({ length: 50 }, (_, index) => 1_000 + index)
  const printed = formatDurations(results('long', { 'a.test.ts': tests }), quiet)
  expect(printed.match(/takes/g)).toHaveLength(20)
  expect(printed).toContain('takes 1049')
})

test.each([
  ['quick', 5_001, 'Warning: quick tests that took longer than 5.0 s: 1.'],
  ['quick', 5_000, undefined],
  ['long', 60_000, undefined],
] as const)('of a %s test that took %d ms: %s', (tier, ms, warning) => {
  const printed = formatDurations(results(tier, { 'a.test.ts': [ms] }), quiet)
  if (warning === undefined) expect(printed).not.toContain('Warning')
  else expect(printed).toContain(warning)
})

test('the warning tells a slow test from a busy machine', () => {
  const slow = results('quick', { 'a.test.ts': [6_000] })
  expect(formatDurations(slow, quiet)).toContain('The load was 0.4 on 2 cores, so it is the tests.')
  expect(formatDurations(slow, { load: 20, cores: 2 })).toContain('so it may be the machine')
})
