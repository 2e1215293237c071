// Messages of the search to a process that runs candidates, and what it hears back.

export interface WireModule {
  readonly path: string
  readonly code: string
  readonly isModule: boolean
  readonly requests: Readonly<Record<string, number | string>>
  /** Requests that are loaded before it, of a test that needs some. */
  readonly setup?: readonly string[]
}

/** One replacement in the rendered text of a module. */
export interface WireEdit {
  readonly module: number
  readonly at: number
  readonly remove: number
  readonly text: string
}

export interface WireCandidate {
  readonly id: number
  /** Places of the failing tests that can notice; empty: any of them. */
  readonly tests: readonly number[]
  readonly edits: readonly WireEdit[]
  /** A fault to be noticed: what matters is which of the passing tests fails, and how. */
  readonly planted?: boolean
}

export interface Plan {
  /** Keys of the tests that must turn green, cheapest first. */
  readonly failing: readonly string[]
  /** How many assertions held in each of them before, and as a part of one how near the next one came. */
  readonly steps: readonly number[]
  /** Keys of the tests that must stay green. */
  readonly passing: readonly string[]
  /** Tests that may take another number of steps than the limits say, by key. */
  readonly fuel: Readonly<Record<string, number>>
  /** Test modules that reach a module, by module; the others cannot notice an edit in it. */
  readonly reach: Readonly<Record<number, readonly number[]>>
}

export interface Limits {
  /** Turns of loops and calls that one test may take. */
  readonly fuel: number
  /** Time of the processor that these may need; a turn may cost more than the one before. */
  readonly cpuMs: number
  readonly testMs: number
}

export type ToRunner =
  | {
      readonly is: 'load'
      readonly modules: readonly WireModule[]
      readonly tests: readonly number[]
      readonly limits: Limits
      /** Coverage needs the inspector, which the permission model refuses: only the untouched program gets it. */
      readonly coverage: boolean
      /** Whether the network and the inspector are taken away. */
      readonly guarded: boolean
      /** The network is left all the same, because nobody else is in it. */
      readonly hasNetwork: boolean
    }
  | { readonly is: 'baseline' }
  | { readonly is: 'plan'; readonly plan: Plan }
  | { readonly is: 'try'; readonly candidates: readonly WireCandidate[] }
  | { readonly is: 'call'; readonly calls: readonly WireCall[] }

/** A call of what a module exports. */
export interface WireCall {
  readonly module: number
  /** Of a method, its class, a point and its own name. */
  readonly name: string
  /** How many of the first arguments make the object whose method is called. */
  readonly made?: number | undefined
  /** Source texts, each written out in full. */
  readonly args: readonly string[]
}

export type CallResult =
  | { readonly is: 'value' | 'threw'; readonly text: string }
  | { readonly is: 'none'; readonly why: string }

/** The functions of a module that ran: start, end and count of each, then those of the blocks in it. */
export type Ranges = readonly (readonly number[])[]

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly expected: string | null
  readonly actual: string | null
}

/** The name of a test file that could not be loaded, among its tests. */
export const LOADING = '(loading the file)'

export interface TestResult {
  /** The test module and the names down to the test. */
  readonly key: string
  readonly module: number
  readonly name: string
  readonly is: 'passed' | 'failed' | 'left'
  readonly failure: Failure | null
  readonly fuel: number
  readonly ms: number
  /** Assertions that held, and as a part of one how near the next one came. */
  readonly steps: number
  /** By module; empty without coverage. */
  readonly hits: Readonly<Record<number, Ranges>>
}

export type Verdict =
  | { readonly is: 'invalid' }
  | Noticed
  | {
      readonly is: 'ran'
      readonly fixed: readonly number[]
      /** How many failing tests came further than before without passing; a value that came nearer is a part of one. */
      readonly advanced: number
      readonly broken: number
      readonly green: boolean
    }

/** The verdict of the passing tests on a planted fault. */
export interface Noticed {
  readonly is: 'noticed'
  readonly how: 'assertion' | 'error' | 'time' | 'not_at_all'
  /** The name of the test. */
  readonly by: string | null
}

export type FromRunner =
  | { readonly is: 'ready' }
  | { readonly is: 'baseline'; readonly tests: readonly TestResult[] }
  /** With the processor's time since the last one. */
  | { readonly is: 'tried'; readonly id: number; readonly verdict: Verdict; readonly cpuMs: number }
  /** Of the calls, in order. */
  | { readonly is: 'called'; readonly result: CallResult }
