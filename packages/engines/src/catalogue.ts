// The engines by name.
import type { Engine } from '@treadle/flow/ports'
import { type CommandSettings, openCommand } from './command/engine.ts'
import { openRepair } from './repair/engine.ts'
import type { RepairSettings } from './repair/settings.ts'
import { openScripted, type ScriptedSettings } from './scripted/engine.ts'

/** The part `engines` of the configuration, with the scenario's path made absolute by the caller. */
export interface EngineSettings {
  readonly scripted: ScriptedSettings
  readonly repair?: RepairSettings
  readonly command: CommandSettings
}

const engines: Readonly<Record<string, (settings: EngineSettings) => Engine>> = {
  repair: (settings) => openRepair(settings.repair ?? {}),
  scripted: (settings) => openScripted(settings.scripted),
  command: (settings) => openCommand(settings.command),
}

export const engineNames: readonly string[] = Object.keys(engines)

export type EngineFound =
  | { readonly is: 'found'; readonly engine: Engine }
  | { readonly is: 'unknown'; readonly known: readonly string[] }

export function openEngine(name: string, settings: EngineSettings): EngineFound {
  const open = Object.hasOwn(engines, name) ? engines[name] : undefined
  return open === undefined ? { is: 'unknown', known: engineNames } : { is: 'found', engine: open(settings) }
}
