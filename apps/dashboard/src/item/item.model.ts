// An item's story: its runs, the attempts of each, and what every attempt led to.
import type { GateResult } from '@treadle/contracts/gate'
import type { PhaseRecord, Run } from '@treadle/contracts/run'
import { GATE_WORDS } from '@treadle/contracts/words/gates'
import type { Tone } from '@treadle/contracts/words/state'

export interface Attempt {
  /** 1 for the first. */
  readonly number: number
  /** What was written: a first build, or an improvement. */
  readonly work: PhaseRecord | null
  readonly test: PhaseRecord | null
  /** Whatever else belongs to it, in the order in which it happened. */
  readonly others: readonly PhaseRecord[]
}

/** In the order in which they were made. */
export function attemptsOf({ history }: Pick<Run, 'history'>): Attempt[] {
  const grouped = Map.groupBy(history, ({ iteration }) => iteration)
  return [...grouped]
    .toSorted(([one], [other]) => one - other)
    .map(([iteration, records]) => {
      const work = records.findLast(({ phase }) => phase === 'build' || phase === 'improve') ?? null
      const test = records.findLast(({ phase }) => phase === 'test') ?? null
      return {
        number: iteration + 1,
        work,
        test,
        others: records.filter((record) => record !== work && record !== test),
      }
    })
}

export function toneOfAttempt({ test, work }: Attempt): Tone {
  if (test === null) return work === null ? 'plain' : 'busy'
  return test.groups.length > 0 || test.outcome !== 'passed' ? 'bad' : 'good'
}

export function costOf({ usage }: Pick<Run, 'usage'>): number | null {
  const known = usage.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
}

export interface GateLine {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  /** Where its whole output is kept. */
  readonly output: string | null
  readonly details: readonly string[]
}

const GATE_TONES: Record<GateResult['is'], { readonly tone: Tone; readonly words: string }> = {
  passed: { tone: 'good', words: 'passed' },
  passed_with_warnings: { tone: 'attention', words: 'passed with warnings' },
  failed: { tone: 'bad', words: 'failed' },
  skipped: { tone: 'plain', words: 'skipped' },
  not_run: { tone: 'plain', words: 'not run' },
}

export function gateLine(result: GateResult): GateLine {
  const { tone, words } = GATE_TONES[result.is]
  const name = GATE_WORDS[result.gate]
  if (!('evidence' in result)) return { name, tone, words, output: null, details: [result.why] }
  const { report, output } = result.evidence
  const counted = report === null ? words : `${words}, ${report.passed} of ${report.total}`
  return { name, tone, words: counted, output, details: detailsOf(result) }
}

function detailsOf(result: GateResult): readonly string[] {
  switch (result.is) {
    case 'failed':
      return result.failures.map(({ id, message }) => `${id}: ${message}`)
    case 'passed_with_warnings':
      return result.warnings
    default:
      return []
  }
}
