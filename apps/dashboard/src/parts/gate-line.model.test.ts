import { expect, test } from 'vitest'
import { noteWords } from './gate-line.model.ts'

test.each([
  ['check: tests_pass', 'shown by: tests'],
  ['check: tests_pass, linter_pass', 'shown by: tests, lint'],
  ['check: a_new_one', 'shown by: a_new_one'],
  ['The reviewer looked at it', 'The reviewer looked at it'],
])('the note %s is read as %s', (note, words) => {
  expect(noteWords(note)).toBe(words)
})
