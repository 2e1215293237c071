// Output for people and programs: plain lines, aligned tables, one JSON document, a progress line on terminals.
import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** A line for people who watch; programs read stdout. */
export function tell(text: string): void {
  // Colours are chosen by what standard output is; the messages may go to a file all the same.
  const plain = process.stdout.isTTY && !process.stderr.isTTY
  process.stderr.write(`${plain ? stripVTControlCharacters(text) : text}\n`)
}

export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Columns that a table leaves free on a terminal's line; no limit where there is no terminal. */
export function columnsBeside(rows: readonly (readonly string[])[]): number {
  const used = Math.max(...table(rows).split('\n').map(width))
  return (process.stdout.columns ?? Number.POSITIVE_INFINITY) - used - 2
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters, and have no width.
const COLOUR = /\u001b\[[0-9;]*m/g
function width(text: string): number {
  return text.replace(COLOUR, '').length
}

/** The time of day where the reader is. */
export function clock(instant: string): string {
  return new Date(instant).toTimeString().slice(0, 8)
}

export function clip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}

/** Shows that something is under way, on a terminal only; resolves to what the work resolves to. */
export async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  const started = performance.now()
  const timer = setInterval(() => {
    process.stderr.write(`\r\u001b[K${what} … ${Math.round((performance.now() - started) / 1_000)} s`)
  }, 500)
  try {
    return await work
  } finally {
    clearInterval(timer)
    process.stderr.write('\r\u001b[K')
  }
}
