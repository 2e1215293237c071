// The gates before a delivery commit, besides the tests: only those that are configured.
import { type GateName, type GateResult, gatesGreen } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { checkCapabilities } from './capability/gate.ts'
import { runCoverage } from './coverage/coverage.ts'
import { checkIntegrity } from './integrity/integrity.ts'
import { linterCommand, runLinter } from './linter.ts'
import { scanSecrets } from './secrets.ts'
import type { GateOptions } from './tests.ts'

export async function runDeliveryGates(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult[]> {
  const scan = await scanSecrets(options, request)
  // A secret that was found must not come back in the output of the gates after it.
  const guarded = { ...options, secrets: [...(options.secrets ?? []), ...scan.values] }
  const command = linterCommand(request.config, request.cwd)
  const { threshold } = request.config.coverage
  const red = request.skipIfRed !== undefined && !gatesGreen(request.skipIfRed)
  const unlessRed = (gate: GateName, run: () => Promise<GateResult>): Promise<GateResult> =>
    red ? Promise.resolve({ is: 'not_run', gate, why: 'an earlier gate is red' }) : run()

  const linter =
    command === null ? [] : [await unlessRed('linter_pass', () => runLinter(guarded, request, command))]
  const coverage =
    threshold === null
      ? []
      : [await unlessRed('coverage_pass', () => runCoverage(guarded, request, threshold))]
  // Last, so that it sees what the commands before it may have rewritten.
  const integrity = await checkIntegrity(guarded, request)
  const capabilities = await checkCapabilities(guarded, request)
  return [...linter, ...coverage, scan.result, integrity, capabilities]
}
