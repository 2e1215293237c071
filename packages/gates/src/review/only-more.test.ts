import { expect, test } from 'vitest'
import { isOnlyMore, isOnlyMoreData } from './only-more.ts'

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

test.each([
  ['rows in JSON', 'a.json', '[{"n":4,"half":2}]', '[ { "half": 2, "n": 4 }, { "n": 6, "half": 3 } ]\n'],
  ['a row before others', 'a.json', '[1,2]', '[0,1,2]'],
  ['names in JSON', 'a.json', '{"a":{"b":[1]}}', '{"a":{"b":[1,2],"c":null},"d":1}'],
  ['lines', 'a.csv', 'n,half\n4,2\n', 'n,half\r\n4,2\r\n6,3\r\n'],
  ['lines between others', 'a.txt', 'a\nc\n', 'a\nb\nc\n'],
  ['objects in lines', 'a.jsonl', '{"n":4}\n', '{"n":4}\n{"n":6}\n'],
])('data has only more than before: %s', (_, path, before, after) => {
  expect(isOnlyMoreData(path, before, after)).toBe(true)
})

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  ['a row is gone', 'a.json', '[{"n":4,"half":2},{"n":6,"half":3}]', '[{"n":4,"half":2}]'],
  ['all rows are gone', 'a.json', '[{"n":4,"half":2}]', '[]'],
  ['a row is another', 'a.json', '[{"n":4,"half":2}]', '[{"n":4,"half":4},{"n":6,"half":3}]'],
  ['a row says more', 'a.json', '[{"n":4,"half":2}]', '[{"n":4,"half":2,"skip":true}]'],
  ['one of two like rows is gone', 'a.json', '[1,1]', '[1,2]'],
  ['the order is another', 'a.json', '[1,2]', '[2,1]'],
  ['a name is gone', 'a.json', '{"a":1,"b":2}', '{"a":1}'],
  ['a name is written twice', 'a.json', '{"a":1}', '{"a":1,"a":2}'],
  ['a list is an object now', 'a.json', '[1]', '{"0":1}'],
  ['it cannot be read', 'a.json', '[1]', '[1,'],
  ['it is too deep', 'a.json', deep(50_000), ` ${deep(50_000)}`],
  ['a line is gone', 'a.csv', 'n,half\n4,2\n6,3\n', 'n,half\n4,2\n'],
  ['lines are put into quotes', 'a.csv', 'n,half\n4,2\n', 'n,half\n"\n4,2\n"\n'],
  ['a format that is not compared', 'a.yaml', 'a: 1\n', 'a: 1\nb: 2\n'],
  ['no format', 'rows', 'a\n', 'a\nb\n'],
  ['the file is gone', 'a.json', '[]', null],
])('data is not only more: %s', (_, path, before, after) => {
  expect(isOnlyMoreData(path, before, after)).toBe(false)
})
