// Where the documents of TAP stand in an output, and what of their lines is TAP at all.
import { type Range, RUNS_MAX } from './layers.ts'

// Go says of a package that it is ok, with a tab.
const goPackage = /^ok {2}\t/
const point = /^(?:not )?ok\b(?: (\d+))?/
const plan = /^1\.\.(\d+)/
const version = /^TAP version 1[34]\b/

interface TapDocument extends Range {
  readonly text: string
  /** Only a runner writes it so; what has no version may be what a test printed. */
  readonly isSure: boolean
  /** Prove says so, whatever the points are: it knows how each program ended. */
  readonly isFailed: boolean
}

/** All documents, one after another. */
export function tapDocuments(printed: readonly string[]): TapDocument[] {
  const isProve = printed.some((line) => /^Files=\d+, Tests=\d+, /.test(line))
  const told = printed.map((line) =>
    goPackage.test(line) || (isProve && line === 'ok') ? `# ${line}` : line,
  )
  const raw = told.some((line) => diagnostics.test(line)) ? shielded(told) : told
  const hasPoints =
    raw.some((line) => plan.test(line)) && raw.some((line) => point.test(line) || gluedOne.test(line))
  const isEmpty = raw.some((line) => line === '# tests 0') && raw.some((line) => line === '1..0')
  if (!hasPoints && !isEmpty && !raw.some((line) => version.test(line))) return []
  const starts = startsOf(raw).slice(0, RUNS_MAX + 1)
  return starts.map((start, index) => {
    const lines = raw.slice(start, starts[index + 1] ?? raw.length)
    const end = endOf(lines)
    // What a process said when it died comes after its last test.
    const text = (isComplete(lines) ? lines.slice(0, end) : apart(lines)).join('\n')
    const isSure = version.test(lines[0] ?? '') || isCounted(lines)
    const isFailed = isProve && lines.some((line) => line === 'Result: FAIL')
    return { text, isSure, isFailed, from: start + beginOf(lines), to: start + end }
  })
}

const diagnostics = /^( +)---\s*$/
const blockLinesMax = 10_000

/** A message of several lines may leave the margin of its diagnostics, and look like points; it gets the margin back. */
function shielded(lines: readonly string[]): readonly string[] {
  const ends = endsOfDiagnostics(lines)
  const all = [...lines]
  for (let at = 1; at < all.length; at += 1) {
    const margin = diagnostics.exec(all[at] ?? '')?.[1]
    const end = ends.get(at) ?? -1
    for (; margin !== undefined && at < end; at += 1) {
      const line = all[at] ?? ''
      if (line.trim() !== '' && !line.startsWith(margin)) all[at] = margin + line
    }
  }
  return all
}

const closing = /^( +)\.\.\.\s*$/
const numbered = /^( *)(?:not )?ok (\d{1,9})\b/

/** What comes next, below the line that is looked at: closings by their margin, points by margin and number. */
interface Below {
  readonly closings: Map<number, number>
  readonly points: Map<string, number>
  version: number
}

/** Where diagnostics end, by where they begin. Once from the end, so that what does not close costs no second look. */
function endsOfDiagnostics(lines: readonly string[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const below: Below = { closings: new Map(), points: new Map(), version: lines.length }
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const end = endBelow(lines, at, below)
    if (end !== null) ends.set(at, end)
    noteLine(lines[at] ?? '', at, below)
  }
  return ends
}

/** Null: nothing begins there, or the next point comes before the end, so that none is hidden. */
function endBelow(lines: readonly string[], at: number, { closings, points, version }: Below): number | null {
  const margin = diagnostics.exec(lines[at] ?? '')?.[1]
  if (margin === undefined) return null
  const [, indent = '', number] = numbered.exec(lines[at - 1] ?? '') ?? []
  const end = closings.get(margin.length)
  if (number === undefined || end === undefined) return null
  const next = points.get(`${indent.length}/${Number(number) + 1}`) ?? lines.length
  return end < Math.min(next, version, at + blockLinesMax) ? end : null
}

function noteLine(line: string, at: number, below: Below): void {
  const [, margin] = closing.exec(line) ?? []
  if (margin !== undefined) below.closings.set(margin.length, at)
  const [, indent = '', number] = numbered.exec(line) ?? []
  if (number !== undefined) below.points.set(`${indent.length}/${Number(number)}`, at)
  if (version.test(line)) below.version = at
}

