// Whether what is given as evidence is any: a line of the change or of a test, quoted as it stands there, or a check
// that the criterion is about.
import type { GateName, GateResult } from '@treadle/contracts/gate'
import type { Hunk } from './hunks.ts'

/** A file that evidence may point at, as it was delivered. */
export interface ShownFile {
  readonly lines: readonly string[]
  /** What the change touches of it; a test shows something wherever it is read. */
  readonly hunks: readonly Hunk[]
  readonly isTest: boolean
}

export interface EvidenceFacts {
  /** By path; what is neither changed nor a test is not in it. */
  readonly files: ReadonlyMap<string, ShownFile>
  readonly checks: readonly GateResult[]
}

const PLACE = /([\p{L}\p{N}_@+.[(-][\p{L}\p{N}_@+./[\]()$~-]*):(?:L|line\s*)?(\d{1,7})\b/giu
const PLACES_MAX = 200
/** So far from the named line a quotation may stand: models count badly. */
const NEAR = 3
const QUOTE = /`([^`\n]{1,400})`|"([^"\n]{1,400})"|“([^”\n]{1,400})”/g
/** Shorter ones stand everywhere, unless they are the whole of a line. */
const QUOTED_MIN = 8
const WHOLE_MIN = 3

export function placesIn(written: string): { path: string; line: number }[] {
  return [...written.matchAll(PLACE)].slice(0, PLACES_MAX).map(([, path = '', line = '0']) => ({
    path: path.replace(/^\.\//, ''),
    line: Number(line),
  }))
}

/** `about` is what the criterion says: that the tests pass shows nothing of what they do not look at. */
export function holds(written: string, about: string, { files, checks }: EvidenceFacts): boolean {
  const quotes = quotesIn(written)
  if (placesIn(written).some((place) => isQuoted(files.get(place.path), place.line, quotes))) return true
  const passed = (gate: GateName) =>
    checks.some(({ gate: name, is }) => name === gate && (is === 'passed' || is === 'passed_with_warnings'))
  return checksIn(written).some((gate) => isAbout(about, gate) && passed(gate))
}

/** What stands between marks of quotation, without the places that are named there. */
function quotesIn(written: string): string[] {
  return [...written.matchAll(QUOTE)]
    .slice(0, PLACES_MAX)
    .map(([, tick = '', plain = '', curly = '']) => squeezed(tick || plain || curly))
    .filter((quote) => /[\p{L}\p{N}]/u.test(quote) && placesIn(quote).length === 0)
}

function isQuoted(file: ShownFile | undefined, line: number, quotes: readonly string[]): boolean {
  if (file === undefined || line < 1 || line > file.lines.length) return false
  const hunk = file.hunks.find(({ from, to }) => line >= from - NEAR && line <= to + NEAR)
  if (hunk === undefined && !file.isTest) return false
  const around = file.lines.slice(Math.max(0, line - 1 - NEAR), line + NEAR)
  const lines = [...around, ...(hunk?.removed ?? [])].map(squeezed)
  const shown = lines.join('')
  return quotes.some(
    (quote) =>
      (quote.length >= QUOTED_MIN && shown.includes(quote)) ||
      (quote.length >= WHOLE_MIN && lines.includes(quote)),
  )
}

/** Without spaces, and with one sign for all kinds of quotation marks, which cannot be quoted as they are. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, '').replace(/[`"'“”‘’]/g, "'")
}

const WORDS: readonly (readonly [RegExp, GateName])[] = [
  [/\btests?\b/i, 'tests_pass'],
  [/\blint(er|ing)?\b/i, 'linter_pass'],
  [/\bsecurity\b/i, 'security'],
  [/\bsecrets?\b/i, 'secrets'],
  [/\bcoverage\b/i, 'coverage_pass'],
  [/\bregressions?\b/i, 'no_regression'],
  [/\bdocument(s|ed|ation)?\b/i, 'documentation'],
  [/\bwitness\b/i, 'witness'],
]
function isAbout(criterion: string, gate: GateName): boolean {
  return WORDS.some(([word, name]) => name === gate && word.test(criterion))
}

const SAYS_PASSED = /\b(?<!\b(?:not|n't|never|no)\s+)(pass(es|ed)?|green|clean)\b/i

/** By its name, or in words that say that it passed. */
function checksIn(written: string): GateName[] {
  const names = [...written.matchAll(/\b[a-z]+_[a-z]+\b|\b(?:secrets|security|witness|mutation)\b/g)]
  const named = names.map(([name]) => name as GateName)
  const said = SAYS_PASSED.test(written) ? WORDS.filter(([word]) => word.test(written)) : []
  return [...named, ...said.map(([, gate]) => gate)]
}
