// What failed in a run, cause by cause, and what was done about it: read from its history.
import type { GroupNote, PhaseRecord } from '@treadle/contracts/run'
import { compileFit, readPath } from '@treadle/memory/fit'
import { trigramSimilarity, trigramsOf } from '@treadle/memory/terms'
import { type ErrorType, errorTypeOf } from './gotcha.ts'

export interface RunFailure {
  readonly group: GroupNote
  /** The first attempt after which it was there. */
  readonly attempt: number
  /** After how many attempts it was there. */
  readonly times: number
  readonly errorType: ErrorType
  /** What the attempt that it came after had changed. */
  readonly files: readonly string[]
  /** The attempt after which it was gone; null: it never went. */
  readonly mendedBy: PhaseRecord | null
}

/** In the order in which they came up. */
export function failuresOf(history: readonly PhaseRecord[]): RunFailure[] {
  const found = new Map<string, RunFailure>()
  let last: PhaseRecord | null = null
  for (const record of history) {
    if (record.phase === 'build' || record.phase === 'improve') last = record
    if (record.phase !== 'test') continue
    // What was not tested to the end has not been seen to pass.
    if (record.outcome === 'passed' || record.groups.length > 0) mend(found, record, last)
    for (const group of record.groups) add(found, group, last ?? record)
  }
  return [...found.values()]
}

function add(found: Map<string, RunFailure>, group: GroupNote, { iteration, changes }: PhaseRecord): void {
  const known = found.get(group.signature)
  found.set(group.signature, {
    group: known?.group ?? group,
    attempt: known?.attempt ?? iteration + 1,
    times: (known?.times ?? 0) + 1,
    errorType: errorTypeOf(`${group.cause}\n${group.signature}`),
    files: known?.files ?? changes,
    mendedBy: null,
  })
}

function mend(found: Map<string, RunFailure>, test: PhaseRecord, by: PhaseRecord | null): void {
  for (const [signature, failure] of found)
    if (failure.mendedBy === null && !isThere(test, failure.group))
      found.set(signature, { ...failure, mendedBy: by })
}

function isThere(test: PhaseRecord, { signature, tests }: GroupNote): boolean {
  return test.groups.some(
    (group) => group.signature === signature || group.tests.some((name) => tests.includes(name)),
  )
}

/** The same, but for a name or a number. */
const ALIKE = 0.8

function isAlike(one: string, other: string): boolean {
  return one === other || trigramSimilarity(trigramsOf(one), trigramsOf(other)) >= ALIKE
}

/** Whether the failure was there after this attempt, or after a later one. */
export function happenedIn(history: readonly PhaseRecord[], signature: string, fromAttempt: number): boolean {
  return history.some(
    ({ phase, iteration, groups }) =>
      phase === 'test' &&
      iteration + 1 >= fromAttempt &&
      groups.some((group) => isAlike(group.signature, signature)),
  )
}

/** Whether any of the changes is to a file that the glob speaks of. */
export function isAbout(glob: string | null, history: readonly PhaseRecord[]): boolean {
  if (glob === null) return true
  const fits = compileFit(glob)
  return history.some(({ changes }) => changes.some((path) => fits(readPath(path)) !== null))
}
