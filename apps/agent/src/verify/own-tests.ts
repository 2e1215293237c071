// The tree's own test command, which no receipt can name otherwise, and what it says. Pure.
import type { ReceiptGate } from '@treadle/contracts/receipt'
import { type Check, outcomeOf } from './compare.ts'

export interface OwnTests {
  /** Of treadle.json in the tree, else as its files tell; null: neither says how the tests are run. */
  readonly command: string | null
  /** What came of it. */
  readonly found: ReceiptGate | undefined
  readonly isStated: boolean
  /** What came of the commands that the receipt names. */
  readonly others: readonly ReceiptGate[]
}

/** A run in which no test was counted proves nothing, however it ends. */
export function checkOwnTests({ command, found, isStated, others }: OwnTests): Check {
  const what = 'own tests'
  if (command === null)
    return others.some((gate) => countOf(gate) > 0)
      ? { what, is: 'note', words: 'the tree does not say how its tests are run; the receipt alone does' }
      : { what, is: 'missing', words: 'the tree does not say how its tests are run, and none were counted' }
  if (found === undefined) return { what, is: 'missing', words: `${command}: it was not run` }
  const outcome = outcomeOf(found)
  if (countOf(found) === 0 && (isStated || found.exitCode === 0 || found.exitCode === null))
    return { what, is: 'missing', words: `${command}: ${outcome}; no tests were counted` }
  // Whether it ends as stated is the check of the receipt.
  if (isStated) return { what, is: 'same', words: `${command}, which the receipt names too` }
  return found.exitCode === 0
    ? { what, is: 'same', words: `${command}: ${outcome}` }
    : { what, is: 'differs', words: `${command}: ${outcome}; the receipt does not name it` }
}

function countOf({ tests }: ReceiptGate): number {
  return tests === null ? 0 : tests.passed + tests.failed
}

/** The command as a check to run; nothing is stated of it. */
export function ownGate(command: string): ReceiptGate {
  const nothing = { exitCode: null, tests: null, evidence: null }
  return { gate: 'tests_pass', is: 'not_run', command, ...nothing, notes: ['not stated'] }
}
