import { describe, expect, it } from 'vitest'
import { type Column, type Order, type Row, renderTable, sortRows } from '../src/table.ts'
import { type Align, cut, displayWidth, pad } from '../src/width.ts'

let state = 41
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function pick<T>(items: readonly T[]): T {
  return items[random(items.length)] as T
}

const widths = new Map([
  ['a', 1],
  ['Z', 1],
  [' ', 1],
  ['漢', 2],
  ['한', 2],
  ['🚀', 2],
  ['ｗ', 2],
  ['\u0301', 0],
  ['é', 1],
  ['ᄀ', 2],
])
const letters = [...widths.keys()]
const word = (longest: number) => Array.from({ length: random(longest + 1) }, () => pick(letters)).join('')
const slowWidth = (text: string) => [...text].reduce((sum, char) => sum + (widths.get(char) ?? 1), 0)

describe('widths', () => {
  it('add up', () => {
    for (let round = 0; round < 200; round += 1) {
      const text = word(8)
      expect(displayWidth(text)).toBe(slowWidth(text))
    }
    const edges: [number, number][] = [
      [0x2ff, 1],
      [0x300, 0],
      [0x36f, 0],
      [0x370, 1],
      [0x10ff, 1],
      [0x1100, 2],
      [0x115f, 2],
      [0x1160, 1],
      [0x2e7f, 1],
      [0x2e80, 2],
      [0xa4cf, 2],
      [0xa4d0, 1],
      [0xabff, 1],
      [0xac00, 2],
      [0xd7a3, 2],
      [0xd7a4, 1],
      [0xfeff, 1],
      [0xff00, 2],
      [0xff60, 2],
      [0xff61, 1],
      [0x1f2ff, 1],
      [0x1f300, 2],
      [0x1faff, 2],
      [0x1fb00, 1],
    ]
    for (const [code, width] of edges)
      expect([code, displayWidth(String.fromCodePoint(code))]).toEqual([code, width])
  })

  it('are filled up', () => {
    for (let round = 0; round < 300; round += 1) {
      const text = `x${word(5)}y`
      const width = random(14)
      const align = pick<Align>(['left', 'right', 'center'])
      const padded = pad(text, width, align)
      const gap = Math.max(0, width - slowWidth(text))
      expect(slowWidth(padded)).toBe(slowWidth(text) + gap)
      const before = padded.indexOf('x')
      const shares = { left: 0, right: gap, center: (gap - (gap % 2)) / 2 }
      expect(before).toBe(shares[align])
      expect(padded.slice(before, before + text.length)).toBe(text)
    }
  })

  it('are kept to by cutting as little as possible', () => {
    for (let round = 0; round < 400; round += 1) {
      const text = word(9)
      const width = random(10)
      const mark = pick(['…', '..', '漢'])
      const result = cut(text, width, mark)
      if (slowWidth(text) <= width) {
        expect(result).toBe(text)
        continue
      }
      if (slowWidth(mark) > width) {
        expect(result).toBe('')
        continue
      }
      const chars = [...text]
      let best = ''
      for (let length = 0; length <= chars.length; length += 1) {
        const start = chars.slice(0, length).join('')
        if (slowWidth(start) + slowWidth(mark) > width) break
        best = start
      }
      expect(result).toBe(best + mark)
    }
  })
})

