// Which findings of the automated checks decide a review, and which are only told.
import { type GateResult, gatesGreen, isBlocking } from '@treadle/contracts/gate'
import { GATE_WORDS } from '@treadle/contracts/words/gates'

export type ChecksChoice =
  /** Nothing stands in the way. */
  | { readonly is: 'clear'; readonly warnings: readonly string[] }
  /** Sent back at once; no reader is asked. */
  | { readonly is: 'reject'; readonly failed: readonly Failed[]; readonly warnings: readonly string[] }
  /** A check that counts could not be run, which whoever builds cannot mend: a person has to look. */
  | { readonly is: 'unclear'; readonly because: readonly string[]; readonly warnings: readonly string[] }

type Failed = Extract<GateResult, { is: 'failed' }>

/** A failed check is sent back even where another could not be run. */
export function decideChecks(checks: readonly GateResult[]): ChecksChoice {
  const blocking = checks.filter(stands)
  const failed = blocking.filter((check): check is Failed => check.is === 'failed')
  const warnings = checks.flatMap(warningsOf)
  if (failed.length > 0) return { is: 'reject', failed, warnings }
  if (blocking.length > 0) return { is: 'unclear', because: blocking.flatMap(reasonOf), warnings }
  const ran = gatesGreen(checks.filter((check) => !isBlocking(check)))
  return ran ? { is: 'clear', warnings } : { is: 'unclear', because: ['no check has run'], warnings }
}

/** A linter that is not there in the clean checkout has held the change once already, when it was delivered. */
function stands(check: GateResult): boolean {
  return isBlocking(check) && !(check.gate === 'linter_pass' && check.is === 'not_run')
}

function warningsOf(check: GateResult): string[] {
  if (stands(check)) return []
  const name = GATE_WORDS[check.gate]
  switch (check.is) {
    case 'passed':
      return []
    case 'passed_with_warnings':
      return check.warnings.map((warning) => `${name}: ${warning}`)
    case 'failed':
      return check.failures.map(({ id, message }) => `${name}: ${id}: ${message.split('\n', 1)[0]}`)
    case 'skipped':
    case 'not_run':
      return reasonOf(check)
  }
}

function reasonOf(check: GateResult): string[] {
  if (!('why' in check)) return []
  const how = check.is === 'skipped' ? 'was skipped' : 'was not run'
  return [`${GATE_WORDS[check.gate]} ${how}: ${check.why}`]
}
