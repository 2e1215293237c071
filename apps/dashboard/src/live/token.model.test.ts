import { expect, test } from 'vitest'
import { placeInFragment, tokenInFragment, tokenInText } from './token.model.ts'

test.each([
  ['#token=abc-DEF_1.2~3', 'abc-DEF_1.2~3'],
  ['#other=1&token=abc', 'abc'],
  ['#token=', null],
  ['#token=two%20words', null],
  ['#token=a,b', null],
  ['#', null],
  ['', null],
])('the fragment %j holds %j', (fragment, token) => {
  expect(tokenInFragment(fragment)).toBe(token)
})

test.each([
  ['#token=abc&at=/review/1/2', '#/review/1/2'],
  ['#token=abc&at=//evil.example', '#//evil.example'],
  ['#token=abc&at=javascript:alert(1)', ''],
  ['#token=abc', ''],
])('the fragment %j leads to %j', (fragment, place) => {
  expect(placeInFragment(fragment)).toBe(place)
})

test.each([
  ['http://127.0.0.1:4000/#token=abc', 'abc'],
  ['  http://127.0.0.1:4000/#token=abc \n', 'abc'],
  ['#token=abc', 'abc'],
  ['token=abc', 'abc'],
  ['abc', 'abc'],
  ['http://127.0.0.1:4000/', null],
  ['not a token', null],
  ['', null],
])('the pasted text %j holds %j', (text, token) => {
  expect(tokenInText(text)).toBe(token)
})
