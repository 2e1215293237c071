import { describe, expect, it } from 'vitest'
import { justify, justifyText, slugify, truncate, uniqueSlug, wordCounts, wrap } from '../src/text-wrap.ts'

describe('wrap', () => {
  it('fills lines up to the width', () => {
    expect(wrap('the quick brown fox', 9)).toEqual(['the quick', 'brown fox'])
    expect(wrap('the quick brown fox', 8)).toEqual(['the', 'quick', 'brown', 'fox'])
    expect(wrap('  \n ', 5)).toEqual([])
  })

  it('cuts long words', () => {
    expect(wrap('a incredible b', 4)).toEqual(['a', 'incr', 'edib', 'le b'])
    expect(() => wrap('a', 0)).toThrow(RangeError)
  })
})

describe('justify', () => {
  it('spreads spaces, odd ones to the left', () => {
    expect(justify('a b c', 8)).toBe('a   b  c')
    expect(justify('ab cd', 6)).toBe('ab  cd')
    expect(justify('alone', 9)).toBe('alone')
  })

  it('leaves the last line', () => {
    expect(justifyText('aa bb cc dd', 6)).toBe('aa  bb\ncc dd')
  })
})

describe('truncate', () => {
  it('marks what is cut', () => {
    expect(truncate('hello world', 8)).toBe('hello w…')
    expect(truncate('hello world', 7)).toBe('hello…')
    expect(truncate('hello', 5)).toBe('hello')
    expect(truncate('hello world', 8, '...')).toBe('hello...')
  })
})

describe('slugs', () => {
  it('are plain', () => {
    expect(slugify('  Crème Brûlée, twice! ')).toBe('creme-brulee-twice')
    expect(slugify('A--B  C')).toBe('a-b-c')
  })

  it('are unique', () => {
    expect(uniqueSlug('Hello', new Set())).toBe('hello')
    expect(uniqueSlug('Hello', new Set(['hello', 'hello-2']))).toBe('hello-3')
    expect(uniqueSlug('!!!', new Set())).toBe('untitled')
  })
})

describe('wordCounts', () => {
  it('counts without regard to case', () => {
    expect(wordCounts("It's a dog. A DOG, it's!")).toEqual([
      ['a', 2],
      ['dog', 2],
      ["it's", 2],
    ])
    expect(wordCounts('b b a')).toEqual([
      ['b', 2],
      ['a', 1],
    ])
    expect(wordCounts('...')).toEqual([])
  })
})
