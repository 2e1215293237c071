// The words of the repair engine: what it found, how sure it is, and what it looked at.

export type Confidence = 'high' | 'low'

export interface Patch {
  /** A unified diff that `git apply` takes; paths are relative to the project. */
  readonly diff: string
  readonly confidence: Confidence
  /** A sentence for a reviewer. */
  readonly why: string
  /** The family of the edit, or of both joined by a plus. */
  readonly kind: string
  /** The tests that it turns green. */
  readonly tests: readonly string[]
  /** How many tests run the edited lines. */
  readonly exercisedBy: number
  readonly types: 'clean' | 'unclean' | 'unchecked' | 'none'
  /** Uses a value that stands only in the tests. */
  readonly special: boolean
  /** How many other green patches do the same on every input that was tried. */
  readonly alike: number
  /** False: the project's own test command was not asked about it, because the search was ended before. */
  readonly isConfirmed: boolean
}

/** What only a person can say: patches that are all green answer differently to this input. */
export interface RivalQuestion {
  readonly text: string
  /** The call, as it would stand in a test. */
  readonly input: string
  /** The test file that the answer goes to. */
  readonly file: string
  readonly options: readonly RivalOption[]
}

interface RivalOption {
  /** The value as it is written in a source, or `throws` and the error. */
  readonly answer: string
  /** The place of the patch that gives it. */
  readonly patch: number
  /** The test that says so, in the words of the file. */
  readonly test: string
  /** The same as a diff. */
  readonly diff: string
}

interface Suspicious {
  readonly file: string
  readonly line: number
  readonly score: number
}

interface Mended {
  readonly diff: string
  readonly kind: string
  readonly fixed: readonly string[]
}

type RepairOutcome = 'plausible' | 'none' | 'refused'

export interface RepairResult {
  /** Never `correct`: green tests are all that is known. */
  readonly outcome: RepairOutcome
  readonly reason: string
  readonly patches: readonly Patch[]
  readonly candidates: number
  readonly seconds: number
  readonly firstGreen: { readonly candidates: number; readonly seconds: number } | null
  readonly suspicious: readonly Suspicious[]
  /** How many candidates of each family were tried. */
  readonly tried: Readonly<Record<string, number>>
  readonly partial: readonly Mended[]
  readonly path: 'fast' | 'slow' | 'none'
  /** Of the processor, for candidates; null: nobody counted. */
  readonly cpuSeconds: number | null
  /** Whether the failures that are searched for are those that the test command shows; null: nobody told which. */
  readonly sameFailures: boolean | null
  /** Failures of the fast path alone, which are not searched for. */
  readonly leftOut: number
  /** Asked where patches of different behaviour are about as likely. */
  readonly question: RivalQuestion | null
  /** What ended the search before all was tried: its budget, the clock, or whoever asked; null: nothing did. */
  readonly endedBy: EndedBy | null
}

export type EndedBy = 'budget' | 'clock' | 'signal'

/** The search in figures, for whoever asks how good it was. */
export function searchFigures({ sameFailures, leftOut, candidates, cpuSeconds, path }: RepairResult) {
  const candidatesPerCpuSecond =
    cpuSeconds === null || cpuSeconds === 0 ? null : Math.round(candidates / cpuSeconds)
  return { sameFailures, leftOut, candidates, candidatesPerCpuSecond, path }
}

export interface RepairProgress {
  readonly stage: 'baseline' | 'search' | 'combine' | 'types' | 'compare' | 'validate'
  readonly candidates: number
  readonly total: number
  readonly perSecond: number
  readonly green: number
  readonly best: string | null
  readonly secondsLeft: number
}

export function refused(reason: string, seconds = 0): RepairResult {
  return {
    outcome: 'refused',
    reason,
    patches: [],
    candidates: 0,
    seconds,
    firstGreen: null,
    suspicious: [],
    tried: {},
    partial: [],
    path: 'none',
    cpuSeconds: null,
    sameFailures: null,
    leftOut: 0,
    question: null,
    endedBy: null,
  }
}
