import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRoman, isRoman, sortRegnal, toRoman } from '../src/roman.ts'

test('numbers are written', () => {
  assert.equal(toRoman(1), 'I')
  assert.equal(toRoman(4), 'IV')
  assert.equal(toRoman(14), 'XIV')
  assert.equal(toRoman(90), 'XC')
  assert.equal(toRoman(1994), 'MCMXCIV')
  assert.equal(toRoman(3999), 'MMMCMXCIX')
})

test('numbers out of range are refused', () => {
  assert.throws(() => toRoman(0), RangeError)
  assert.throws(() => toRoman(4000), RangeError)
  assert.throws(() => toRoman(1.5), RangeError)
})

test('numerals are read', () => {
  assert.equal(fromRoman('XLII'), 42)
  assert.equal(fromRoman(' mcmxciv '), 1994)
  assert.equal(fromRoman('DCCC'), 800)
})

test('wrong numerals are refused', () => {
  for (const text of ['', 'IIII', 'VX', 'ABC', 'IM', 'MMMM']) {
    assert.throws(() => fromRoman(text), SyntaxError, text)
  }
  assert.equal(isRoman('IX'), true)
  assert.equal(isRoman('XIX!'), false)
})

test('kings are in order', () => {
  assert.deepEqual(sortRegnal(['Louis XIV', 'Louis IX', 'Anne', 'Louis V', 'Charles II']), [
    'Anne',
    'Charles II',
    'Louis V',
    'Louis IX',
    'Louis XIV',
  ])
})
