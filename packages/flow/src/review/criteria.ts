// The acceptance criteria of an item, read from its list and from its text: checklists, AC-1.1.a and AC-1.a.
import type { GateName, GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { ReviewCriterion } from '@treadle/contracts/review'

export type CriteriaRead =
  | { readonly is: 'found'; readonly criteria: readonly ReviewCriterion[] }
  | { readonly is: 'none' }
  | { readonly is: 'unreadable'; readonly why: string }

const CRITERIA_MAX = 100
const DESCRIPTION_MAX = 2_000
const BOX = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+\[[ xX]\]\s+(.+)$/
const BULLET = /^\s*(?:[-*+]|\d{1,4}[.)])\s/
const NAMED = /(?<![\w.-])(AC-\d{1,6}(?:\.\d{1,6})?\.[a-z])(?![\w.])[*_`]{0,4}:[*_`]{0,4}\s*(\S.*)$/i
const FENCE = /^\s*(```|~~~)/

/** A tick that the author has set is no proof: everything found is still to be judged. */
export function readCriteria({ acceptance, body }: Pick<Item, 'acceptance' | 'body'>): CriteriaRead {
  const texts = [...acceptance.map(({ id, text }) => entryOf(text, id)), ...entriesIn(body)]
  const seen = new Set<string>()
  const once = texts.filter(({ id, text }) => {
    const key = `${id ?? ''} ${text.toLowerCase().replace(/\s+/g, ' ')}`
    return !seen.has(key) && seen.add(key)
  })
  if (once.length === 0) return { is: 'none' }
  if (once.length > CRITERIA_MAX)
    return {
      is: 'unreadable',
      why: `${once.length} acceptance criteria are more than the ${CRITERIA_MAX} a review takes`,
    }
  return { is: 'found', criteria: named(once) }
}

interface Entry {
  readonly id: string | null
  readonly text: string
}

function entryOf(line: string, given: string | null = null): Entry {
  const [, id, text] = NAMED.exec(line) ?? []
  const read = { id: given ?? id ?? null, text: (text ?? line).trim() }
  return { ...read, text: read.text.slice(0, DESCRIPTION_MAX) }
}

/** Line by line; lines that are indented further belong to the checklist entry above them. */
function entriesIn(body: string): Entry[] {
  const found: { indent: number | null; lines: string[] }[] = []
  let open = false
  for (const line of outsideFences(body)) {
    const [, indent, text] = BOX.exec(line) ?? []
    const last = found.at(-1)
    if (text !== undefined) found.push({ indent: indent?.length ?? 0, lines: [text.trim()] })
    else if (NAMED.test(line)) found.push({ indent: null, lines: [line] })
    else if (open && last !== undefined && belongs(line, last.indent)) last.lines.push(line.trim())
    else {
      open = false
      continue
    }
    open = true
  }
  return found.map(({ lines }) => entryOf(lines.join(' '))).filter(({ text }) => text !== '')
}

/** An example in a fence is not asked for; where one stood, there is an empty line. */
function outsideFences(body: string): string[] {
  let fenced = false
  return body.split(/\r?\n/).map((line) => {
    const isFence = FENCE.test(line)
    if (isFence) fenced = !fenced
    return fenced || isFence ? '' : line
  })
}

function belongs(line: string, indent: number | null): boolean {
  if (indent === null) return false
  return line.trim() !== '' && !BULLET.test(line) && line.length - line.trimStart().length > indent
}

/** Ids of their own stay; the others are numbered by their place, so that the same text gives the same ids. */
function named(entries: readonly Entry[]): ReviewCriterion[] {
  const used = new Set<string>()
  return entries.map(({ id, text }, index) => {
    const wanted = id === null ? `C${index + 1}` : id.slice(0, 50)
    let name = wanted
    for (let again = 2; used.has(name.toLowerCase()); again += 1) name = `${wanted}-${again}`
    used.add(name.toLowerCase())
    return { id: name, description: text, status: 'pending', note: null }
  })
}

// ── What needs no reader ────────────────────────────────────────────────────────────────────────

const TESTS: readonly GateName[] = ['tests_pass', 'no_regression']
/** Whole sentences only: "tests pass for negative numbers" is about more than a check. */
const SAID_OF_CHECKS: readonly (readonly [RegExp, readonly GateName[]])[] = [
  [/^(all |the |existing |unit )*tests? (suite )?(still )?(pass|passes|are green|is green)$/, TESTS],
  [/^(no |there are no )(test )?regressions?$/, TESTS],
  [
    /^(all |the )*(lint|linter|linting|code style)( check)? (is clean|passes|pass|is green|has no errors)$/,
    ['linter_pass'],
  ],
  [
    /^(no |there are no )(lint|linter|linting) (errors|findings|warnings)( are left| remain)?$/,
    ['linter_pass'],
  ],
  [/^no secrets? (is|are) committed$/, ['secrets']],
  [
    /^no tests? (is|are|was|were) (removed|weakened|skipped)( or (removed|weakened|skipped))*$/,
    ['test_integrity'],
  ],
]

/** "`npm run size` passes", "test/cart.test.ts is green": a command or a file that some check has run. */
const NAMES_A_RUN =
  /^(?:the )?(?:tests? (?:in|of) |command )?[`'"]?(.+?)[`'"]?(?: still)? (?:pass|passes|succeeds|is green|are green|exits with 0)$/i

/** What the checks show by themselves, met or not; everything else stays open for somebody who reads. */
export function judgeByChecks(
  criteria: readonly ReviewCriterion[],
  checks: readonly GateResult[],
): ReviewCriterion[] {
  return criteria.map((criterion) => {
    if (criterion.status !== 'pending') return criterion
    const said = criterion.description.replace(/[\s.!]+$/, '').replace(/\s+/g, ' ')
    const about = checksAbout(said, checks)
    const note = `check: ${about.map(({ gate }) => gate).join(', ')}`
    if (about.some(({ is }) => is === 'failed')) return { ...criterion, status: 'not_met', note }
    const isShown =
      about.length > 0 && about.every(({ is }) => is === 'passed' || is === 'passed_with_warnings')
    return isShown ? { ...criterion, status: 'met', note } : criterion
  })
}

function checksAbout(said: string, checks: readonly GateResult[]): readonly GateResult[] {
  if (/^the measure is good$/i.test(said)) return checks.filter(hasTurned)
  const names = SAID_OF_CHECKS.find(([sentence]) => sentence.test(said.toLowerCase()))?.[1]
  if (names !== undefined) return checks.filter(({ gate }) => names.includes(gate))
  const run = NAMES_A_RUN.exec(said)?.[1]
  if (run === undefined) return []
  return checks.filter((check) => TESTS.includes(check.gate) && hasRun(check, run))
}

/** Whether it is the witness, by a measure that improved. */
function hasTurned(check: GateResult): boolean {
  return check.gate === 'witness' && 'evidence' in check && check.evidence.measure?.is === 'improved'
}

/** Whether the command of a check is this one, or names this file. */
function hasRun(check: GateResult, run: string): boolean {
  if (!('evidence' in check)) return false
  const { command } = check.evidence
  return command === run || (/[./]/.test(run) && command.split(/\s+/).includes(run))
}

/** Of an item's own list: what was judged, by the words that the list has. */
export function judgedIn(
  acceptance: Item['acceptance'],
  criteria: readonly ReviewCriterion[],
): { text: string; isMet: boolean }[] {
  const status = new Map(criteria.map((criterion) => [criterion.description, criterion.status]))
  return acceptance.flatMap(({ id, text }) => {
    const found = status.get(entryOf(text, id).text) ?? 'pending'
    return found === 'pending' ? [] : [{ text, isMet: found === 'met' }]
  })
}
