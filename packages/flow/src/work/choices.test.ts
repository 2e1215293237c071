import { expect, test } from 'vitest'
import { choicesIn } from './choices.ts'

const LABELS = ['Red', 'Red, and dark', 'Blue', 'Light green']

test.each([
  ['1, 3', ['Red', 'Blue']],
  ['1 3', ['Red', 'Blue']],
  ['blue and light green', ['Blue', 'Light green']],
  ['Red, and dark, Blue', ['Red, and dark', 'Blue']],
  ['Blue; Blue', ['Blue']],
  ['3', ['Blue']],
  ['Bluetooth', null],
  ['7', null],
  ['Blue, or whatever you like', null],
  ['', null],
])('%s', (text, chosen) => {
  expect(choicesIn(LABELS, text)).toEqual(chosen)
})
