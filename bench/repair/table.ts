// Turns the results of single bugs into the figures and the table that the benchmark prints.
import type { Faults } from './bug.ts'
import type { Judgement } from './judge.ts'
import type { Side } from './split.ts'

export type Row = {
  id: string
  program: string
  kind: string
  origin: 'hand' | 'tool'
  faults: Faults
  side: Side | 'fresh'
  outcome: 'plausible' | 'none' | 'refused' | 'failed'
  reason: string | null
  // In order of rank, at most five.
  judgements: Judgement[]
  candidates: number
  firstGreenSeconds: number | null
  seconds: number
}

export type Figures = {
  bugs: number
  plausible: number
  correctFirst: number
  correctTop5: number
  // The first patch passes the visible tests and fails the held-out ones.
  wrongButGreen: number
  // The engine or the benchmark itself broke; such a row says nothing about candidates.
  failed: number
  candidates: { median: number | null; p90: number | null }
  firstGreenSeconds: { median: number | null; p90: number | null }
}

export function figuresOf(rows: readonly Row[]): Figures {
  const count = (test: (row: Row) => boolean) => rows.filter(test).length
  const green = rows.flatMap((row) => row.firstGreenSeconds ?? [])
  const tried = rows.filter((row) => row.outcome !== 'failed').map((row) => row.candidates)
  return {
    bugs: rows.length,
    plausible: count(isPlausible),
    correctFirst: count((row) => row.judgements[0] === 'correct'),
    correctTop5: count((row) => row.judgements.includes('correct')),
    wrongButGreen: count((row) => row.judgements[0] === 'wrong'),
    failed: count((row) => row.outcome === 'failed'),
    candidates: { median: quantile(tried, 0.5), p90: quantile(tried, 0.9) },
    firstGreenSeconds: { median: quantile(green, 0.5), p90: quantile(green, 0.9) },
  }
}

// A claim counts only if the first patch applies and is green when it is run again here.
function isPlausible(row: Row): boolean {
  return row.judgements[0] === 'correct' || row.judgements[0] === 'wrong'
}

// The nearest rank: the smallest value that so large a part of the values does not exceed.
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
}

export type Section = { title: string; lines: { label: string; figures: Figures }[] }

const titles = {
  tuning: 'tuning (two thirds)',
  aside: 'set aside (one third)',
  fresh: 'fresh (new programs)',
}

export function sectionsOf(rows: readonly Row[]): Section[] {
  const sides = ['tuning', 'aside', 'fresh'] as const
  return sides
    .map((side) => ({ side, own: rows.filter((row) => row.side === side) }))
    .filter(({ own }) => own.length > 0)
    .map(({ side, own }) => ({
      title: titles[side],
      lines: [
        { label: 'all', figures: figuresOf(own) },
        ...groups(own, (row) => row.faults),
        ...groups(own, (row) => `by ${row.origin}`),
        ...groups(own, (row) => `${row.origin}: ${row.kind}`),
      ],
    }))
}

function groups(rows: readonly Row[], keyOf: (row: Row) => string): { label: string; figures: Figures }[] {
  const byKey = Map.groupBy(rows, keyOf)
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, own]) => ({ label, figures: figuresOf(own) }))
}

const headings = [
  'bugs',
  'plausible',
  'rank 1',
  'top 5',
  'wrong but green',
  'failed',
  'candidates median',
  'p90',
  'first green s median',
  'p90',
]

export function printTable(sections: readonly Section[]): string {
  return sections
    .map(({ title, lines }) => {
      const cells = [['', ...headings], ...lines.map(({ label, figures }) => [label, ...cellsOf(figures)])]
      const widths = cells.reduce<number[]>(
        (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
        [],
      )
      const text = cells.map((row) =>
        row
          .map((cell, column) => pad(cell, column, widths))
          .join('  ')
          .trimEnd(),
      )
      return [title, ...text].join('\n')
    })
    .join('\n\n')
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function cellsOf(figures: Figures): string[] {
  const share = (value: number) => `${value} (${Math.round((100 * value) / figures.bugs)} %)`
  const number = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits))
  return [
    String(figures.bugs),
    share(figures.plausible),
    share(figures.correctFirst),
    share(figures.correctTop5),
    share(figures.wrongButGreen),
    String(figures.failed),
    number(figures.candidates.median, 0),
    number(figures.candidates.p90, 0),
    number(figures.firstGreenSeconds.median, 1),
    number(figures.firstGreenSeconds.p90, 1),
  ]
}