// Draws each cell into a grid of places.
function slowTable(columns: readonly Column[], rows: readonly Row[]): string {
  const text = (column: Column, value: Row[string]): string => {
    if (column.format) return column.format(value)
    if (value === null || value === undefined) return ''
    if (value === true) return 'yes'
    if (value === false) return 'no'
    return `${value}`.split(/\s/).filter(Boolean).join(' ')
  }
  const grid = columns.map((column) => {
    const words = column.key.split('_').join(' ')
    const title = column.title ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
    const cells = [title, ...rows.map((row) => text(column, row[column.key]))]
    if (columns.some((one) => one.sum)) {
      const numbers = rows.map((row) => row[column.key]).filter((value) => typeof value === 'number')
      cells.push(
        column.sum
          ? text(
              column,
              numbers.reduce((sum, value) => sum + value, 0),
            )
          : '',
      )
    }
    const widest = cells.map(slowWidth).reduce((a, b) => Math.max(a, b), 0)
    const width = column.maxWidth !== undefined && column.maxWidth < widest ? column.maxWidth : widest
    return { width, cells: cells.map((cell) => pad(cut(cell, width), width, column.align ?? 'left')) }
  })
  const rule = grid.map(({ width }) => ''.padEnd(width, '-')).join('  ')
  const count = grid[0]?.cells.length ?? 0
  const lines = Array.from({ length: count }, (_, index) =>
    grid
      .map(({ cells }) => cells[index])
      .join('  ')
      .trimEnd(),
  )
  lines.splice(1, 0, rule)
  if (columns.some((column) => column.sum)) lines.splice(-1, 0, rule)
  return lines.join('\n')
}

function drawColumn(key: string): Column {
  const column: Column = { key }
  if (random(3) === 0) column.title = `T ${key}`
  if (random(2) === 0) column.align = pick<Align>(['left', 'right', 'center'])
  if (random(3) === 0) column.maxWidth = random(6) + 1
  if (random(4) === 0) column.format = (value) => `<${value ?? '-'}>`
  if (random(4) === 0) column.sum = true
  return column
}

describe('tables', () => {
  it('agree with a grid', () => {
    for (let round = 0; round < 200; round += 1) {
      const columns = ['first', 'second_one', 'x'].slice(0, random(3) + 1).map(drawColumn)
      const rows: Row[] = Array.from({ length: random(5) }, () => ({
        first: pick([`v${word(6)}`, random(2000) - 100, null]),
        second_one: pick<Row[string]>([true, false, undefined, ' two  words\tor three ', 7]),
        x: pick([random(99), '', '12']),
      }))
      expect(renderTable(columns, rows)).toBe(slowTable(columns, rows))
    }
  })

  it('have sums in their own format', () => {
    const money = (value: unknown) => `${Number(value).toFixed(1)} €`
    const table = renderTable(
      [{ key: 'n', sum: true, align: 'right', format: money }],
      [{ n: 1 }, { n: 99 }, { n: 0.5 }],
    )
    expect(table.split('\n').at(-1)).toBe('100.5 €')
    expect(renderTable([{ key: 'n', sum: true }], [])).toBe('N\n-\n-\n0')
  })
})

const empty = (value: unknown) => value === undefined || value === null || value === ''

function goesBefore(a: Row, b: Row, orders: readonly Order[]): boolean {
  const [order, ...others] = orders
  if (!order) return false
  const x = a[order.key]
  const y = b[order.key]
  if (empty(x) !== empty(y)) return empty(y)
  if (empty(x)) return goesBefore(a, b, others)
  const numbers = typeof x === 'number' && typeof y === 'number'
  const p = numbers ? x : `${x}`.toLowerCase()
  const q = numbers ? y : `${y}`.toLowerCase()
  return p === q ? goesBefore(a, b, others) : p < q !== (order.descending ?? false)
}

describe('rows', () => {
  it('are sorted as by inserting one after the other', () => {
    for (let round = 0; round < 200; round += 1) {
      const rows: Row[] = Array.from({ length: random(9) }, (_, id) => ({
        id,
        name: pick(['ann', 'Ann', 'bob', 'Cy', '', null]),
        age: pick([4, 30, 100, 9, null, undefined]),
      }))
      const orders: Order[] = pick([
        [{ key: 'name' }],
        [{ key: 'age', descending: true }],
        [{ key: 'name', descending: true }, { key: 'age' }],
        [{ key: 'age' }, { key: 'name', descending: true }],
        [],
      ])
      const sorted: Row[] = []
      for (const row of rows) {
        const at = sorted.findIndex((other) => goesBefore(row, other, orders))
        sorted.splice(at < 0 ? sorted.length : at, 0, row)
      }
      const before = [...rows]
      expect(sortRows(rows, orders)).toEqual(sorted)
      expect(rows).toEqual(before)
    }
  })
})
