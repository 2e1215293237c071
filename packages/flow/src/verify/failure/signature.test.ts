import { Signature } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import { NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import { parseStack } from './frames.ts'
import { factsOf, signatureOf } from './signature.ts'

const failure = (parts: Partial<TestFailure>): TestFailure => ({
  id: 'test/a.test.ts > a',
  file: 'test/a.test.ts',
  line: 3,
  message: 'Error: x',
  stack: null,
  ...parts,
})

const stacks: Record<string, [text: string, file: string | null, frames: string[]]> = {
  'node, with the message': [
    'TypeError: x\n    at new Ledger (file:///p/src/ledger.ts:3:7)\n    at async Object.run [as go] (/p/src/run.ts:9:1)\n    at /p/test/a.test.ts:4:2\n    at run (node:internal/test:1:1)\n    at x (/p/node_modules/v/a.js:1:1)',
    'test/a.test.ts',
    ['Ledger src/ledger.ts:3', 'run src/run.ts:9', '- test/a.test.ts:4'],
  ],
  'node, as TAP prints it': [
    'parseDay (file:///p/src/day.ts:19:11)\nTestContext.<anonymous> (file:///p/test/a.test.ts:26:17)\nTest.run (node:internal/x:1:1)',
    'test/a.test.ts',
    ['parseDay src/day.ts:19', '- test/a.test.ts:26'],
  ],
  firefox: [
    'add@/p/src/sum.js:1:2\n@/p/test/a.test.js:3:4',
    'test/a.test.js',
    ['add src/sum.js:1', '- test/a.test.js:3'],
  ],
  python: [
    'Traceback (most recent call last):\n  File "/p/tests/test_a.py", line 3, in test_a\n    total([1])\n  File "/p/shop/cart.py", line 12, in total\n    raise ValueError(1)\n  File "/usr/lib/python3.12/x.py", line 1, in y\nValueError: 1',
    'tests/test_a.py',
    ['total shop/cart.py:12', 'test_a tests/test_a.py:3'],
  ],
  pytest: [
    'def test_a():\n>       total()\ntests/test_a.py:3: \nshop/cart.py:12: ValueError',
    'tests/test_a.py',
    ['- shop/cart.py:12'],
  ],
  rust: [
    "thread 'tests::adds' panicked at src/lib.rs:12:5:\nassertion failed\n   3: core::panicking::panic\n             at /rustc/abc/library/core/src/panicking.rs:1:5\n   4: shop::cart::total::h0123456789abcdef\n             at ./src/cart.rs:30:9",
    null,
    ['- src/lib.rs:12', 'shop::cart::total src/cart.rs:30'],
  ],
  go: [
    'panic: x\n\ngoroutine 1 [running]:\nshop.Total(0x1, 0x2)\n\t/p/shop/cart.go:12 +0x1d\nshop.TestTotal(0xc0)\n\t/p/shop/cart_test.go:9 +0x2f\ntesting.tRunner(0xc0)\n\t/usr/local/go/src/testing/testing.go:1 +0x1',
    'shop/cart_test.go',
    ['shop.Total shop/cart.go:12', 'shop.TestTotal shop/cart_test.go:9'],
  ],
  java: [
    'java.lang.IllegalStateException: x\n\tat com.shop.Cart.total(Cart.java:12)\n\tat com.shop.CartTest.totals(CartTest.java:9)',
    null,
    ['com.shop.Cart.total Cart.java:12', 'com.shop.CartTest.totals CartTest.java:9'],
  ],
}

test.each(Object.entries(stacks))('project frames of %s, deepest first', (_, [text, file, frames]) => {
  const own = parseStack(text, file).filter((frame) => frame.own)
  expect(own.map(({ fn, file: path, line }) => `${fn ?? '-'} ${path}:${line}`)).toEqual(frames)
})

test('a signature has class, message and places, and survives other values, lines and folders', () => {
  const at = (root: string, line: number, day: string) =>
    failure({
      message: `RangeError: no such day: ${day}`,
      stack: `parseDay (file://${root}/src/day.ts:${line}:1)\nT.<anonymous> (file://${root}/test/a.test.ts:${line + 1}:2)`,
    })
  const signature = Signature.parse(signatureOf(at('/one', 3, '2024-01-01')))
  expect(signature.text).toBe('RangeError: no such day: <time> @ parseDay (src/day.ts)')
  expect(signatureOf(at('/other/place', 80, '1999-12-31'))).toEqual(signature)
  expect(NewLesson.parse({ type: 'resolution', signature: signature.text }).signature).toBe(signature.text)
})

test('frames of the report are preferred to the text', () => {
  const frames = [
    { file: 'node_modules/x.js', line: 1, column: 1, fn: 'x', own: false },
    { file: 'src/b.ts', line: 2, column: null, fn: 'Object.b', own: true },
  ]
  const signature = signatureOf(failure({ stack: 'at a (/p/src/a.ts:1:1)', frames }))
  expect(signature.frames).toEqual(['b (src/b.ts)'])
})

test.each([
  ['AssertionError: expected 1 to be 2', 'assertion', 'AssertionError'],
  ['Error: expect(received).toBe(expected)', 'assertion', 'Error'],
  ['assert 1 == 2', 'assertion', 'AssertionError'],
  ['TypeError: x is not a function', 'error', 'TypeError'],
  ['java.lang.IllegalStateException: no', 'error', 'java.lang.IllegalStateException'],
  ['Error: Test timed out in 5000ms.', 'timeout', 'Error'],
  ["Error: Cannot find module './x.ts' imported from /p/a.ts", 'load', 'Error'],
  ['not ok', 'unknown', null],
])('%j is of kind %s and class %s', (message, kind, errorClass) => {
  expect(factsOf(failure({ message }))).toMatchObject({ kind, errorClass })
})

test('a file that failed as a whole was not loaded', () => {
  const file = 'test/broken.test.ts'
  expect(factsOf(failure({ id: file, file, message: 'SyntaxError: x' })).kind).toBe('load')
})

test('no text is too odd for a signature', () => {
  for (const message of ['', '\u0000', '\ud800', 'x'.repeat(100_000), '['.repeat(5_000), "'".repeat(4_999)]) {
    expect(() => Signature.parse(signatureOf(failure({ message, stack: message })))).not.toThrow()
  }
})
