// How sure one may be of a lesson after a run that was shown it, and of one that the run discovered.
import type { Lesson } from '@treadle/contracts/lesson'

/** What a fix that made a failure pass is trusted with, seen once. */
export const DISCOVERED = 0.7
const PREVENTED = 0.95
const DOUBTED_BY = 0.15
const LOWEST = 0.1
/** Several causes were mended at once, so that nobody can say what helped which. */
const MIXED = 0.6
/** What fails at times proves nothing by passing. */
const FLAKY = 0.4

export interface UseFacts {
  readonly lesson: Pick<Lesson, 'type' | 'action' | 'signature' | 'confidence'>
  readonly given: 'shown' | 'withheld' | 'left_out'
  /** The run was about such files, and it or runs like it have met the failure. */
  readonly expected: boolean
  /** The failure that it names came about after it was shown. */
  readonly happened: boolean
  /** The run passed with the attempt that was shown it. */
  readonly passed: boolean
}

export interface ConfidenceChange {
  readonly confidence: number
  readonly why: string
}

/** Null: the run says nothing about it. */
export function confidenceAfterUse({
  lesson,
  given,
  expected,
  happened,
  passed,
}: UseFacts): ConfidenceChange | null {
  if (given !== 'shown' || !namesFailure(lesson)) return null
  if (happened) {
    const confidence = Math.max(Math.min(LOWEST, lesson.confidence), round(lesson.confidence - DOUBTED_BY))
    const why = 'it was shown, and the failure that it names came all the same'
    return confidence < lesson.confidence ? { confidence, why } : null
  }
  if (!expected || !passed || lesson.confidence >= PREVENTED) return null
  return { confidence: PREVENTED, why: 'it was shown, and the failure that it names did not come' }
}

/** The repair engine keeps count of its own edits, hits and misses; its signatures are not those of a run. */
function namesFailure({ type, action, signature }: UseFacts['lesson']): boolean {
  return (type === 'gotcha' || type === 'resolution') && signature !== null && action !== 'repair'
}

export interface DiscoveryFacts {
  readonly confidence: number
  /** Causes that the same attempt mended. */
  readonly mendedTogether: number
  readonly flaky: boolean
}

export type Validated =
  | { readonly is: 'confirmed'; readonly why: string }
  | { readonly is: 'adjusted'; readonly confidence: number; readonly why: string }

/** A discovery is looked at once the run is over and all that it did is known. */
export function validateDiscovery({ confidence, mendedTogether, flaky }: DiscoveryFacts): Validated {
  if (flaky && confidence > FLAKY)
    return { is: 'adjusted', confidence: FLAKY, why: 'the test passes at times without it' }
  if (mendedTogether > 1 && confidence > MIXED)
    return {
      is: 'adjusted',
      confidence: MIXED,
      why: `one turn mended ${mendedTogether} causes, so it is not certain what helped which`,
    }
  return { is: 'confirmed', why: 'what it names failed before and passed after' }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
