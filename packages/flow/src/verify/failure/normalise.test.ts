import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseMessage } from './normalise.ts'

test.each([
  [
    "Cannot read properties of undefined (reading 'name')",
    'Cannot read properties of undefined (reading ‹name›)',
  ],
  ["no user 'alice' in 3 rows", 'no user <value> in <n> rows'],
  [
    '\u001b[31mexpected\u001b[39m 1.5 to be -2 // Object.is equality',
    'expected <n> to be <n> // Object.is equality',
  ],
  ["expected [ 'a', { b: [ 1, 2 ] } ] to deeply equal []", 'expected […] to deeply equal […]'],
  ["ENOENT: no such file, open '/tmp/x-81/a b.json'", 'ENOENT: no such file, open <value>'],
  ['cannot open /var/lib/x/data-12.db at 0x7ffe12ab', 'cannot open <path> at <addr>'],
  ['lease 0e37df36-f698-11e6-8dd4-cb9ced3df976 ended 2024-05-06T07:08:09.123Z', 'lease <id> ended <time>'],
  ['error[E0425]: cannot find value', 'error[E0425]: cannot find value'],
  ['TS2322: Type 4 is not assignable', 'TS2322: Type <n> is not assignable'],
  ['order o17 exists\n\n+ actual - expected\n+ 1\n- 2', 'order o<n> exists'],
  [
    '[\n  {\n    "code": "too_small",\n    "path": [\n "age" ],\n    "message": "Too small: expected >=18"\n  }\n]',
    'Too small: expected >=<n>',
  ],
  [
    '[{"message": "Invalid option: expected one of \\"a\\"|\\"b\\""}, {"message": "Invalid email"}]',
    'Invalid option: expected one of <value>|<value>; Invalid email',
  ],
  [
    'Build failed with 2 errors:\n\nCould not resolve "./a.js"\n\nCould not resolve "./b.js"',
    'Build failed with <n> errors: Could not resolve <value>',
  ],
  ['[ERR_MODULE_NOT_FOUND] from https://example.invalid/x?y=1', '[ERR_MODULE_NOT_FOUND] from <path>'],
])('%j becomes %j', (message, normal) => {
  expect(normaliseMessage(message)).toBe(normal)
})

const quirky = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      '{',
      '}',
      '<n>',
      '<value>',
      '…',
      '0x',
      '/',
      '\\',
      '\n',
      ' ',
      '-',
      ':',
      'key ',
    ),
    fc.integer().map(String),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  { maxLength: 30 },
)

test('a normal message is its own normal message', () => {
  fc.assert(
    fc.property(quirky, (parts) => {
      const once = normaliseMessage(parts.join(''))
      expect(normaliseMessage(once)).toBe(once)
    }),
    { numRuns: 2_000 },
  )
})

const word = fc.constantFrom('worker', 'lost', 'its', 'lease', 'after', 'retry', 'cannot', 'open')
const values = fc.oneof(
  fc.tuple(fc.constant('n'), fc.array(fc.nat().map(String), { minLength: 2, maxLength: 2 })),
  fc.tuple(
    fc.constant('f'),
    fc.array(
      fc.double({ min: 0.001, max: 1e6, noNaN: true }).map((x) => x.toFixed(3)),
      { minLength: 2, maxLength: 2 },
    ),
  ),
  fc.tuple(fc.constant('u'), fc.array(fc.uuid(), { minLength: 2, maxLength: 2 })),
  fc.tuple(
    fc.constant('t'),
    fc.array(
      fc
        .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      { minLength: 2, maxLength: 2 },
    ),
  ),
  fc.tuple(
    fc.constant('p'),
    fc.array(
      fc
        .array(fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/), { minLength: 1, maxLength: 5 })
        .map((at) => `/${at.join('/')}`),
      { minLength: 2, maxLength: 2 },
    ),
  ),
  fc.tuple(
    fc.constant('a'),
    fc.array(
      fc.nat().map((at) => `0x${at.toString(16)}`),
      { minLength: 2, maxLength: 2 },
    ),
  ),
  fc.tuple(
    fc.constant('q'),
    fc.array(
      fc.stringMatching(/^[^'\\\n]{0,20}$/).map((text) => `'${text}'`),
      { minLength: 2, maxLength: 2 },
    ),
  ),
)

test('numbers, paths, ids, times, addresses and quoted values make no difference', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, values), { minLength: 1, maxLength: 5 }), (parts) => {
      const say = (side: 0 | 1) => parts.map(([before, [, pair]]) => `${before} ${pair[side]} and`).join(' ')
      expect(normaliseMessage(say(0))).toBe(normaliseMessage(say(1)))
    }),
    { numRuns: 1_000 },
  )
})

test('different words stay different', () => {
  expect(normaliseMessage('the lease ended')).not.toBe(normaliseMessage('the lease began'))
  expect(normaliseMessage("reading 'name'")).not.toBe(normaliseMessage("reading 'age'"))
})
