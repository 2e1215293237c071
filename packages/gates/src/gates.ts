import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Gates, TestGateRequest } from '@treadle/flow/ports/gates'
import { runCanary } from './canary/canary.ts'
import { runDeliveryGates } from './delivery.ts'
import { detectTestCommand } from './detect-commands.ts'
import { keepText } from './evidence.ts'
import { mapTests, runAffected, settleFlaky } from './regression/affected.ts'
import { confirmFixed } from './regression/rerun.ts'
import { type GateOptions, runGateCommand, runTests } from './tests.ts'
import { openHints } from './watched-hints.ts'

export function openGates(options: GateOptions): Gates {
  removeOldTemporaries(options.evidenceDir)
  return {
    canary: (request) => runCanary(options, request),
    detectTestCommand: async (cwd) => detectTestCommand(cwd),
    runSetup: (request) => runSetup(options, request),
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

async function runSetup(
  options: GateOptions,
  request: TestGateRequest,
): Promise<{ is: 'ok' } | { is: 'failed'; why: string }> {
  const { command, cwd, timeoutMs, signal } = request
  if (command === null || command.trim() === '') return { is: 'ok' }
  // An install fetches packages.
  const ended = await runGateCommand(options, { command, cwd, timeoutMs, signal, network: true })
  if (ended.exitCode === 0 && !ended.timedOut && !ended.aborted) return { is: 'ok' }
  const how = ((): string => {
    if (ended.aborted) return 'was interrupted'
    if (ended.timedOut) return `did not end within ${timeoutMs} ms and was stopped`
    return ended.exitCode === null
      ? `was ended by ${ended.signal}`
      : `failed with exit code ${ended.exitCode}`
  })()
  return { is: 'failed', why: `\`${command}\` ${how}\n${ended.tail}`.trim() }
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
