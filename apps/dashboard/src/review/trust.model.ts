// Why a delivery may be trusted, in a few lines: what the system itself found, and what nobody has checked.
import type { TracedComment } from '@treadle/contracts/delivery'
import { type GateName, type GateResult, waitsIn } from '@treadle/contracts/gate'
import type { Review } from '@treadle/contracts/review'
import { gateLine } from '../parts/gate-line.model.ts'

export interface TrustLine {
  readonly name: string
  readonly tone: 'good' | 'bad' | 'attention' | 'plain'
  readonly words: string
}

export function trustLines({ checks }: Pick<Review, 'checks'>): TrustLine[] {
  const find = (...gates: GateName[]) => checks.find(({ gate }) => gates.includes(gate)) ?? null
  return [
    lineOf('Was red, is green now', find('witness'), () => 'a test fails without the change'),
    lineOf('Test suite', find('no_regression', 'tests_pass'), suiteWords),
    lineOf('Planted faults', find('mutation'), strengthWords),
    lineOf('Secrets', find('secrets'), () => 'none found'),
    lineOf('Tests untouched', find('test_integrity'), () => 'none removed, skipped or weakened'),
  ]
}

type Shown = Extract<GateResult, { evidence: object }>

function lineOf(name: string, gate: GateResult | null, words: (gate: Shown) => string): TrustLine {
  if (gate === null) return { name, tone: 'plain', words: 'not checked' }
  if (!('evidence' in gate)) return { name, tone: 'plain', words: `not checked: ${gate.why}` }
  if (gate.is === 'failed') return { name, tone: 'bad', words: gate.failures[0]?.message ?? 'failed' }
  if (gate.is === 'passed_with_warnings')
    return { name, tone: 'attention', words: `${words(gate)}; ${gate.warnings[0] ?? ''}` }
  return { name, tone: 'good', words: words(gate) }
}

function suiteWords(gate: Shown): string {
  const { report } = gate.evidence
  if (report === null) return 'ended well, but no test report could be read'
  const skipped = report.skipped > 0 ? `, ${report.skipped} skipped` : ''
  return `${report.passed} of ${report.total} passed${skipped}`
}

function strengthWords(gate: Shown): string {
  const { strength } = gate.evidence
  return strength === undefined ? 'none were planted' : `${strength.noticed} of ${strength.planted} noticed`
}

/** Checks that stand in no line of the card and did not simply pass. */
export function otherFindings({ checks }: Pick<Review, 'checks'>): TrustLine[] {
  const told = new Set<GateName>([
    'witness',
    'no_regression',
    'tests_pass',
    'mutation',
    'secrets',
    'test_integrity',
  ])
  return checks
    .filter(({ gate, is }) => !told.has(gate) && is !== 'passed' && is !== 'skipped')
    .map((gate) => {
      const { name, tone, words, details } = gateLine(gate)
      const detail = details[0]?.split('\n', 1)[0]
      return {
        name,
        tone: tone as TrustLine['tone'],
        words: detail === undefined ? words : `${words}: ${detail}`,
      }
    })
}

/** What the change brings that somebody has to read, as places in it. */
export function placesToRead({ checks }: Pick<Review, 'checks'>) {
  return waitsIn(checks).slice(0, 20)
}

/** Criteria without those that are comments on lines, which stand in a list of their own. */
export function criteriaBeside(
  { criteria }: Pick<Review, 'criteria'>,
  comments: readonly Pick<TracedComment, 'text' | 'line'>[],
): Review['criteria'] {
  const isComment = (description: string) =>
    comments.some(({ text, line }) => {
      const words = text.trim().replace(/\s+/g, ' ')
      return description.includes(`:${line}`) && description.endsWith(words)
    })
  return criteria.filter(({ askedIn, description }) => askedIn === undefined || !isComment(description))
}

/** 2 of 3: met of all that the item and earlier reviews ask for. */
export function criteriaWords(criteria: Review['criteria']): string {
  const met = criteria.filter(({ status }) => status === 'met').length
  return criteria.length === 0 ? 'none were given' : `${met} of ${criteria.length} shown to be met`
}
