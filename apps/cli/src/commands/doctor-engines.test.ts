import { expect, test } from 'vitest'
import { hintWords } from './doctor-engines.ts'

test.each([
  ['set ANTHROPIC_API_KEY, or a setting', 'Set ANTHROPIC_API_KEY, or a setting'],
  ['start it, or correct its address', 'Start it, or correct its address'],
  ['npm install -g opencode-ai', 'npm install -g opencode-ai'],
  ['apt-get install bubblewrap', 'apt-get install bubblewrap'],
])('the hint %j is told as %j', (hint, words) => {
  expect(hintWords(hint)).toBe(words)
})
