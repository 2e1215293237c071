// A change that passes the item's tests and was refused by another gate: kept under a reference, and there to be taken.

import type { KeptChange, Run } from './run.ts'
import { GATE_WORDS } from './words/gates.ts'

export interface KeptAttempt extends KeptChange {
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly runId: string
  /** What it stands on. */
  readonly base: string | null
}

/** The latest of some runs, the newest of which comes first; null: none was kept, or something was delivered since. */
export function keptAttempt(
  runs: readonly Pick<Run, 'id' | 'base' | 'history' | 'outcome'>[],
): KeptAttempt | null {
  for (const { id, base, history, outcome } of runs) {
    if (outcome === 'success') return null
    const record = history.findLast(({ kept }) => kept !== null)
    if (record?.kept != null) return { ...record.kept, attempt: record.iteration + 1, runId: id, base }
  }
  return null
}

/** Which gates refused it, in a sentence. */
export function keptWords({ attempt, refusedBy }: Pick<KeptAttempt, 'attempt' | 'refusedBy'>): string {
  const gates = refusedBy.map((gate) => GATE_WORDS[gate]).join(', ')
  return `The change of attempt ${attempt} passes the item's tests and was refused by ${gates}. It is kept.`
}
