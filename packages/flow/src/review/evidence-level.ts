// Which level of evidence the checks of a delivery bear out, and in one sentence why. Pure.
import type { DeliveryEvidence, EvidenceLevel } from '@treadle/contracts/evidence-level'
import type { GateName, GateResult } from '@treadle/contracts/gate'
import { measuredWords } from '@treadle/contracts/words/measure'

type Green = Extract<GateResult, { evidence: object }>

export function judgeEvidence(checks: readonly GateResult[]): DeliveryEvidence {
  const tests = checks.filter(({ gate }) => gate === 'tests_pass' || gate === 'no_regression')
  const red = tests.find(({ is }) => is === 'failed' || is === 'not_run')
  if (red !== undefined)
    return level('unproven', 'why' in red ? `the tests did not run: ${red.why}` : 'tests fail')
  const witness = find(checks, 'witness')
  if (!tests.some(isGreen)) return level('unproven', noTests(tests, witness))
  const strength = strengthOf(find(checks, 'mutation'))
  if (witness !== null && isGreen(witness)) return unlessCut(checks, witnessed(witness, strength))
  const missing = witness !== null && 'why' in witness ? witness.why : 'no test was red before the change'
  if (strength.is === 'measured' && strength.ran)
    return level('supported', `the suite is green and its tests run the changed lines; ${missing}`)
  return level('unproven', `nothing shows that a test runs the changed lines; ${missing}`)
}

/** Where the clock ended the search for another patch, its finding none is no reason to believe this one. */
function unlessCut(checks: readonly GateResult[], found: DeliveryEvidence): DeliveryEvidence {
  const inputs = find(checks, 'other_inputs')
  const isCut = inputs !== null && isGreen(inputs) && inputs.evidence.searchCut === true
  if (!isCut || found.level !== 'proven') return found
  return level('supported', `${found.why}, but the search for another patch ended by the clock`)
}

const RED_GREEN = 'a test that was red without the change is green with it'

/** What was asked to improve and did not, or at the cost of something else, keeps a change from being proven. */
function witnessed({ evidence }: Green, strength: PlantedFaults): DeliveryEvidence {
  const { measure, tookBack } = evidence
  if (tookBack !== undefined) return proven(goneWords(tookBack.number), strength)
  if (measure !== undefined && measure.is !== 'improved')
    return level('supported', `${RED_GREEN}, but ${measuredWords(measure)}`)
  if (measure?.brought !== undefined) return level('supported', measuredWords(measure))
  return proven(measure === undefined ? RED_GREEN : measuredWords(measure), strength)
}

function goneWords(number: number): string {
  return `the tests from before #${number} hold, and a test that came with it is red without it`
}

function proven(shown: string, strength: PlantedFaults): DeliveryEvidence {
  if (strength.is === 'not_measured')
    return level('proven', `${shown}; strength not measured: ${strength.why}`)
  const noticed = `${strength.noticed} of ${strength.planted} planted faults are noticed`
  if (strength.untaken > 0)
    return level('supported', `${shown}, but ${branchWords(strength.untaken)}; ${noticed}`)
  return strength.enough
    ? level('proven', `${shown}; ${noticed}`)
    : level('supported', `${shown}, but only ${noticed}`)
}

function branchWords(untaken: number): string {
  return untaken === 1
    ? 'no test takes one branch of the changed lines'
    : `no test takes ${untaken} branches of the changed lines`
}

type PlantedFaults =
  | {
      readonly is: 'measured'
      readonly noticed: number
      readonly planted: number
      readonly enough: boolean
      /** Branches that no test takes. */
      readonly untaken: number
      /** Some fault changed what a test did, so the tests run these lines. */
      readonly ran: boolean
    }
  | { readonly is: 'not_measured'; readonly why: string }

function strengthOf(mutation: GateResult | null): PlantedFaults {
  if (mutation === null) return { is: 'not_measured', why: 'no faults were planted' }
  if (!isGreen(mutation))
    return { is: 'not_measured', why: 'why' in mutation ? mutation.why : 'it could not be measured' }
  const { strength } = mutation.evidence
  if (strength === undefined) return { is: 'not_measured', why: 'no faults were planted' }
  const { untaken = 0 } = strength
  return { is: 'measured', ...strength, untaken, enough: mutation.is === 'passed' }
}

/** Why nothing is shown where no test ran. A measure alone says nothing of what else the change did. */
function noTests([first]: readonly GateResult[], witness: GateResult | null): string {
  const why = first !== undefined && 'why' in first ? first.why : 'no test has run on it'
  const measure = witness !== null && 'evidence' in witness ? witness.evidence.measure : undefined
  return measure === undefined ? why : `${why}; ${measuredWords(measure)}`
}

function find(checks: readonly GateResult[], gate: GateName): GateResult | null {
  return checks.find((check) => check.gate === gate) ?? null
}

function isGreen(check: GateResult): check is Green & { is: 'passed' | 'passed_with_warnings' } {
  return check.is === 'passed' || check.is === 'passed_with_warnings'
}

function level(level: EvidenceLevel, why: string): DeliveryEvidence {
  return { level, why: why.slice(0, 2_000) }
}
