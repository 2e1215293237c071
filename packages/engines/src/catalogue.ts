// The engines by name.
import type { Engine } from '@treadle/flow/ports/engine'
import { openMend } from '@treadle/mend/engine'
import type { MendSettings } from '@treadle/mend/turn'
import { openRepair } from '@treadle/repair/engine'
import type { RepairSettings } from '@treadle/repair/settings'
import { openAcp } from './acp/engine.ts'
import type { AcpName, AcpSettings } from './acp/settings.ts'
import { openClaudeCode } from './claude-code/engine.ts'
import type { ClaudeCodeSettings } from './claude-code/settings.ts'
import { type CommandSettings, openCommand } from './command/engine.ts'
import { openNative } from './native/engine.ts'
import type { NativeSettings } from './native/model.ts'
import { openPrices } from './prices.ts'
import { openScripted, type ScriptedSettings } from './scripted/engine.ts'

/** The part `engines` of the configuration, with the scenario's path made absolute by the caller. */
export interface EngineSettings {
  readonly scripted: ScriptedSettings
  readonly repair: RepairSettings
  readonly command: CommandSettings
  /** Left out where no worktree is to be read. */
  readonly mend?: MendSettings
  /** Left out where no model is to be reached. */
  readonly native?: NativeSettings
  readonly 'claude-code'?: ClaudeCodeSettings
  /** Settings of each program that speaks ACP. */
  readonly acp?: (name: AcpName) => AcpSettings
  /** Services of this machine that an engine behind the proxy reaches besides it, and nothing else; left out: the network. */
  readonly proxyOnly?: readonly string[]
}

/** Settings only to be asked whether the engine is usable: it is not. */
const NO_MODEL: NativeSettings = {
  provider: 'anthropic',
  model: 'none',
  baseURL: null,
  key: null,
  keyVariable: 'ANTHROPIC_API_KEY',
  stepsPerTurn: 1,
  parallel: 1,
  sandbox: 'off',
  prices: openPrices({}),
}

const NO_CLAUDE_CODE: ClaudeCodeSettings = {
  command: 'claude',
  model: null,
  login: 'auto',
  retries: 0,
  sandbox: 'off',
  access: {},
  prices: openPrices({}),
  env: {},
}

const NO_PROGRAM: AcpSettings = {
  command: null,
  model: null,
  sandbox: 'off',
  access: {},
  prices: openPrices({}),
  env: {},
}

const acp = (name: AcpName) => (settings: EngineSettings) => openAcp(name, settings.acp?.(name) ?? NO_PROGRAM)

const engines: Readonly<Record<string, (settings: EngineSettings) => Engine>> = {
  repair: (settings) => openRepair(settings.repair),
  mend: (settings) => openMend(settings.mend ?? null),
  scripted: (settings) => openScripted(settings.scripted),
  command: (settings) => openCommand(settings.command),
  native: (settings) => openNative(settings.native ?? NO_MODEL),
  'claude-code': (settings) => openClaudeCode(settings['claude-code'] ?? NO_CLAUDE_CODE),
  codex: acp('codex'),
  gemini: acp('gemini'),
  opencode: acp('opencode'),
  acp: acp('acp'),
}

export const engineNames: readonly string[] = Object.keys(engines)

export type EngineFound =
  | { readonly is: 'found'; readonly engine: Engine }
  | { readonly is: 'unknown'; readonly known: readonly string[] }

export function openEngine(name: string, settings: EngineSettings): EngineFound {
  const open = Object.hasOwn(engines, name) ? engines[name] : undefined
  return open === undefined ? { is: 'unknown', known: engineNames } : { is: 'found', engine: open(settings) }
}