const gluedOne = /^.+?(?:not )?ok 1 \S/

/** The lines of a document that lacks points: a test that ends its output in a line shares it with its own point. */
function apart(lines: readonly string[]): string[] {
  let next = 1
  return lines.flatMap((line) => {
    const own = point.exec(line)
    const at = own === null && line.length <= lineCharsMax ? line.search(/(?:not )?ok \d+ \S/) : -1
    const number = own?.[1] ?? /ok (\d+)/.exec(at < 0 ? '' : line.slice(at))?.[1]
    if (Number(number) !== next) return [line]
    next += 1
    return at > 0 && /\S/.test(line.slice(0, at)) ? [line.slice(0, at), line.slice(at)] : [line]
  })
}

const lineCharsMax = 4_000

function isComplete(lines: readonly string[]): boolean {
  const planned = lines.map((line) => plan.exec(line)?.[1]).find((count) => count !== undefined)
  return Number(planned) === lines.filter((line) => point.test(line)).length
}

/** Mocha and tape count their tests once more, in a comment. */
function isCounted(lines: readonly string[]): boolean {
  const counts = lines.flatMap((line) => /^# tests +(\d{1,9})\s*$/.exec(line)?.[1] ?? [])
  const points = lines.filter((line) => point.test(line)).length
  return points > 0 && counts.length === 1 && Number(counts[0]) === points && isComplete(lines)
}

/** What stands before the first line of a document, and the comments before that, is another's. */
function beginOf(lines: readonly string[]): number {
  let at = lines.findIndex((line) => version.test(line) || point.test(line) || plan.test(line))
  while (/^#/.test(lines[at - 1] ?? '')) at -= 1
  return Math.max(0, at)
}

/** After the last test, its diagnostics, and comments. */
function endOf(lines: readonly string[]): number {
  let at = lines.findLastIndex((line) => point.test(line) || plan.test(line) || /^Bail out!/.test(line)) + 1
  if (/\{\s*$/.test(lines[at - 1] ?? '')) at = endOfBraces(lines, at)
  if (/^ +---\s*$/.test(lines[at] ?? '')) {
    const end = lines.findIndex((line, here) => here > at && /^ +\.\.\.\s*$/.test(line))
    at = end < 0 ? lines.length : end + 1
  }
  while (/^(?:#.*|TAP version.*|\s*)$/.test(lines[at] ?? '-')) at += 1
  return at
}

/** Vitest puts the tests of a file in braces behind its point; what differed may be full of braces, too. */
function endOfBraces(lines: readonly string[], from: number): number {
  let left = Number.POSITIVE_INFINITY
  for (const [index, line] of lines.slice(from).entries()) {
    const planned = /^ {4}1\.\.(\d+)/.exec(line)?.[1]
    if (planned !== undefined) left = Number(planned)
    if (/^ {4}(?:not )?ok\b/.test(line)) left -= 1
    if (left <= 0 && /^\}\s*$/.test(line)) return from + index + 1
  }
  return lines.length
}

// A hook that fails takes the number of the test that comes next, with mocha.
const failedHook = /^not ok 1 .* hook/

/** A document begins with its version; without one, where the numbers begin again or a second plan stands. */
function startsOf(lines: readonly string[]): number[] {
  const first = lines.findIndex((line) => version.test(line))
  const starts = [Math.max(0, first)]
  let so: DocumentSoFar = { points: 0, plans: 0, before: '' }
  for (const [at, line] of lines.entries()) {
    if (at <= (starts[0] ?? 0) && first >= 0) continue
    if (beginsDocument(line, so)) {
      starts.push(at)
      so = { points: 0, plans: 0, before: '' }
    }
    if (plan.test(line)) so.plans += 1
    else if (point.test(line)) {
      so.points += 1
      so.before = line
    }
  }
  return starts
}

interface DocumentSoFar {
  points: number
  plans: number
  /** The last point. */
  before: string
}

function beginsDocument(line: string, { points, plans, before }: DocumentSoFar): boolean {
  if (version.test(line)) return true
  if (plan.test(line)) return plans > 0
  const isFirst = point.exec(line)?.[1] === '1'
  return isFirst && points > 0 && !(points === 1 && failedHook.test(before))
}
