import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRoman, isRoman, sortRegnal, toRoman } from '../src/roman.ts'

const ones = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']
const tens = ['', 'X', 'XX', 'XXX', 'XL', 'L', 'LX', 'LXX', 'LXXX', 'XC']
const hundreds = ['', 'C', 'CC', 'CCC', 'CD', 'D', 'DC', 'DCC', 'DCCC', 'CM']

test('all numbers, by digit tables', () => {
  for (let value = 1; value <= 3999; value += 1) {
    const expected = [
      'M'.repeat(Math.floor(value / 1000)),
      hundreds[Math.floor(value / 100) % 10],
      tens[Math.floor(value / 10) % 10],
      ones[value % 10],
    ].join('')
    assert.equal(toRoman(value), expected)
    assert.equal(fromRoman(expected), value)
    assert.equal(fromRoman(expected.toLowerCase()), value)
  }
})

test('many wrong spellings', () => {
  const wrong = [
    'IIV',
    'VV',
    'LL',
    'DD',
    'IC',
    'XM',
    'XXXX',
    'CCCC',
    'IXI',
    'I I',
    'N',
    'XIVX',
    'MMMM',
    'VIV',
  ]
  for (const text of [...wrong, ' ', '4', 'IVI']) {
    assert.throws(() => fromRoman(text), SyntaxError, text)
    assert.equal(isRoman(text), false)
  }
  for (const text of ['I', 'iv', ' X ', 'MMMCMXCIX']) assert.equal(isRoman(text), true)
})

test('many numbers out of range', () => {
  for (const value of [0, -1, 4000, 10000, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => toRoman(value), RangeError)
  }
})

test('sorting leaves its input alone and knows plain names', () => {
  const names = ['Henry VIII', 'Henry', 'Henry II', 'Mary Ann I', 'Mary', 'Elizabeth II', 'Elizabeth I']
  const copy = [...names]
  assert.deepEqual(sortRegnal(names), [
    'Elizabeth I',
    'Elizabeth II',
    'Henry',
    'Henry II',
    'Henry VIII',
    'Mary',
    'Mary Ann I',
  ])
  assert.deepEqual(names, copy)
  assert.deepEqual(sortRegnal(['Ivan IX', 'Ivan V', 'Ivan the Great', 'I', 'V']), [
    'I',
    'Ivan V',
    'Ivan IX',
    'Ivan the Great',
    'V',
  ])
})
