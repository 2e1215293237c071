// Lists of things, a row each: on a terminal a table that fits its width, elsewhere fields with tabs between them, whole
// and without heads, so that cut and awk find each where it always is.
import { paint } from '../output.ts'
import { clipColumns, columnsOf, padColumns, terminalColumns } from './columns.ts'
import { plainText } from './plain-text.ts'

export interface ListingOptions {
  /** Columns that are left out where the terminal is too narrow, the first of them first. */
  readonly drop?: readonly string[]
  /** Columns that are clipped only when nothing else is left to clip: names that are copied into commands. */
  readonly whole?: readonly string[]
  /** The width to fit; that of standard output unless told. */
  readonly columns?: number
  /** Whether somebody looks; a terminal unless told. */
  readonly isTerminal?: boolean
}

const GAP = 2
/** No column is clipped to less. */
const NARROWEST = 8
/** With less than that a text says nothing, and a column that may be left out is. */
const READABLE = 24

export function listing(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  options: ListingOptions = {},
): string {
  const given = rows.map((row) => heads.map((_, column) => oneLine(row[column] ?? '')))
  if (!(options.isTerminal ?? process.stdout.isTTY))
    return given.map((row) => row.map((cell) => oneLine(plainText(cell))).join('\t')).join('\n')
  const max = options.columns ?? terminalColumns()
  const cells = given.map((row) => row.map(harmless))
  const whole = options.whole ?? []
  const shown = chosenColumns(heads, cells, { max, drop: options.drop ?? [], whole })
  const widths = narrowed(
    shown.map((column) => widest(heads, cells, column)),
    { max, isWhole: shown.map((column) => whole.includes(heads[column] ?? '')) },
  )
  const draw = (row: readonly string[]) =>
    shown
      .map((column, nth) => padColumns(clipColumns(row[column] ?? '', widths[nth] ?? 0), widths[nth] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [draw(heads.map((head) => paint('dim', head))), ...cells.map(draw)].join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what paint and linked write are control characters.
const OURS = /(\u001b\[(?:[12]|22|39|3[1-6])m|\u001b\]8;;(?:http:\/\/127\.0\.0\.1:[!-~]*)?\u0007)/

/** Only the colours of ours and links to our pages stay; whatever else would move a terminal's cursor goes. */
function harmless(cell: string): string {
  const parts = cell.split(OURS).map((part, nth) => (nth % 2 === 1 ? part : plainText(part)))
  return oneLine(parts.join(''))
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function widest(heads: readonly string[], cells: readonly (readonly string[])[], column: number): number {
  return cells.reduce(
    (most, row) => Math.max(most, columnsOf(row[column] ?? '')),
    columnsOf(heads[column] ?? ''),
  )
}

interface Room {
  readonly max: number
  readonly drop: readonly string[]
  readonly whole: readonly string[]
}

/** Columns without a word in them are not shown, nor those that there is no room for. */
function chosenColumns(
  heads: readonly string[],
  cells: readonly (readonly string[])[],
  { max, drop, whole }: Room,
): number[] {
  let shown = heads.flatMap((_, column) => (cells.some((row) => row[column] !== '') ? [column] : []))
  for (const name of drop) {
    const least = shown.map((column) =>
      Math.min(whole.includes(heads[column] ?? '') ? max : READABLE, widest(heads, cells, column)),
    )
    if (total(least) <= max) break
    shown = shown.filter((column) => heads[column] !== name)
  }
  return shown
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * Math.max(0, widths.length - 1))
}

interface Narrowing {
  readonly max: number
  /** Whether a column gives way only when no other can. */
  readonly isWhole: readonly boolean[]
}

/** The widest column gives way first. */
function narrowed(widths: readonly number[], { max, isWhole }: Narrowing): number[] {
  const fitted = [...widths]
  while (total(fitted) > max) {
    const others = fitted.filter((width, nth) => !isWhole[nth] && width > NARROWEST)
    const most = Math.max(...(others.length > 0 ? others : fitted))
    if (most <= NARROWEST) break
    fitted[fitted.findLastIndex((width, nth) => width === most && (others.length === 0 || !isWhole[nth]))] =
      most - 1
  }
  return fitted
}
