import { expect, test } from 'vitest'
import { addToList } from './settings-text.ts'

const add = (text: string) => addToList(text, { section: 'merge', key: 'signers', value: 'k' })

test.each([
  ['an empty object', '{}\n', '{\n  "merge": {\n    "signers": ["k"]\n  }\n}\n'],
  [
    'no such section',
    '{\n\t"tests": { "command": "a \\"}\\" b" }\n}\n',
    '{\n\t"merge": {\n\t\t"signers": ["k"]\n\t},\n\t"tests": { "command": "a \\"}\\" b" }\n}\n',
  ],
  [
    'a section',
    '{\n  "a": [1, -2.5e3, null],\n  "merge": {\n    "target": "main"\n  }\n}\n',
    '{\n  "a": [1, -2.5e3, null],\n  "merge": {\n    "signers": ["k"],\n    "target": "main"\n  }\n}\n',
  ],
  ['a section in one line', '{"merge":{"target":"m"}}', '{"merge":{\n    "signers": ["k"],\n"target":"m"}}'],
  ['an empty list', '{ "merge": { "signers": [ ] } }', '{ "merge": { "signers": ["k" ] } }'],
  [
    'a list, and the same words elsewhere',
    '{"b": {"merge": {"signers": []}}, "merge": {"signers": ["x"\n], "sign": "auto"}}',
    '{"b": {"merge": {"signers": []}}, "merge": {"signers": ["x", "k"\n], "sign": "auto"}}',
  ],
])('%s: the value is added, and nothing else is changed', (_, text, expected) => {
  expect(add(text)).toBe(expected)
})

test.each([
  ['no JSON', '{ // mine\n}'],
  ['no object', '[]'],
  ['a section that is none', '{"merge": 1}'],
  ['a list that is none', '{"merge": {"signers": "x"}}'],
  ['a key that is there twice', '{"merge": {"signers": []}, "merge": {}}'],
])('%s is left alone', (_, text) => {
  expect(add(text)).toBeNull()
})
