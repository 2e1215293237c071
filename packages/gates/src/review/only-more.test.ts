import { expect, test } from 'vitest'
import { isOnlyMore } from './only-more.ts'

const was = "import { a } from 'a'\n\nexport function check(n) {\n  return a(n)\n}\n"

test('imports, declarations, tests and comments may come to what was there', () => {
  expect(isOnlyMore(was, was)).toBe(true)
  expect(isOnlyMore(was, `// More.\nimport b from 'b'\n${was}\ntest('b', () => {\n  check(1)\n})\n`)).toBe(
    true,
  )
  expect(
    isOnlyMore(
      'def a():\n    return 1\n',
      'import os\n\n\ndef a():\n    return 1\n\n\n@mark\ndef b():\n    pass\n',
    ),
  ).toBe(true)
})

test.each([
  ['something is gone', "import { a } from 'a'\n"],
  ['something is another', was.replace('a(n)', 'a(n) || true')],
  ['something stands inside of it', was.replace('  return', '  if (n) return n\n  return')],
  ['a statement acts on its own', `${was}globalThis.a = 1\n`],
  ['the order is another', was.split('\n\n').reverse().join('\n\n')],
])('%s: it is another text', (_, is) => {
  expect(isOnlyMore(was, is)).toBe(false)
})
