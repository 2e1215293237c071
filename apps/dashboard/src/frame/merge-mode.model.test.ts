import { expect, test } from 'vitest'
import { mergeModeWords } from './merge-mode.model.ts'

test.each([
  ['human', 'You approve merges'],
  ['reviewer', 'Review agent approves merges'],
  ['checks', 'Auto-merge when checks pass'],
  ['never', 'Push only, no merges'],
] as const)('merge.approval %s is said as: %s', (approval, words) => {
  expect(mergeModeWords(approval)).toBe(words)
})
