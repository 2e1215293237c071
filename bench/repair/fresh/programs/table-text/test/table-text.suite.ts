import { describe, expect, it } from 'vitest'
import { renderTable, sortRows } from '../src/table.ts'
import { cut, displayWidth, pad } from '../src/width.ts'

describe('displayWidth', () => {
  it('counts places, not characters', () => {
    expect(displayWidth('')).toBe(0)
    expect(displayWidth('abc')).toBe(3)
    expect(displayWidth('漢字')).toBe(4)
    expect(displayWidth('e\u0301a')).toBe(2)
    expect(displayWidth('🚀!')).toBe(3)
    expect(displayWidth('한글')).toBe(4)
  })
})

describe('pad', () => {
  it('puts space on the right side', () => {
    expect(pad('ab', 5, 'left')).toBe('ab   ')
    expect(pad('ab', 5, 'right')).toBe('   ab')
    expect(pad('ab', 5, 'center')).toBe(' ab  ')
    expect(pad('漢', 4, 'center')).toBe(' 漢 ')
  })

  it('leaves long texts alone', () => {
    expect(pad('abc', 2, 'right')).toBe('abc')
    expect(pad('abc', 3, 'center')).toBe('abc')
  })
})

describe('cut', () => {
  it('leaves what fits', () => {
    expect(cut('abc', 3)).toBe('abc')
    expect(cut('', 0)).toBe('')
  })

  it('marks what it cuts', () => {
    expect(cut('abcdef', 4)).toBe('abc…')
    expect(cut('abcdef', 5, '...')).toBe('ab...')
    expect(cut('abcdef', 1)).toBe('…')
    expect(cut('abcdef', 2, '...')).toBe('')
  })

  it('does not cut wide letters in two', () => {
    expect(cut('漢字漢字', 5)).toBe('漢字…')
    expect(cut('漢字漢字', 4)).toBe('漢…')
  })
})

describe('renderTable', () => {
  const columns = [
    { key: 'name' },
    { key: 'unit_price', align: 'right', format: (value: unknown) => Number(value).toFixed(2) },
    { key: 'sold', title: 'Sold?' },
  ] as const

  it('draws a head, a rule and rows', () => {
    const rows = [
      { name: 'apple', unit_price: 1.5, sold: true },
      { name: 'fig', unit_price: 12, sold: false },
    ]
    expect(renderTable(columns, rows).split('\n')).toEqual([
      'Name   Unit price  Sold?',
      '-----  ----------  -----',
      'apple        1.50  yes',
      'fig         12.00  no',
    ])
  })

  it('draws a head without rows', () => {
    expect(renderTable([{ key: 'a' }, { key: 'bcd' }], [])).toBe('A  Bcd\n-  ---')
  })

  it('shows nothing for nothing', () => {
    expect(renderTable([{ key: 'a' }, { key: 'b' }], [{ a: null, b: 0 }, { b: '' }]).split('\n')).toEqual([
      'A  B',
      '-  -',
      '   0',
      '',
    ])
  })

  it('keeps to the greatest width', () => {
    const table = renderTable(
      [{ key: 'text', maxWidth: 8 }, { key: 'n' }],
      [{ text: 'a long sentence', n: 1 }],
    )
    expect(table.split('\n')).toEqual(['Text      N', '--------  -', 'a long …  1'])
  })

  it('puts texts of several lines on one', () => {
    expect(renderTable([{ key: 'a' }], [{ a: ' x\n  y ' }])).toBe('A\n---\nx y')
  })

  it('adds up', () => {
    const table = renderTable(
      [{ key: 'what' }, { key: 'count', align: 'right', sum: true }],
      [{ what: 'a', count: 60 }, { what: 'b', count: 70 }, { what: 'c' }],
    )
    expect(table.split('\n')).toEqual([
      'What  Count',
      '----  -----',
      'a        60',
      'b        70',
      'c',
      '----  -----',
      '        130',
    ])
  })

  it('makes room for the sum', () => {
    const table = renderTable([{ key: 'n', sum: true }], [{ n: 8 }, { n: 7 }])
    expect(table).toBe('N\n--\n8\n7\n--\n15')
  })
})

describe('sortRows', () => {
  const rows = [
    { id: 1, name: 'bob', age: 30 },
    { id: 2, name: 'Ann', age: 4 },
    { id: 3, name: 'cy', age: null },
    { id: 4, name: 'ann', age: 30 },
  ]
  const ids = (sorted: readonly { readonly [key: string]: unknown }[]) => sorted.map((row) => row.id)

  it('sorts texts without regard to case, and keeps order among equals', () => {
    expect(ids(sortRows(rows, [{ key: 'name' }]))).toEqual([2, 4, 1, 3])
  })

  it('sorts numbers as numbers, empty ones last', () => {
    expect(ids(sortRows(rows, [{ key: 'age' }]))).toEqual([2, 1, 4, 3])
    expect(ids(sortRows(rows, [{ key: 'age', descending: true }]))).toEqual([1, 4, 2, 3])
  })

  it('sorts by several keys', () => {
    expect(ids(sortRows(rows, [{ key: 'age', descending: true }, { key: 'name' }]))).toEqual([4, 1, 2, 3])
  })

  it('leaves its input alone', () => {
    sortRows(rows, [{ key: 'name' }])
    expect(ids(rows)).toEqual([1, 2, 3, 4])
  })
})
