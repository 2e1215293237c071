import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { countTokens, lastCallOf, spentOn } from './tile.model.ts'

const observed = (runId: string, input: string, output: string, success = true) =>
  ({
    runId,
    event: { type: 'run.observed', observation: { tool: 'Bash', input, output, durationMs: 1, success } },
  }) as unknown as StoredEvent

test('the last call of the run in hand is told, with the last line of its answer', () => {
  const events = [
    observed('other', 'rm', ''),
    observed('mine', 'npm test\nsecond', 'one\n2 passed\n', false),
    observed('mine', 'earlier', ''),
  ]
  expect(lastCallOf({ runId: 'mine' }, events)).toEqual({
    call: 'Bash npm test',
    line: '2 passed',
    failed: true,
  })
  expect(lastCallOf({ runId: null }, events)).toBeNull()
  expect(lastCallOf({ runId: 'none' }, events)).toBeNull()
})

test('an item that nothing was spent on has no figures', () => {
  const tokens = { input: 1_200, output: 300 }
  const items = [{ projectNumber: 1, itemNumber: 2, costUSD: 0.5, calls: 1, tokens }]
  expect(spentOn({ projectNumber: 1, number: 2 }, { items })).toEqual({ tokens: '1.5k', money: '$0.50' })
  expect(spentOn({ projectNumber: 1, number: 3 }, { items })).toBeNull()
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1.0k'],
  [2_345_678, '2.3M'],
])('%i tokens are %s', (count, words) => {
  expect(countTokens(count)).toBe(words)
})
