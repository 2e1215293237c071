// What a gate and a criterion have come to, in a line.
import type { GateResult } from '@treadle/contracts/gate'
import type { Criterion } from '@treadle/contracts/item'
import { cutWords, GATE_WORDS } from '@treadle/contracts/words/gates'
import type { Tone } from '@treadle/contracts/words/state'
import { duration } from '@treadle/contracts/words/time'
import { revealed } from '../live/unseen-characters.model.ts'

export interface Standing {
  readonly tone: Tone
  readonly words: string
}

/** The note of a criterion that checks have shown to be met, with the checks by the names that people know. */
export function noteWords(note: string): string {
  const [, gates] = /^check: ([a-z_, ]+)$/.exec(note) ?? []
  if (gates === undefined) return note
  const known: Readonly<Record<string, string>> = GATE_WORDS
  const names = gates.split(', ').map((gate) => known[gate] ?? gate)
  return `shown by: ${names.join(', ')}`
}

/** A criterion's status in words; `over`: nobody looks at it any more. */
export function criterionOf(status: Criterion['status'], over: boolean): Standing {
  switch (status) {
    case 'met':
      return { tone: 'good', words: 'met' }
    case 'not_met':
      return { tone: 'bad', words: 'not met' }
    case 'pending':
      return { tone: 'plain', words: over ? 'not judged' : 'not judged yet' }
  }
}

export interface GateLine {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  /** The command of a gate; null if nothing was run for it. */
  readonly command: string | null
  readonly took: string | null
  /** The hash under which its output is kept. */
  readonly output: string | null
  /** What is not kept of the output; null if all of it is. */
  readonly cut: string | null
  readonly details: readonly string[]
}

export const GATE_TONES: Record<GateResult['is'], { readonly tone: Tone; readonly words: string }> = {
  passed: { tone: 'good', words: 'passed' },
  passed_with_warnings: { tone: 'attention', words: 'passed with warnings' },
  failed: { tone: 'bad', words: 'failed' },
  skipped: { tone: 'plain', words: 'skipped' },
  not_run: { tone: 'plain', words: 'not run' },
}

export function gateLine(result: GateResult): GateLine {
  const { tone, words } = GATE_TONES[result.is]
  const name = GATE_WORDS[result.gate]
  if (!('evidence' in result)) {
    return { name, tone, words, command: null, took: null, output: null, cut: null, details: [result.why] }
  }
  const { report, output, command, durationMs, timedOut } = result.evidence
  const counted = report === null ? words : `${words}, ${report.passed} of ${report.total}`
  const took = `${timedOut ? 'ended after ' : ''}${duration(durationMs)}`
  const details = detailsOf(result).map(revealed)
  const cut = cutWords(result.evidence)
  return { name, tone, words: counted, command: revealed(command), took, output, cut, details }
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
