// Why an attempt ended without a change that holds: the check that refused the last one comes before what the engine said.
import { type GateResult, isBlocking } from '@treadle/contracts/gate'
import { GATE_WORDS } from '@treadle/contracts/words/gates'

const SAID_MAX = 400

/** An engine that finds nothing more to do speaks of its own turn; what the item lacks is what the gate saw. */
export function refusedBy(evidence: readonly GateResult[], attempt: number, said: string): string {
  const red = evidence.filter(isBlocking)
  const [first] = red
  if (attempt < 2 || first === undefined) return said
  const names = red.map(({ gate }) => GATE_WORDS[gate]).join(', ')
  const [failure] = 'failures' in first ? first.failures : []
  const what = failure === undefined ? '' : `: ${failure.id}: ${failure.message.split('\n', 1)[0] ?? ''}`
  return `Attempt ${attempt - 1} was refused by ${names}${what.slice(0, SAID_MAX)}. Its change is kept. Then the engine gave up: ${said}`
}
