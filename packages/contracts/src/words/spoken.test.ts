import { expect, test } from 'vitest'
import { spokenPart } from './spoken.ts'

const REPLY =
  'So it is for **families**.\n\n```sh\nnpm test\n```\n\nWhat first?\n\n```json\n{"questions":["What first?"]}\n```'
const WORDS = 'So it is for **families**.\n\n```sh\nnpm test\n```\n\nWhat first?'

test('the block at the end of a reply is for nobody to read', () => {
  expect(spokenPart(REPLY)).toBe(WORDS)
  expect(spokenPart('{"reply":"Hello"}')).toBe('')
})

test('whatever part of a reply is there, what was shown of it stays', () => {
  let shown = ''
  for (let end = 0; end <= REPLY.length; end += 1) {
    const now = spokenPart(REPLY.slice(0, end))
    expect(now.startsWith(shown)).toBe(true)
    expect(now).not.toContain('questions')
    shown = now
  }
})
