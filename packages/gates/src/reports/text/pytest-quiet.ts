// What pytest prints when it is asked twice to be quiet: a sign for each test, what failed, and no counts.
// Without the short lines at the end nothing tells it from a run that broke off there.
import { sum } from './lines.ts'

const words: Readonly<Record<string, string>> = {
  '.': 'passed',
  F: 'failed',
  E: 'error',
  s: 'skipped',
  x: 'xfailed',
  X: 'xpassed',
}
const signs = /^([.FEsxX]+)(?: +\[ *\d+%\])?$/
const heading = /^=+ short test summary info =+$/
const short = /^(?:PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED \[\d+\]) \S/
const stopped = /^!{3,} .+ !{3,}$/

/** The counts of the run whose last short line is the last line of all; null if it is none. */
export function signsBefore(lines: readonly string[], at: number): Map<string, number> | null {
  const last = lines[at] ?? ''
  if (!short.test(last) && !stopped.test(last)) return null
  if (lines.slice(at + 1, at + 3).some((line) => line.trim() !== '') || at + 3 < lines.length) return null
  let info = at
  while (info >= 0 && (short.test(lines[info] ?? '') || stopped.test(lines[info] ?? ''))) info -= 1
  if (!heading.test(lines[info] ?? '')) return null
  const told = lines.slice(info + 1, at + 1)
  const counts = countedIn(signsOf(lines, info), told)
  return counts.size === 0 ? null : counts
}

const section = /^=+ (?:FAILURES|ERRORS|PASSES) =+$/

/** The signs of the last lines of them in a row before what pytest tells of the tests. */
function signsOf(lines: readonly string[], info: number): string[] {
  const before = lines.slice(0, info)
  const isLast = (at: number): boolean => signs.test(lines[at] ?? '') && !signs.test(lines[at + 1] ?? '')
  const isRightBefore = (at: number, heading: RegExp): boolean =>
    isLast(at) && heading.test(lines.slice(at + 1, at + 3).find((line) => line.trim() !== '') ?? '')
  const told = before.findIndex((line) => section.test(line))
  // In a section stands what the tests printed, which may be dots as well.
  const places = [
    before.findIndex((_, at) => isRightBefore(at, section)),
    told < 0 ? before.findLastIndex((_, at) => isRightBefore(at, /^=+ .+ =+$/)) : -1,
    before.findLastIndex((_, at) => (told < 0 || at < told) && isLast(at)),
  ]
  const last = places.find((at) => at >= 0) ?? -1
  let first = last
  while (first >= 0 && signs.test(lines[first] ?? '')) first -= 1
  return lines.slice(first + 1, last + 1).flatMap((line) => [...(signs.exec(line)?.[1] ?? '')])
}

/** One for each sign; what is skipped as a whole file has none, but a short line, and no failure has less than that. */
function countedIn(found: readonly string[], told: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const sign of found) {
    const word = words[sign] ?? 'failed'
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const bad = told.filter((line) => /^(?:FAILED|ERROR) /.test(line)).length
  const missing = bad - sum(counts, 'failed', 'error')
  if (missing > 0) counts.set('failed', (counts.get('failed') ?? 0) + missing)
  if (counts.size === 0) return counts
  const skips = told.reduce((all, line) => all + Number(/^SKIPPED \[(\d+)\]/.exec(line)?.[1] ?? 0), 0)
  counts.set('skipped', Math.max(counts.get('skipped') ?? 0, skips))
  return counts
}
