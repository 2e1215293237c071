export type Page<T> = { items: T[]; page: number; pages: number; total: number; from: number; to: number }

// Pages count from 1; a page beyond either end is moved to the nearest one.
export function paginate<T>(all: readonly T[], page: number, perPage = 10): Page<T> {
  if (perPage < 1) throw new RangeError('a page needs at least one item')
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const current = Math.min(Math.max(1, Math.trunc(page)), pages)
  const start = (current - 1) * perPage
  const items = all.slice(start, start + perPage)
  const from = items.length === 0 ? 0 : start + 1
  return { items, page: current, pages, total: all.length, from, to: start + items.length }
}

// The numbers to show, with null for a gap: first, last and those near the current page.
export function pageLinks(page: number, pages: number, around = 1): (number | null)[] {
  const links: (number | null)[] = []
  let last = 0
  for (let number = 1; number <= pages; number += 1) {
    const shown = number === 1 || number === pages || Math.abs(number - page) <= around
    if (!shown) continue
    // A gap of one page would take as much room as its number.
    if (number - last === 2) links.push(number - 1)
    else if (number - last > 2) links.push(null)
    links.push(number)
    last = number
  }
  return links
}

export type Cursor = { after: string | null; limit: number }
export type Slice<T> = { items: T[]; next: string | null }

// Sorted by key, the page after the cursor; next is null on the last page.
export function sliceAfter<T>(all: readonly T[], keyOf: (item: T) => string, cursor: Cursor): Slice<T> {
  const limit = Math.min(Math.max(cursor.limit, 1), 100)
  const sorted = [...all].sort((a, b) => compare(keyOf(a), keyOf(b)))
  const after = cursor.after
  const rest = after === null ? sorted : sorted.filter((item) => compare(keyOf(item), after) > 0)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rest.length > limit && last !== undefined ? keyOf(last) : null }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function describePage<T>(page: Page<T>): string {
  if (page.total === 0) return 'nothing found'
  const range = page.from === page.to ? `${page.from}` : `${page.from}-${page.to}`
  return `${range} of ${page.total} (page ${page.page}/${page.pages})`
}
