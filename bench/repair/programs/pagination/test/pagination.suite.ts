import { describe, expect, it } from 'vitest'
import { describePage, pageLinks, paginate, sliceAfter } from '../src/pagination.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('paginate', () => {
  it('cuts out one page', () => {
    expect(paginate(numbers(25), 2)).toEqual({
      items: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
      page: 2,
      pages: 3,
      total: 25,
      from: 11,
      to: 20,
    })
    expect(paginate(numbers(25), 3).items).toEqual([21, 22, 23, 24, 25])
  })

  it('stays within the pages', () => {
    expect(paginate(numbers(25), 9).page).toBe(3)
    expect(paginate(numbers(25), 0).page).toBe(1)
    expect(paginate(numbers(20), 2, 10).pages).toBe(2)
    expect(() => paginate([], 1, 0)).toThrow(RangeError)
  })

  it('knows empty lists', () => {
    expect(paginate([], 1)).toEqual({ items: [], page: 1, pages: 1, total: 0, from: 0, to: 0 })
  })

  it('describes itself', () => {
    expect(describePage(paginate(numbers(25), 3))).toBe('21-25 of 25 (page 3/3)')
    expect(describePage(paginate(numbers(11), 2))).toBe('11 of 11 (page 2/2)')
    expect(describePage(paginate([], 1))).toBe('nothing found')
  })
})

describe('pageLinks', () => {
  it('shows gaps', () => {
    expect(pageLinks(5, 10)).toEqual([1, null, 4, 5, 6, null, 10])
    expect(pageLinks(1, 3)).toEqual([1, 2, 3])
  })

  it('fills a gap of one', () => {
    expect(pageLinks(4, 10)).toEqual([1, 2, 3, 4, 5, null, 10])
    expect(pageLinks(1, 1)).toEqual([1])
  })
})

describe('sliceAfter', () => {
  const words = ['pear', 'fig', 'apple', 'kiwi']
  const same = (word: string) => word

  it('walks through all', () => {
    const first = sliceAfter(words, same, { after: null, limit: 3 })
    expect(first).toEqual({ items: ['apple', 'fig', 'kiwi'], next: 'kiwi' })
    expect(sliceAfter(words, same, { after: first.next, limit: 3 })).toEqual({ items: ['pear'], next: null })
  })

  it('ends exactly', () => {
    expect(sliceAfter(words, same, { after: 'apple', limit: 3 }).next).toBeNull()
    expect(sliceAfter(words, same, { after: null, limit: 0 }).items).toEqual(['apple'])
    expect(sliceAfter(words, same, { after: 'zzz', limit: 3 })).toEqual({ items: [], next: null })
    expect(words[0]).toBe('pear')
  })
})
