import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Trie } from '../src/trie.ts'

function sample(): Trie {
  const trie = new Trie()
  for (const [word, weight] of [
    ['car', 3],
    ['card', 5],
    ['care', 5],
    ['cat', 1],
    ['dog', 9],
  ] as const) {
    trie.add(word, weight)
  }
  return trie
}

test('words are found, prefixes are not words', () => {
  const trie = sample()
  assert.equal(trie.has('car'), true)
  assert.equal(trie.has('ca'), false)
  assert.equal(trie.has('cars'), false)
  assert.equal(trie.size, 5)
})

test('adding again changes only the weight', () => {
  const trie = sample()
  trie.add('cat', 8)
  assert.equal(trie.size, 5)
  assert.equal(trie.countPrefix('cat'), 1)
  assert.deepEqual(trie.complete('ca', 1), ['cat'])
})

test('prefixes are counted', () => {
  const trie = sample()
  assert.equal(trie.countPrefix('car'), 3)
  assert.equal(trie.countPrefix(''), 5)
  assert.equal(trie.countPrefix('x'), 0)
})

test('completions are ordered by weight and name', () => {
  assert.deepEqual(sample().complete('ca'), ['card', 'care', 'car', 'cat'])
  assert.deepEqual(sample().complete('', 2), ['dog', 'card'])
  assert.deepEqual(sample().complete('z'), [])
})

test('removing a word keeps longer and shorter ones', () => {
  const trie = sample()
  assert.equal(trie.remove('car'), true)
  assert.equal(trie.remove('car'), false)
  assert.equal(trie.remove('c'), false)
  assert.equal(trie.has('card'), true)
  assert.equal(trie.countPrefix('car'), 2)
  trie.remove('card')
  assert.equal(trie.has('care'), true)
  assert.equal(trie.size, 3)
})

test('the longest word a text begins with', () => {
  assert.equal(sample().longestPrefixOf('cardinal'), 'card')
  assert.equal(sample().longestPrefixOf('carbon'), 'car')
  assert.equal(sample().longestPrefixOf('bird'), null)
})
