// Gates whose set-up takes packages that were installed before, where they are the same.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Gates, SetupResult, TestGateRequest } from '@treadle/flow/ports/gates'
import { KeptPackages, type TakingWay } from './packages/kept-packages.ts'
import { readManifest } from './packages/manifest.ts'
import { packageKey } from './packages/package-key.ts'
import { type PlainInstall, plainInstall, runsScripts, scriptsAfter } from './packages/plain-install.ts'

export interface Preparing {
  /** Where packages are kept. */
  readonly folder: string
  /** `keep`: it installs, and keeps what it brought for others; else how they are taken. */
  readonly packages: 'keep' | TakingWay
  readonly log: (message: string) => void
}

export function preparedGates(gates: Gates, preparing: Preparing): Gates {
  return { ...gates, runSetup: (request) => setUp(gates, preparing, request) }
}

async function setUp(gates: Gates, preparing: Preparing, request: TestGateRequest): Promise<SetupResult> {
  const { cwd, command } = request
  const plain = command === null ? null : plainInstall(command)
  const key =
    plain === null || !existsSync(cwd) || isBuiltByInstall(cwd) ? null : packageKey(cwd, plain.install)
  if (plain === null || key === null) return gates.runSetup(request)
  const kept = new KeptPackages(preparing.folder)
  if (preparing.packages === 'keep') {
    const result = await gates.runSetup(request)
    if (result.is === 'ok') await keep(kept, preparing, { cwd, key })
    return result
  }
  const startedAt = performance.now()
  const taken = await kept.take(cwd, key, preparing.packages)
  if (taken === null) return gates.runSetup(request)
  const ms = Math.round(performance.now() - startedAt)
  preparing.log(`packages: ${taken.files} files by ${taken.how} in ${ms} ms instead of ${plain.install}`)
  return goOn(gates, request, plain)
}

async function keep(
  kept: KeptPackages,
  { log }: Preparing,
  { cwd, key }: { cwd: string; key: string },
): Promise<void> {
  try {
    await kept.keep(cwd, key)
  } catch (error) {
    // Whoever comes next installs.
    log(`packages could not be kept: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What an install of the project itself would have run, and what the command does after it. */
async function goOn(gates: Gates, request: TestGateRequest, plain: PlainInstall): Promise<SetupResult> {
  const manifest = readManifest(request.cwd)
  const scripts = manifest === null ? null : scriptsAfter(manifest, plain)
  const rest = [scripts, plain.after].filter((part) => part !== null).join(' && ')
  return rest === '' ? { is: 'ok' } : gates.runSetup({ ...request, command: rest })
}

/** Whether an install makes something beside packages that nobody would make again. */
function isBuiltByInstall(cwd: string): boolean {
  if (existsSync(join(cwd, 'binding.gyp'))) return true
  const listed = execFileSync('git', ['ls-files', '-z', '--', '*/package.json'], { cwd, encoding: 'utf8' })
  return listed
    .split('\0')
    .filter((file) => file !== '' && !file.includes('node_modules/'))
    .some((file) => runsScripts(readManifest(join(cwd, dirname(file))) ?? {}))
}
