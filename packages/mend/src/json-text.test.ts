import { expect, test } from 'vitest'
import { removeMembers } from './json-text.ts'

const lines = (...each: string[]) => `${each.join('\n')}\n`

test.each<[string, string, string]>([
  [
    'the first',
    '{\n  "dependencies": {\n    "x": "1",\n    "b": "2"\n  }\n}\n',
    '{\n  "dependencies": {\n    "b": "2"\n  }\n}\n',
  ],
  [
    'one in the middle',
    '{"dependencies": {"a":"1", "x" : "2" ,"b":"3"}}',
    '{"dependencies": {"a":"1" ,"b":"3"}}',
  ],
  [
    'the last',
    '{\n\t"dependencies": {\n\t\t"a": "1",\n\t\t"x": "}\\"{"\n\t}\n}',
    '{\n\t"dependencies": {\n\t\t"a": "1"\n\t}\n}',
  ],
  [
    'the only one, with its list',
    '{\r\n  "name": "s",\r\n  "dependencies": {\r\n    "x": "1"\r\n  }\r\n}\r\n',
    '{\r\n  "name": "s"\r\n}\r\n',
  ],
  ['the only one of all', '{ "dependencies": { "x": "1" } }', '{}'],
])('%s goes, and every other byte stays', (_, before, after) => {
  expect(removeMembers(before, [['dependencies', 'x']])).toBe(after)
})

test.each([
  '{',
  '{"dependencies":{"x":"1","x":"2"}}',
  '{"dependencies":{"x":"1"},"dependencies":{"x":"1"}}',
  '{"dependencies":["x"]}',
  '{"dependencies":{"a":"1"}}',
  '{"other":{"dependencies":{"x":"1"}}}',
])('%j is left alone', (text) => {
  expect(removeMembers(text, [['dependencies', 'x']])).toBeNull()
})

test('a member of several lists goes from each', () => {
  const text = lines(
    '{',
    '  "dependencies": { "x": "1", "a": "1" },',
    '  "devDependencies": { "x": "1" }',
    '}',
  )
  const both = [
    ['dependencies', 'x'],
    ['devDependencies', 'x'],
  ] as const
  expect(removeMembers(text, both)).toBe(lines('{', '  "dependencies": { "a": "1" }', '}'))
})
