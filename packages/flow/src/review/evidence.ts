// Whether what is given as evidence is any: a line of the change or of a test, or a check that the criterion is about.
import type { GateName, GateResult } from '@treadle/contracts/gate'

export interface EvidenceFacts {
  /** Lines of each file that was named, at the head; null if it is not there, or neither changed nor a test. */
  readonly lines: ReadonlyMap<string, number | null>
  readonly checks: readonly GateResult[]
}

const PLACE = /([\w@+.-][\w@+./-]*):(?:L|line\s*)?(\d{1,7})\b/gi
const PLACES_MAX = 200

export function placesIn(written: string): { path: string; line: number }[] {
  return [...written.matchAll(PLACE)].slice(0, PLACES_MAX).map(([, path = '', line = '0']) => ({
    path: path.replace(/^\.\//, ''),
    line: Number(line),
  }))
}

/** `about` is what the criterion says: that the tests pass shows nothing of what they do not look at. */
export function holds(written: string, about: string, { lines, checks }: EvidenceFacts): boolean {
  const isThere = placesIn(written).some(({ path, line }) => {
    const many = lines.get(path) ?? null
    return many !== null && line >= 1 && line <= many
  })
  if (isThere) return true
  const passed = (gate: GateName) =>
    checks.some(({ gate: name, is }) => name === gate && (is === 'passed' || is === 'passed_with_warnings'))
  return checksIn(written).some((gate) => isAbout(about, gate) && passed(gate))
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

const SAYS_PASSED = /\b(pass(es|ed)?|green|clean)\b/i

/** By its name, or in words that say that it passed. */
function checksIn(written: string): GateName[] {
  const names = [...written.matchAll(/\b[a-z]+_[a-z]+\b|\b(?:secrets|security|witness|mutation)\b/g)]
  const named = names.map(([name]) => name as GateName)
  const said = SAYS_PASSED.test(written) ? WORDS.filter(([word]) => word.test(written)) : []
  return [...named, ...said.map(([, gate]) => gate)]
}
