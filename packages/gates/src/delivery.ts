// The gates before a delivery commit, besides the tests: only those that are configured.
import assert from 'node:assert/strict'
import { type GateName, type GateResult, gatesGreen } from '@treadle/contracts/gate'
import { leftOutAt } from '@treadle/contracts/validation-level'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { checkCapabilities } from './capability/gate.ts'
import { runCoverage } from './coverage/coverage.ts'
import { checkIntegrity } from './integrity/integrity.ts'
import { linterCommands, runLinters } from './linter.ts'
import { checkNewPackages } from './new-packages.ts'
import { scanSecrets } from './secrets.ts'
import { checkTasksKept } from './tasks-kept.ts'
import type { GateOptions } from './tests.ts'

export async function runDeliveryGates(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult[]> {
  const scan = await scanSecrets(options, request)
  // A secret that was found must not come back in the output of the gates after it.
  const guarded = { ...options, secrets: [...(options.secrets ?? []), ...scan.values] }
  const commands = linterCommands(request.config, request)
  const { threshold } = request.config.coverage
  const red = request.skipIfRed !== undefined && !gatesGreen(request.skipIfRed)
  const unlessRed = (gate: GateName, run: () => Promise<GateResult>): Promise<GateResult> =>
    red ? Promise.resolve({ is: 'not_run', gate, why: 'an earlier gate is red' }) : run()

  const linter =
    commands.length === 0 ? [] : [await unlessRed('linter_pass', () => lint(guarded, request, commands))]
  const coverage =
    threshold === null
      ? []
      : [
          leftOut('coverage_pass', request) ??
            (await unlessRed('coverage_pass', () => runCoverage(guarded, request, threshold))),
        ]
  // Last, so that it sees what the commands before it may have rewritten.
  const integrity = await checkIntegrity(guarded, request)
  const capabilities = await checkCapabilities(guarded, request)
  const kept = await checkTasksKept(guarded, request)
  const brought = await checkNewPackages(guarded, request)
  const ofTask = [kept, brought].filter((result) => result !== null)
  return [...linter, ...coverage, scan.result, integrity, capabilities, ...ofTask]
}

function leftOut(gate: GateName, { level }: DeliveryGateRequest): GateResult | null {
  const why = leftOutAt(gate, level)
  return why === null ? null : { is: 'skipped', gate, why }
}

async function lint(
  options: GateOptions,
  request: DeliveryGateRequest,
  commands: readonly string[],
): Promise<GateResult> {
  const found = await runLinters(options, request, commands)
  assert(found !== null, 'there is a linter')
  return found
}
