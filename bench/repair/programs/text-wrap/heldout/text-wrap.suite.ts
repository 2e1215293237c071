import { describe, expect, it } from 'vitest'
import { justify, justifyText, slugify, truncate, uniqueSlug, wordCounts, wrap } from '../src/text-wrap.ts'

let state = 37
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const randomText = () =>
  Array.from({ length: random(12) }, () => 'abcdefghijkl'.slice(0, random(11) + 1)).join(
    random(2) === 0 ? ' ' : '\n ',
  )

describe('wrap', () => {
  it('loses nothing, fits and is greedy', () => {
    for (let round = 0; round < 200; round += 1) {
      const text = randomText()
      const width = random(14) + 1
      const lines = wrap(text, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replace(/\s/g, ''))
      const tooLong = lines.filter((line) => line.length > width || line.trim() !== line || line === '')
      expect(tooLong).toEqual([])
      for (const [index, line] of lines.slice(1).entries()) {
        const [first = ''] = line.split(' ')
        expect((lines[index] ?? '').length + 1 + first.length).toBeGreaterThan(width)
      }
    }
    expect(() => wrap('a', -1)).toThrow(RangeError)
  })
})

describe('justify', () => {
  it('is as wide as asked, with falling gaps', () => {
    for (let round = 0; round < 200; round += 1) {
      const words = Array.from({ length: random(5) + 2 }, () => 'xyz'.slice(random(3)))
      const line = words.join(' ')
      const width = line.length + random(9)
      const wide = justify(line, width)
      expect(wide).toHaveLength(width)
      expect(wide.split(/ +/)).toEqual(words)
      const gaps = (wide.match(/ +/g) ?? []).map((gap) => gap.length)
      expect(gaps).toEqual([...gaps].sort((a, b) => b - a))
      expect((gaps[0] ?? 0) - (gaps.at(-1) ?? 0)).toBeLessThanOrEqual(1)
    }
  })

  it('does whole texts', () => {
    expect(justifyText('one two three four five six', 11)).toBe('one     two\nthree  four\nfive six')
    expect(justifyText('single', 20)).toBe('single')
    expect(justifyText('', 5)).toBe('')
    expect(justifyText('aaa bbb', 3)).toBe('aaa\nbbb')
  })
})

describe('truncate', () => {
  it('never exceeds the length', () => {
    const text = 'one two  three'
    const expected = [
      '…',
      '…',
      'o…',
      'on…',
      'one…',
      'one…',
      'one t…',
      'one tw…',
      'one two…',
      'one two…',
      'one two…',
    ]
    for (const [length, result] of expected.entries()) expect(truncate(text, length)).toBe(result)
    expect(truncate(text, 13)).toBe('one two  thr…')
    expect(truncate(text, 14)).toBe(text)
    expect(truncate(text, 99)).toBe(text)
    expect(truncate('abcdef', 5, '--')).toBe('abc--')
    expect(truncate('abcdef', 1, '--')).toBe('--')
    expect(truncate('', 0)).toBe('')
  })
})

describe('slugs', () => {
  it('of many texts', () => {
    const table: [string, string][] = [
      ['', ''],
      ['---', ''],
      ['Ünïcödé', 'unicode'],
      ['a_b.c/d', 'a-b-c-d'],
      ['--x--', 'x'],
      ['10 % off', '10-off'],
      ['日本', ''],
      ['É é É', 'e-e-e'],
    ]
    for (const [text, slug] of table) expect(slugify(text)).toBe(slug)
  })

  it('take the first free number', () => {
    expect(uniqueSlug('X', new Set(['x']))).toBe('x-2')
    expect(uniqueSlug('X', new Set(['x-2']))).toBe('x')
    expect(uniqueSlug('X', new Set(['x', 'x-3']))).toBe('x-2')
    expect(uniqueSlug('X', new Set(['x', 'x-2', 'x-3', 'x-4']))).toBe('x-5')
    expect(uniqueSlug('?', new Set(['untitled']))).toBe('untitled-2')
  })
})

describe('wordCounts', () => {
  it('sorts by count, then by word', () => {
    expect(wordCounts('Zoë zoë b A a c2d')).toEqual([
      ['a', 2],
      ['zoë', 2],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ])
    expect(wordCounts("don't DON'T")).toEqual([["don't", 2]])
    expect(wordCounts('')).toEqual([])
  })
})
