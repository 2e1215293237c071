import { expect, test } from 'vitest'
import { decideReviewKey, REVIEW_KEYS } from './review-keys.model.ts'

const press = { modified: false, elsewhere: false, going: false, repeated: false }

test('each key does one thing', () => {
  expect(new Set(REVIEW_KEYS.map(({ key }) => key)).size).toBe(REVIEW_KEYS.length)
  expect(decideReviewKey({ ...press, key: 'a' })).toBe('approve')
  expect(decideReviewKey({ ...press, key: 'x' })).toBeNull()
})

test.each(['modified', 'elsewhere', 'going', 'repeated'] as const)(
  'nothing is approved by a key that is %s',
  (how) => {
    expect(decideReviewKey({ ...press, [how]: true, key: 'a' })).toBeNull()
  },
)

test('a key that is held down moves on', () => {
  expect(decideReviewKey({ ...press, repeated: true, key: 'j' })).toBe('next_file')
})
