import { expect, test } from 'vitest'
import { describeFlaky, judgeTest, type ObservedResult } from './flaky.ts'

const seen: Record<string, ObservedResult> = { p: 'passed', f: 'failed', a: 'absent' }
const read = (text: string): ObservedResult[] => [...text].map((letter) => seen[letter] ?? 'absent')

// base, now, standing, blocks
const table: [string, string, string, boolean][] = [
  ['p', 'p', 'passing', false],
  ['p', 'fff', 'regressed', true],
  ['p', 'f', 'regressed', true],
  ['p', 'fpp', 'flaky', false],
  ['p', 'ffp', 'flaky', false],
  ['p', 'faa', 'regressed', true],
  ['p', 'fap', 'flaky', false],
  ['f', 'p', 'fixed', false],
  ['f', 'ppp', 'fixed', false],
  ['f', 'fpf', 'flaky', true],
  ['f', 'ppf', 'flaky', true],
  ['f', 'pa', 'flaky', true],
  ['f', 'fff', 'still_failing', true],
  ['f', 'aaa', 'still_failing', true],
  ['fp', 'p', 'flaky', false],
  ['fp', 'fff', 'regressed', true],
  ['fp', 'fpf', 'flaky', false],
  ['', 'p', 'passing', false],
  ['', 'fff', 'failing', true],
  ['', 'fpp', 'flaky', true],
]

test.each(table)('a test seen as "%s" before and "%s" now is %s, blocks: %s', (base, now, is, blocks) => {
  expect(judgeTest({ base: read(base), now: read(now) })).toEqual({ is, blocks })
})

test('a flaky test is described by what was seen', () => {
  const runs = { base: read('p'), now: read('fpp') }
  expect(describeFlaky('a > b', runs)).toBe(
    'flaky: a > b passed 2 of 3 runs on the same tree (before the change 1 of 1)',
  )
})
