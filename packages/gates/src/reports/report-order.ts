// What is to be read as a test report, and how its bytes become text.
import type { ReportFormat } from '@treadle/contracts/gate'
import { makeRedactor } from '../redact.ts'
import { joinedSuites, withoutOutput } from '../written-reports.ts'
import { readEndOfOutput, readNamedReport } from './read-report.ts'
import type { NamedReport } from './report.ts'

export interface ReportOrder {
  /** The content of a file, or of several that are one report. */
  readonly data: readonly Uint8Array[]
  readonly cwd: string
  /** The path by which the command that wrote it knew `cwd`; left out: the same. */
  readonly shownAt?: string
  readonly format?: ReportFormat | undefined
  /** Only the end of an output is there. */
  readonly end?: boolean
  /** Files of JUnit suites, with or without what the tests printed; left out: one text. */
  readonly suites?: 'with_output' | 'without_output'
  /** Values that must not appear in the report; left out: they were taken out before. */
  readonly secrets?: readonly string[]
}

/** Reads a report here and now. */
export function readNow(order: ReportOrder): NamedReport | null {
  const { cwd, format, end = false } = order
  const text = textOf(order)
  return end ? readEndOfOutput(text, cwd) : readNamedReport(text, cwd, format)
}

function textOf({ data, secrets, suites, shownAt, cwd }: ReportOrder): string {
  const parts = data.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))
  const isPlain = suites === undefined && secrets === undefined
  // As latin1 one character stands for one byte, whatever the bytes are.
  const bytes = isPlain ? Buffer.concat(parts) : Buffer.from(cleaned(parts, secrets, suites), 'latin1')
  return asSeenHere(decoded(bytes), shownAt ?? cwd, cwd)
}

/** PowerShell writes what it redirects as UTF-16, and says so with the first two bytes. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return bytes.toString('utf16le', 2)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.toString('utf8')
}

function cleaned(
  parts: readonly Buffer[],
  secrets: ReportOrder['secrets'],
  suites: ReportOrder['suites'],
): string {
  const texts = parts.map((part) => part.toString('latin1'))
  const whole = suites === undefined ? texts.join('') : joinedSuites(texts)
  const text = suites === 'without_output' ? withoutOutput(whole) : whole
  return secrets === undefined ? text : makeRedactor(secrets).redact(text)
}

/** A text of a confined command, with the paths that its folder has here. */
export function asSeenHere(text: string, shownAt: string, cwd: string): string {
  return shownAt === cwd ? text : text.replaceAll(`${shownAt}/`, `${cwd}/`)
}
