// Questions that the loop asks after a change, answered by running tests and nothing else.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { AffectedRequest, FlakyRequest, TestGateRequest } from '@treadle/flow/ports/gates'
import type { GateOptions } from '../tests.ts'
import { checkRegression } from './check.ts'
import { readCall } from './plain-call.ts'
import { refreshMap } from './refresh.ts'
import { rerunFailed } from './rerun.ts'

/** Nothing where only the whole suite could be run: the gate runs that anyway. */
export async function runAffected(
  options: GateOptions,
  request: AffectedRequest,
): Promise<readonly GateResult[]> {
  if (readCall(request.command, request.cwd).is === 'not_possible') return []
  const folder = mapsFolder(options)
  const checked = await checkRegression(options, { ...request, folder, partOnly: true })
  return checked.results
}

/** Only test files that have no entry, or one that is no longer true, are run. */
export async function mapTests(options: GateOptions, request: TestGateRequest): Promise<void> {
  const { command } = request
  if (options.trace !== true || command === null) return
  const folder = mapsFolder(options)
  mkdirSync(folder, { recursive: true })
  await refreshMap(options, { ...request, command, folder })
}

function mapsFolder({ evidenceDir }: GateOptions): string {
  return join(dirname(evidenceDir), 'maps')
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
