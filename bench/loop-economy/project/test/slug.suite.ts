import assert from 'node:assert/strict'
import { test } from 'node:test'
import { camel, commonWords, countWords, slug } from '../src/slug.ts'

test('a title becomes an address', () => {
  assert.equal(slug('Desk lamp, 40 W'), 'desk-lamp-40-w')
})

test('a label becomes a name', () => {
  assert.equal(camel('Colour of LED 2'), 'colourOfLed2')
})

test('numbers count as words', () => {
  assert.equal(countWords('Set of 4 chairs'), 4)
})

test('common words are found whatever their case', () => {
  assert.deepEqual(commonWords('Lamp E27 white', 'WHITE e27'), ['e27', 'white'])
})
