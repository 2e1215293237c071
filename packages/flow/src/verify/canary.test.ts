import { describe, expect, test } from 'vitest'
import { blindWords, type CanaryRecord, canaryHold } from './canary.ts'

const record = (found: CanaryRecord['found'], key = 'now'): CanaryRecord => ({
  key,
  at: '2026-01-01T00:00:00Z',
  found,
})

describe('what holds the crew', () => {
  const blind = { is: 'blind', files: ['src/a.ts'], command: 'npm test' } as const
  test.each([
    ['nothing is known yet', null, /being checked/],
    ['the tests see a change', record({ is: 'sees', file: 'src/a.ts' }), null],
    ['there is nothing to plant in', record({ is: 'nothing', why: 'no tests' }), null],
    ['the tests are blind', record(blind), /`npm test` stayed green although src\/a\.ts could not be loaded/],
    ['the set-up that was blind is another by now', record(blind, 'before'), null],
  ])('%s', (_, known, expected) => {
    const hold = canaryHold(known, 'now')
    if (expected === null) expect(hold).toBeNull()
    else expect(hold).toMatch(expected)
  })
})

test('the words name every file that was tried and what to set', () => {
  const words = blindWords({ is: 'blind', files: ['a.ts', 'b.ts', 'c.ts'], command: 'pytest' })
  expect(words).toContain('a.ts, b.ts or c.ts')
  expect(words).toContain('tests.setupCommand')
})
