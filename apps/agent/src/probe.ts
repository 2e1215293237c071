// Which engines can be used in a workspace, and why not: node probe.ts --workspace DIR prints it as JSON.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { readConfig } from '@treadle/contracts/config/read'
import { engineSandbox } from '@treadle/contracts/config/sandbox'
import type { EngineProbes } from '@treadle/contracts/engine-probe'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { engineNames } from '@treadle/engines/catalogue'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Probed } from '@treadle/flow/ports/engine'
import { sandboxNote } from '@treadle/sandbox/note'
import { complain } from './end.ts'
import { engineOf } from './engines.ts'
import { visibleIn } from './visible.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { workspace: { type: 'string' } } })
  if (values.workspace === undefined) throw new Fault('usage', 'probe: --workspace DIR')
  const paths = workspacePaths(values.workspace)
  const text = existsSync(paths.config) ? readFileSync(paths.config, 'utf8') : null
  const { config } = readConfig({ own: text, vscode: null })
  const names = ENGINE_NAMES.filter((name) => engineNames.includes(name))
  const engines = await Promise.all(
    names.map(async (name) => ({ name, ...(await probe(paths, config, name)) })),
  )
  const { mode, reach } = engineSandbox(config)
  const sandbox = await sandboxNote(mode)
  const visible = await visibleIn({ config, paths, engines: names })
  const found: EngineProbes = { default: config.engines.default, engines, sandbox, visible, reach }
  process.stdout.write(`${JSON.stringify(found)}\n`)
}

/** One that cannot even be asked is not usable, and is no reason not to ask the others. */
async function probe(
  paths: WorkspacePaths,
  config: ReturnType<typeof readConfig>['config'],
  name: string,
): Promise<Probed> {
  try {
    return await engineOf({ config, paths, id: 'doctor', memory: null }, name).probe()
  } catch (error) {
    return { is: 'unusable', why: messageOf(error), hint: 'see docs/engines.md' }
  }
}

main().then(() => process.exit(0), complain)
