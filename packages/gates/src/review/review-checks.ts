// The checks of a review that the gates of a delivery do not have.

import type { GateName, GateResult } from '@treadle/contracts/gate'
import { leftOutAt } from '@treadle/contracts/validation-level'
import { messageOf } from '@treadle/flow/fault'
import type {
  CompareInputs,
  MeasureStrength,
  ReviewChecks,
  ReviewChecksRequest,
  SurveyCommit,
} from '@treadle/flow/ports/review-checks'
import type { GateOptions } from '../tests.ts'
import { checkAssertions } from './assertions.ts'
import { checkConditions } from './conditions.ts'
import { checkDocumentation } from './documentation.ts'
import { checkInputs } from './inputs.ts'
import { checkLoads } from './loads.ts'
import { checkMutation } from './mutation.ts'
import { checkSecurity } from './security.ts'
import { checkWitness } from './witness.ts'

/** What runs or reads foreign code in processes of its own. */
export interface ReviewPrograms {
  readonly measure: MeasureStrength
  readonly compare: CompareInputs
  readonly survey: SurveyCommit
}

export function openReviewChecks(options: GateOptions, programs: ReviewPrograms): ReviewChecks {
  return { run: (request) => runChecks(options, request, programs) }
}

/** An audit waits for a registry, so it goes beside the others; these start programs, and each is quicker alone. */
async function runChecks(
  options: GateOptions,
  request: ReviewChecksRequest,
  { measure, compare, survey }: ReviewPrograms,
): Promise<readonly GateResult[]> {
  const audit = guarded('security', request, () => checkSecurity(options, request))
  const documentation = await guarded('documentation', request, () => checkDocumentation(options, request))
  const witness = await guarded('witness', request, () => checkWitness(options, request, survey))
  const loads = await guarded('loads', request, () => checkLoads(options, request))
  const assertions = await guarded('assertions', request, () => checkAssertions(options, request))
  const inputs = await guarded('other_inputs', request, () => checkInputs(options, request, compare))
  const conditions = await guarded('other_conditions', request, () => checkConditions(options, request))
  const mutation = await guarded('mutation', request, () => checkMutation(options, request, measure))
  return [await audit, documentation, witness, loads, assertions, inputs, conditions, mutation]
}

/** A check that the world keeps from its work has not run; the others have. */
async function guarded(
  gate: GateName,
  { signal, level }: ReviewChecksRequest,
  check: () => Promise<GateResult>,
): Promise<GateResult> {
  const left = leftOutAt(gate, level)
  if (left !== null) return { is: 'skipped', gate, why: left }
  if (signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  try {
    return await check()
  } catch (error) {
    return { is: 'not_run', gate, why: `it could not be run: ${messageOf(error)}` }
  }
}
