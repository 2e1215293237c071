// A failed assertion. Its text is made only where somebody will read it: that text costs more than the test.
import { inspect } from 'node:util'

export const wording = { wanted: false }

/** Assertions that held since the process began: how far a test came before it failed. */
export const held = { count: 0 }

export class Mismatch extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly generatedMessage = true
  readonly operator: string
  readonly actual: unknown
  readonly expected: unknown

  constructor(operator: string, actual: unknown, expected: unknown, message?: unknown) {
    super(typeof message === 'string' ? message : '')
    this.name = 'AssertionError'
    this.operator = operator
    this.actual = actual
    this.expected = expected
    if (wording.wanted && this.message === '') {
      this.message = `${operator}: expected ${show(actual)} to match ${show(expected)}`
    }
  }
}

/** The test asks for something that the fast path cannot judge. */
export class Unsupported extends Error {
  constructor(what: string) {
    super(`${what} is not known to the fast path`)
    this.name = 'Unsupported'
  }
}

export function show(value: unknown): string {
  return inspect(value, { depth: 4, breakLength: 100, maxArrayLength: 30, maxStringLength: 500 })
}

/** Throws the error the test gave instead of a message, as assert does. */
export function fail(operator: string, actual: unknown, expected: unknown, message?: unknown): never {
  if (message instanceof Error) throw message
  throw new Mismatch(operator, actual, expected, message)
}
