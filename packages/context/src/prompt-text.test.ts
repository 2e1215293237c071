import { expect, test } from 'vitest'
import { fillPrompt, promptText } from './prompt-text.ts'

test('what is put in is not looked through again, and a name without a value stays', () => {
  expect(fillPrompt('{a} and {b} and {c}', { a: '{b}', b: 'two' })).toBe('{b} and two and {c}')
})

test('a line about something that is not there is left out', () => {
  expect(fillPrompt('one\nrun {command}\nthree {what}', { command: null, what: 'x' })).toBe('one\nthree x')
})

test('a name that every object has is no value', () => {
  expect(fillPrompt('{constructor} {toString}', {})).toBe('{constructor} {toString}')
})

test('the opening of a build is ten lines', () => {
  const lines = promptText('build').split('\n')
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10)
})
