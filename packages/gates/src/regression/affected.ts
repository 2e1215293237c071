// The two questions that the loop asks after a change, answered by running tests and nothing else.
import { dirname, join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { AffectedRequest, FlakyRequest } from '@treadle/flow/ports/gates'
import type { GateOptions } from '../tests.ts'
import { checkRegression } from './check.ts'
import { readCall } from './plain-call.ts'
import { rerunFailed } from './rerun.ts'

/** Nothing where only the whole suite could be run: the gate runs that anyway. */
export async function runAffected(
  options: GateOptions,
  request: AffectedRequest,
): Promise<readonly GateResult[]> {
  if (readCall(request.command, request.cwd).is === 'not_possible') return []
  const folder = join(dirname(options.evidenceDir), 'maps')
  const checked = await checkRegression(options, { ...request, folder, partOnly: true })
  return checked.results
}

/** Only a test that passed before the change can be excused, so without one nothing is run again. */
export async function settleFlaky(options: GateOptions, request: FlakyRequest): Promise<GateResult> {
  const { result, before } = request
  if (result.is !== 'failed' || !result.failures.some((each) => before(each) === 'passed')) return result
  const known = new Map(result.failures.map((failure) => [failure.id, before(failure)]))
  const rerun = await rerunFailed(options, {
    ...request,
    base: (id) => {
      const seen = known.get(id) ?? null
      return seen === null ? [] : [seen]
    },
  })
  return rerun.result
}
