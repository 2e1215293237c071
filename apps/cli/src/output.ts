// Output for people and programs: plain lines, names with values, one JSON document, a progress line on terminals.
import { stripVTControlCharacters, styleText } from 'node:util'
import { clipColumns, columnsOf, padColumns, terminalColumns, wrapColumns } from './terminal/columns.ts'

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

/** Names and values below each other; on a terminal a long value goes on below its beginning. */
export function pairs(rows: readonly (readonly [name: string, value: string])[]): string {
  const names = Math.max(0, ...rows.map(([name]) => columnsOf(name)))
  const indent = ' '.repeat(names + 2)
  const room = terminalColumns() - names - 2
  return rows
    .map(([name, value]) => {
      const lines = wrapColumns(value, room)
      return `${padColumns(name, names)}  ${lines.join(`\n${indent}`)}`.trimEnd()
    })
    .join('\n')
}

/** The time of day where the reader is. */
export function clock(instant: string): string {
  return new Date(instant).toTimeString().slice(0, 8)
}

/** A text in one line of at most so many columns. */
export function clip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return clipColumns(line, max)
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
