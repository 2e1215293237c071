import type { CategoryIdea } from '@treadle/contracts/category-idea'
import { expect, test } from 'vitest'
import { judgeIdea } from './judge-idea.ts'

const idea: CategoryIdea = {
  title: 'Add rate limiting to the login endpoint',
  description: 'Passwords can be guessed as fast as the network allows.',
  acceptanceCriteria: [
    'AC-1.a: The sixth try gets 429',
    'AC-1.b: A minute later it is taken',
    'AC-1.c: It is logged',
  ],
  technicalApproach: 'Count tries by address in a map with a bound.',
  effort: 6,
}
const known = {
  titles: [{ number: 3, title: 'Add dark mode' }],
  packages: ['zod', 'left-pad', '@types/node'],
}

test('an idea with three criteria, eight hours and a title of its own is valid', () => {
  expect(judgeIdea(idea, known)).toEqual({ is: 'valid' })
  expect(judgeIdea({ ...idea, effort: 8 }, known)).toEqual({ is: 'valid' })
})

test('fewer than three criteria are too few', () => {
  const acceptanceCriteria = idea.acceptanceCriteria.slice(1)
  expect(judgeIdea({ ...idea, acceptanceCriteria }, known)).toEqual({
    is: 'too_few_criteria',
    why: 'it has 2 acceptance criteria, and at least 3 are needed',
  })
})

test.each([8.01, 8.5, 9, 40])('%d hours are too long', (effort) => {
  expect(judgeIdea({ ...idea, effort }, known)).toEqual({
    is: 'too_long',
    why: `it is estimated at ${effort} hours, and at most 8 are allowed`,
  })
})

test('the likest of the titles that are alike is the one that it repeats', () => {
  const titles = [
    { number: 4, title: 'Add rate limiting to the logout endpoint' },
    { number: 5, title: 'Rate-limit the login endpoint of the API' },
    { number: 6, title: 'add rate limiting to the  login endpoint' },
  ]
  expect(judgeIdea(idea, { ...known, titles })).toEqual({ is: 'duplicate', of: 6, likeness: 1 })
  expect(judgeIdea(idea, { ...known, titles: titles.slice(0, 2) })).toMatchObject({ is: 'duplicate', of: 5 })
  expect(judgeIdea(idea, { ...known, titles: titles.slice(0, 1) })).toEqual({ is: 'valid' })
})

const judged = (technicalApproach: string, packages: readonly string[] | null = known.packages) =>
  judgeIdea({ ...idea, technicalApproach }, { titles: [], packages })

test.each<[string, string]>([
  ['It uses the existing `express-rate-limit` library.', 'express-rate-limit'],
  ['Build on the existing npm package `express-rate-limit`.', 'express-rate-limit'],
  ['1. Read it.\n2. Extend our dependency on "ioredis" with a counter.', 'ioredis'],
  ['Wrap `ioredis`, which is already a dependency, in a counter.', 'ioredis'],
  ['Use `@acme/limits/fast` (already installed as a package).', '@acme/limits'],
  ['Count with the already installed library `limiter@2.1.0`.', 'limiter'],
  ['Use the existing `zod` library. Use the existing `yup` library.', 'yup'],
])('%j names a dependency that is not there: %s', (approach, name) => {
  expect(judged(approach)).toEqual({ is: 'unknown_dependency', name })
})

test.each([
  'It uses the existing `left-pad` dependency.',
  'It uses the existing `left_pad` dependency.',
  'It uses the existing `Zod` library.',
  'It uses the existing `zod/v4` package.',
  'It uses the existing `zod.js` library.',
  'It uses the existing `node` library.',
  'It uses the existing `crypto` library.',
  'It uses the existing `fs` package.',
  'Add the `express-rate-limit` library.',
  'Use the `express-rate-limit` library.',
  'Install `express-rate-limit` beside the existing `helmet` library.',
  'Replace our `request` dependency with fetch.',
  'The existing `request` library is not used any more.',
  'If the existing `helmet` library is there, use it.',
  'Use an existing library such as `helmet`, or our `morgan` library.',
  'Extend our `limits` wrapper.',
  'Extend the existing `limits` module.',
  'Edit the existing `src/library.ts` library.',
  'Move it to the existing `packages/limits` workspace.',
  'We have an existing rate-limit library.',
  'The existing library `rate limit of Bob` is slow.',
  'Write `our existing library` into the README.',
])('%j is not held against an idea', (approach) => {
  expect(judged(approach)).toEqual({ is: 'valid' })
})

test('where the manifests do not tell, no dependency is unknown', () => {
  expect(judged('It uses the existing `express-rate-limit` library.', null)).toEqual({ is: 'valid' })
})

test.each(['`', '"', 'existing `x` ', 'existing library ', 'add ', '. ', '`a`', '@a/'])(
  'an approach of nothing but %j is judged',
  (piece) => {
    expect(judged(piece.repeat(20_000 / piece.length))).toHaveProperty('is')
  },
)
