import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Gates } from '@treadle/flow/ports/gates'
import { runCanary } from './canary/canary.ts'
import { runDeliveryGates } from './delivery.ts'
import { detectTestCommand } from './detect-commands.ts'
import { keepText } from './evidence.ts'
import { formatChanged } from './format.ts'
import { mapTests, runAffected, settleFlaky } from './regression/affected.ts'
import { confirmFixed } from './regression/rerun.ts'
import { runSetup } from './setup.ts'
import { type GateOptions, runBuild, runTests } from './tests.ts'
import { openHints } from './watched-hints.ts'

export function openGates(options: GateOptions): Gates {
  removeOldTemporaries(options.evidenceDir)
  return {
    canary: (request) => runCanary(options, request),
    detectTestCommand: async (cwd) => detectTestCommand(cwd),
    runSetup: (request) => runSetup(options, request),
    format: (request) => formatChanged(options, request),
    runBuild: (request) => runBuild(options, request),
    runTests: (request) => runTests(options, request),
    runAffected: (request) => runAffected(options, request),
    mapTests: (request) => mapTests(options, request),
    settleFlaky: (request) => settleFlaky(options, request),
    confirmFixed: (request) => confirmFixed(options, request),
    runDeliveryGates: (request) => runDeliveryGates(options, request),
    hints: openHints(options),
    keep: async (text) => keepText(options, text),
  }
}

const temporaryMsMax = 24 * 60 * 60_000

/** What a killed run left half written; nothing refers to it. */
function removeOldTemporaries(evidenceDir: string): void {
  let names: string[]
  try {
    names = readdirSync(evidenceDir)
  } catch {
    return
  }
  for (const name of names.filter((each) => each.startsWith('tmp-'))) {
    const path = join(evidenceDir, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > temporaryMsMax) rmSync(path, { recursive: true, force: true })
  }
}
