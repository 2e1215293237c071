import { type Align, cut, displayWidth, pad } from './width.ts'

export type Cell = string | number | boolean | null | undefined
export type Column = {
  key: string
  title?: string
  align?: Align
  maxWidth?: number
  format?: (value: Cell) => string
  // Adds up the numbers of the column in a last line.
  sum?: boolean
}
export type Row = Readonly<Record<string, Cell>>

export function renderTable(columns: readonly Column[], rows: readonly Row[]): string {
  const head = columns.map(titleOf)
  const body = rows.map((row) => columns.map((column) => cellText(column, row[column.key])))
  const foot = columns.some((column) => column.sum) ? [sumLine(columns, rows)] : []
  const widths = columns.map((column, index) => {
    const lines = [head, ...body, ...foot]
    const widest = Math.max(...lines.map((line) => displayWidth(line[index] ?? '')))
    return Math.min(widest, column.maxWidth ?? widest)
  })
  const draw = (line: readonly string[]) => drawLine(line, columns, widths)
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  const lines = [draw(head), rule, ...body.map(draw)]
  if (foot.length > 0) lines.push(rule, ...foot.map(draw))
  return lines.join('\n')
}

function drawLine(line: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const cells = columns.map((column, index) => {
    const width = widths[index] ?? 0
    return pad(cut(line[index] ?? '', width), width, column.align ?? 'left')
  })
  return cells.join('  ').trimEnd()
}

function titleOf({ key, title }: Column): string {
  return title ?? key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
}

function cellText(column: Column, value: Cell): string {
  if (column.format) return column.format(value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value).replace(/\s+/g, ' ').trim()
}

function sumLine(columns: readonly Column[], rows: readonly Row[]): string[] {
  return columns.map((column) => {
    if (!column.sum) return ''
    let sum = 0
    for (const row of rows) {
      const value = row[column.key]
      if (typeof value === 'number') sum += value
    }
    return cellText(column, sum)
  })
}

export type Order = { key: string; descending?: boolean }

// Stable, by several keys; empty cells come last in either direction.
export function sortRows(rows: readonly Row[], orders: readonly Order[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const { key, descending } of orders) {
      const compared = compareCells(a[key], b[key], descending ?? false)
      if (compared !== 0) return compared
    }
    return 0
  })
}

function compareCells(a: Cell, b: Cell, descending: boolean): number {
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
  return descending ? compare(b, a) : compare(a, b)
}

function isEmpty(value: Cell): boolean {
  return value === null || value === undefined || value === ''
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const left = String(a).toLowerCase()
  const right = String(b).toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}
