import { describe, expect, it } from 'vitest'
import { describePage, pageLinks, paginate, sliceAfter } from '../src/pagination.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function fill(shown: readonly number[], pages: number): (number | null)[] {
  const links: (number | null)[] = []
  for (const n of numbers(pages)) {
    const alone = shown.includes(n - 1) && shown.includes(n + 1)
    if (shown.includes(n) || alone) links.push(n)
    else if (links.at(-1) !== null) links.push(null)
  }
  return links
}

describe('paginate', () => {
  it('all pages together are the list', () => {
    for (let count = 1; count <= 31; count += 3) {
      for (let perPage = 1; perPage <= 12; perPage += 1) {
        const pages = Math.ceil(count / perPage)
        const seen: number[] = []
        for (let page = 1; page <= pages; page += 1) {
          const result = paginate(numbers(count), page, perPage)
          expect(result.page).toBe(page)
          expect(result.pages).toBe(pages)
          expect(result.total).toBe(count)
          expect(result.from).toBe(result.items[0])
          expect(result.to).toBe(result.items.at(-1))
          seen.push(...result.items)
          const range = result.items.length === 1 ? `${result.from}` : `${result.from}-${result.to}`
          expect(describePage(result)).toBe(`${range} of ${count} (page ${page}/${pages})`)
        }
        expect(seen).toEqual(numbers(count))
      }
    }
  })

  it('moves odd pages inside', () => {
    expect(paginate(numbers(30), -4, 7).items[0]).toBe(1)
    expect(paginate(numbers(30), 2.9, 7).page).toBe(2)
    expect(paginate(numbers(30), 100, 7).items).toEqual([29, 30])
    expect(paginate(numbers(12), 1).items).toHaveLength(10)
    expect(() => paginate(numbers(3), 1, -1)).toThrow(RangeError)
    expect(() => paginate(numbers(3), 1, 0)).toThrow(RangeError)
    expect(paginate([], 5, 3)).toEqual({ items: [], page: 1, pages: 1, total: 0, from: 0, to: 0 })
    expect(describePage(paginate([], 5, 3))).toBe('nothing found')
  })
})

describe('pageLinks', () => {
  it('shows the right pages and fills the rest', () => {
    for (let pages = 1; pages <= 11; pages += 1) {
      for (let page = 1; page <= pages; page += 1) {
        for (const around of [0, 1, 2]) {
          const shown = numbers(pages).filter((n) => n === 1 || n === pages || Math.abs(n - page) <= around)
          expect(pageLinks(page, pages, around)).toEqual(fill(shown, pages))
        }
      }
    }
    expect(pageLinks(6, 12)).toEqual([1, null, 5, 6, 7, null, 12])
    expect(pageLinks(1, 0)).toEqual([])
  })
})

describe('sliceAfter', () => {
  it('visits everything once, in order', () => {
    const items = Array.from({ length: 23 }, (_, index) => ({ id: `k${(index * 7) % 23}`, index }))
    const order = items.map((item) => item.id).sort()
    for (const limit of [1, 2, 5, 22, 23, 24]) {
      const seen: string[] = []
      let after: string | null = null
      let rounds = 0
      do {
        const slice: { items: { id: string }[]; next: string | null } = sliceAfter(items, (item) => item.id, {
          after,
          limit,
        })
        seen.push(...slice.items.map((item) => item.id))
        after = slice.next
        rounds += 1
      } while (after !== null && rounds < 50)
      expect(seen).toEqual(order)
      expect(rounds).toBe(Math.ceil(23 / limit))
    }
    expect(items[1]?.id).toBe('k7')
  })

  it('bounds the limit and takes keys that are gone', () => {
    const many = Array.from({ length: 150 }, (_, index) => String(index).padStart(3, '0'))
    const same = (word: string) => word
    expect(sliceAfter(many, same, { after: null, limit: 1000 }).items).toHaveLength(100)
    expect(sliceAfter(many, same, { after: null, limit: 1000 }).next).toBe('099')
    expect(sliceAfter(many, same, { after: '004x', limit: -3 })).toEqual({ items: ['005'], next: '005' })
    expect(sliceAfter(many, same, { after: '', limit: 2 })).toEqual({ items: ['000', '001'], next: '001' })
    expect(sliceAfter([], same, { after: null, limit: 2 })).toEqual({ items: [], next: null })
  })
})
