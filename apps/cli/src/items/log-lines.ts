// The events of a run as lines of a log: what was said, which tool was used and what came out of it.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { Observation } from '@treadle/contracts/run'
import { duration } from '@treadle/contracts/words/time'
import { clip, clock, paint } from '../output.ts'
import { flowed } from '../terminal/columns.ts'
import { diffLine } from '../terminal/markdown.ts'
import { plainText, seenText } from '../terminal/plain-text.ts'

/** Told by what stands beside them, or about money. */
const QUIET: ReadonlySet<string> = new Set([
  'run.began',
  'run.used',
  'run.session',
  'cost.logged',
  'run.recalled',
])
const OUTPUT_LINES_MAX = 12
const DETAIL_MAX = 200
/** As wide as the time of day and what stands behind it. */
const INDENT = 9

export interface LogOptions {
  /** Every line of every output. */
  readonly full: boolean
}

export function logLines(stored: StoredEvent, { full }: LogOptions): string[] {
  const { event, at } = stored
  if (QUIET.has(event.type)) return []
  if (event.type === 'run.observed') return observationLines(event.observation, { at, full })
  const { text, detail } = sentence(stored)
  const more = detail === null ? [] : detailLines(plainText(detail), full)
  return [`${paint('dim', clock(at))} ${paint('bold', plainText(text))}`, ...more]
}

function detailLines(detail: string, full: boolean): string[] {
  const lines = full ? detail.split('\n') : [clip(detail, DETAIL_MAX)]
  return lines.map((line) => `         ${line}`)
}

function observationLines(
  { tool, input, output, success, diff, durationMs }: Observation,
  { at, full }: LogOptions & { readonly at: string },
): string[] {
  const mark = success ? paint('cyan', '›') : paint('red', '✗')
  const [first = '', ...rest] = plainText(input).trim().split('\n')
  const asked = full ? rest : rest.slice(0, 2)
  const out = plainText(output).trimEnd()
  return [
    `${paint('dim', clock(at))} ${mark} ${paint('bold', plainText(tool))} ${first} ${paint('dim', duration(durationMs))}`,
    ...asked.map((line) => `         ${line}`),
    ...(diff === undefined
      ? []
      : bounded(seenText(diff).trimEnd(), full).map((line) => `         ${diffLine(line)}`)),
    ...(out === '' ? [] : bounded(out, full).map((line) => paint('dim', `         ${line}`))),
  ]
}

/** A line of a log in the width there is; what goes on below stands under its text. */
export function fittedLog(line: string, columns: number): string {
  return flowed(line, { hang: line.startsWith(' ') ? 0 : INDENT, columns })
}

/** The end of an output says most: what failed stands there. */
function bounded(text: string, full: boolean): string[] {
  const lines = text.split('\n')
  if (full || lines.length <= OUTPUT_LINES_MAX) return lines
  return [`… ${lines.length - OUTPUT_LINES_MAX} lines before, with --full`, ...lines.slice(-OUTPUT_LINES_MAX)]
}
