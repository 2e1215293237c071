import type { QuestionRecord } from '@treadle/contracts/question'
import { expect, test } from 'vitest'
import { otherwise, wantsWords } from './question-card.model.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')
const question = (number: number, given: Partial<QuestionRecord>) =>
  ({ number, status: 'open', blocking: false, item: null, dueAt: null, ...given }) as QuestionRecord

test.each([
  [question(1, { blocking: true }), 'Paused until you answer'],
  [question(1, { defaultOption: 'Yes' }), 'If nobody answers, “Yes” holds.'],
  [question(1, { defaultOption: 'Yes', dueAt: '2026-11-15T12:30:00.000Z' }), '“Yes” holds in 30 min 0 s.'],
  [question(1, {}), 'it is dropped'],
])('what happens otherwise is said', (asked, words) => {
  expect(otherwise(asked, NOW)).toContain(words)
})

test.each([
  ['Try this...', true],
  ['Rather so…', true],
  ['Skip this task', false],
])('%s wants words: %s', (label, wants) => {
  expect(wantsWords(label)).toBe(wants)
})
