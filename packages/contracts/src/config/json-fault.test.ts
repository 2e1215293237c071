import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

test.each([
  ['{"a": 1}', null],
  ['[1]', [1, 1, 'it is not an object in braces']],
  ['', [1, 1, 'the text ends too early']],
  ['{\n  "a": 1\n', [2, 9, 'the text ends too early']],
  ['{\n  "a": 1\n  "b": 2\n}', [3, 3, "Expected ',' or '}' after property value"]],
  ['{\n  "a": 1,\n}', [3, 1, 'Expected double-quoted property name']],
  ['{ "a": tru }', [1, 11, "Unexpected token ' '"]],
  ['{ "a": "no end }\n', [1, 17, 'the text ends too early']],
  ['// settings\n{}', [1, 1, "Unexpected token '/'"]],
])('the place of a fault in %j', (text, place) => {
  const found = jsonFault(text)
  expect(found && [found.line, found.column, found.message]).toEqual(place)
})
