import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Trie } from '../src/trie.ts'

let state = 23
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function randomWord(): string {
  return Array.from({ length: random(5) }, () => 'ab'.charAt(random(2))).join('')
}

function completions(words: Map<string, number>, prefix: string): string[] {
  return [...words]
    .filter(([word]) => word.startsWith(prefix))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([word]) => word)
}

test('random words against a map', () => {
  for (let run = 0; run < 20; run += 1) {
    const trie = new Trie()
    const words = new Map<string, number>()
    for (let round = 0; round < 60; round += 1) {
      const word = randomWord()
      if (random(3) > 0) {
        const weight = random(4)
        trie.add(word, weight)
        words.set(word, weight)
      } else {
        assert.equal(trie.remove(word), words.delete(word))
      }
      const asked = randomWord()
      assert.equal(trie.size, words.size)
      assert.equal(trie.has(asked), words.has(asked))
      const all = completions(words, asked)
      assert.equal(trie.countPrefix(asked), all.length)
      assert.deepEqual(trie.complete(asked), all.slice(0, 5))
      assert.deepEqual(trie.complete(asked, 100), all)
      assert.deepEqual(trie.complete(asked, 0), [])
      const starts = [...words.keys()].filter((one) => asked.startsWith(one))
      const longest = starts.sort((a, b) => b.length - a.length)[0]
      assert.equal(trie.longestPrefixOf(asked), longest ?? null)
    }
  }
})

test('weights default to one and letters may be wide', () => {
  const trie = new Trie()
  trie.add('🙂a')
  trie.add('🙂b', 2)
  trie.add('🙂c', 0)
  assert.deepEqual(trie.complete('🙂'), ['🙂b', '🙂a', '🙂c'])
  assert.equal(trie.has('🙂c'), true)
  assert.equal(trie.remove('🙂a'), true)
  assert.equal(trie.countPrefix('🙂'), 2)
})
