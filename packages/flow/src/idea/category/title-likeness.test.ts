import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DUPLICATE_OVER, titleLikeness } from './title-likeness.ts'

test.each([
  ['Add rate limiting to the login endpoint', 'Rate-limit the login endpoint'],
  ['Fix crash when the config file is empty', 'App crashes on an empty configuration file'],
  ['Document the environment variables', 'Add documentation for environment variables'],
  ['Log out users after 30 minutes', 'Logout users after 30 minutes'],
  ['feat(api): support pagination of orders', 'Paginate orders'],
  ['Replace moment with date-fns', 'Migrate from moment to date-fns'],
  ['HTML in comments is not escaped', 'Escape HTML in comments'],
  ['[Bug] Memory leak in the WebSocket handler', 'Fix memory leak in WebSocket handler'],
  ['Add logging', 'Implement logging'],
  ['Lock accounts after five failed logins', 'Lock accounts after five failed logins to prevent brute force'],
  ['Caché leeren', 'caché  leeren'],
  ['添加暗模式', '添加暗模式'],
])('%s | %s: one issue', (one, other) => {
  expect(titleLikeness(one, other)).toBeGreaterThan(DUPLICATE_OVER)
})

test.each([
  ['Add dark mode', 'Remove dark mode'],
  ['Fix crash on login', 'Fix crash on logout'],
  ['Add login timeout', 'Fix login timeout'],
  ['Upgrade React to 18', 'Upgrade React to 19'],
  ['Add unit tests for src/parser.ts', 'Add unit tests for src/parser.js'],
  ['Migrate from Jest to Vitest', 'Migrate from Vitest to Jest'],
  ['Replace axios with fetch', 'Replace fetch with axios'],
  ['Do not retry on timeouts', 'Retry on timeouts'],
  ['Add rate limiting to the login endpoint', 'Add rate limiting to the admin login endpoint'],
  [
    'Copy all rows of the big table from staging to production',
    'Copy all rows of the big table from production to staging',
  ],
  ['Show user page', 'Show user endpoint'],
  ['Tests', 'Fix tests'],
  ['Refactor to improve names', 'Refactor to reduce the number of files'],
  ['', ''],
  ['...', '!!!'],
  ['添加暗模式', '删除暗模式'],
])('%s | %s: two issues', (one, other) => {
  expect(titleLikeness(one, other)).toBeLessThanOrEqual(DUPLICATE_OVER)
})

const words = fc.array(
  fc.constantFrom(
    ...'add remove fix not the of login logout parser 18 19 from to with src/a.ts should: -'.split(' '),
  ),
  { maxLength: 12 },
)
const titles = fc.oneof(
  words.map((some) => some.join(' ')),
  fc.string(),
)

test('a likeness is from 0 to 1, the same in both directions, and 1 of a title with words and itself', () => {
  fc.assert(
    fc.property(titles, titles, (one, other) => {
      const likeness = titleLikeness(one, other)
      expect(likeness).toBe(titleLikeness(other, one))
      expect(likeness).toBeGreaterThanOrEqual(0)
      expect(likeness).toBeLessThanOrEqual(1)
      if (/\p{L}/u.test(one)) expect(titleLikeness(one, one)).toBe(1)
    }),
  )
})

test.each(['a ', ' ', 'make ', '[x', 'in order to ', 'replace a with ', 'x: ', 'n’t ', '('])(
  'a title of nothing but %j is compared all the same',
  (piece) => {
    expect(titleLikeness(piece.repeat(200_000), 'Add dark mode')).toBeLessThanOrEqual(DUPLICATE_OVER)
  },
)
