// Endless recursion and endless loops end in an error too, but never in the one that a test waits for.
import { Unsupported } from './mismatch.ts'
import { OutOfFuel } from './tank.ts'

const OVERFLOW = 'Maximum call stack size exceeded'

export function isExhausted(thrown: unknown): boolean {
  return thrown instanceof OutOfFuel || (thrown instanceof RangeError && thrown.message === OVERFLOW)
}

/** A check holds for what was thrown: where that is a run without an end, it does not count as passed. */
export function refuseExhausted(thrown: unknown): void {
  if (thrown instanceof OutOfFuel) throw thrown
  // A test may really be about deep recursion; what stack it has is for the project's own command to judge.
  if (isExhausted(thrown)) throw new Unsupported('a stack overflow as the error a test waits for')
}
