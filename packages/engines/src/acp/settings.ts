// Programs that speak ACP: what is known of each, and what it gets.
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Effort } from '@treadle/contracts/item'
import { writeForeign } from '@treadle/sandbox/foreign-files'
import type { ChosenBind } from '@treadle/sandbox/wanted'
import type { SandboxSettings } from '../confined.ts'
import type { Access } from '../external/access.ts'
import { fix, ownFolder } from '../external/lend.ts'
import type { Prices } from '../prices.ts'
import { putAside } from './gemini-conversations.ts'

export interface AcpSettings extends SandboxSettings {
  /** Program and arguments; null: the usual one. */
  readonly command: readonly string[] | null
  /** Which it is to use, and what its calls are priced by where it does not say; null: as it likes. */
  readonly model: string | null
  /** How hard it thinks, where the program can be told; left out or null: as it does by itself. */
  readonly effort?: Effort | null
  readonly access: Access
  readonly prices: Prices
  readonly env: Readonly<Record<string, string>>
}

/** One start of a program, and what for. */
export interface AcpStart {
  readonly settings: AcpSettings
  /** A folder of this agent's own; null: there is none, and it uses that of the user. */
  readonly home: string | null
  readonly asks: boolean
}

export interface AcpProfile {
  readonly id: string
  readonly command: readonly string[]
  readonly install: string
  readonly provider: string | null
  readonly hasResume: boolean
  /** A conversation that is loaded is told again after the program has said that it is loaded. */
  readonly replaysLate?: boolean
  /** The input and the output of its tools are told. */
  readonly hasOutput: boolean
  /** A command that takes long is put aside, and an interruption does not end it. */
  readonly leavesCommands?: boolean
  /** The program says what it has cost. */
  readonly hasCost: boolean
  /** Whether the program says what it has used is not known. */
  readonly mayHideUsage?: boolean
  /** Called before a session is opened; null: none is. */
  readonly authMethod: string | null
  /** The mode that says what it may do by itself; null: it has no such modes, or its settings say it. */
  mode?(facts: { readonly asks: boolean; readonly isConfined: boolean }): string
  /** Writes its settings where it has a home, and says what its environment is. */
  prepare(start: AcpStart): Readonly<Record<string, string>>
  /** Its settings say how hard it thinks; left out: only what its session offers does. */
  hasEffortSetting?(start: AcpStart): boolean
  /** With this login nothing says how hard it thinks: its settings are the user's, and its session offers nothing. */
  lacksEffort?(access: Access): boolean
  /** Sees to it that the program finds a conversation again. */
  beforeResume?(start: AcpStart, conversation: string): void
  /** Folders that it writes to besides the worktree. */
  writable(start: AcpStart): readonly string[]
  /** Parts of the user's own folders that stay as they are, if it uses them. */
  lend?(start: AcpStart): readonly ChosenBind[]
}

const own = ({ settings: { env } }: AcpStart, ...names: string[]) =>
  names.map((name) => join(env.HOME ?? '/', name)).filter((path) => existsSync(path))

/** A home of its own only with a key: a login is in the folders of the user. */
function homeOf({ settings, home }: AcpStart, key: string): string | null {
  return home !== null && key in settings.access ? home : null
}

/** A setting in a folder of the agent's home, which the program writes to as well. */
function put(home: string, folder: string, file: { readonly name: string; readonly text: string }): void {
  writeForeign(home, join(ownFolder(home, folder), file.name), file.text, 0o600)
}

const codex: AcpProfile = {
  id: 'codex',
  command: ['codex-acp'],
  install: 'npm install -g @agentclientprotocol/codex-acp',
  provider: 'openai',
  hasResume: true,
  hasOutput: true,
  hasCost: false,
  leavesCommands: true,
  authMethod: null,
  mode({ asks, isConfined }) {
    if (asks) return 'read-only'
    // The program's own sandbox cannot be set up inside ours, and is what there is without.
    return isConfined ? 'agent-full-access' : 'workspace-write'
  },
  hasEffortSetting: (start) => homeOf(start, 'OPENAI_API_KEY') !== null,
  prepare(start) {
    const { access, model, effort = null } = start.settings
    const home = homeOf(start, 'OPENAI_API_KEY')
    if (home === null) return access
    const url = access.OPENAI_BASE_URL ?? 'https://api.openai.com/v1'
    const text = [
      ...(model === null ? [] : [`model = ${JSON.stringify(model)}`]),
      ...(effort === null ? [] : [`model_reasoning_effort = "${effort}"`]),
      'model_provider = "treadle"',
      'check_for_update_on_startup = false',
      // AGENTS.md is in the prompt, marked as the project's; to a reviewer it may be a part of the change.
      'project_doc_max_bytes = 0',
      '[analytics]',
      'enabled = false',
      '[model_providers.treadle]',
      'name = "treadle"',
      `base_url = ${JSON.stringify(url)}`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      'supports_websockets = false',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      '',
    ].join('\n')
    put(home, 'codex', { name: 'config.toml', text })
    return { ...access, CODEX_HOME: join(home, 'codex') }
  },
  writable: (start) => {
    const home = homeOf(start, 'OPENAI_API_KEY')
    return home === null ? own(start, '.codex') : [home]
  },
  lend: (start) => {
    if (homeOf(start, 'OPENAI_API_KEY') !== null) return []
    return own(start, '.codex').flatMap((folder) =>
      fix(folder, {
        folders: ['hooks', 'plugins', 'prompts', 'rules', 'skills'],
        files: {
          'config.toml': '',
          'AGENTS.md': '',
          'AGENTS.override.md': '',
          'hooks.json': '{}\n',
          '.env': '',
        },
        found: [],
      }),
    )
  },
}

/** Tokens of thought for the models before Gemini 3, which know no levels. */
const THOUGHTS: Readonly<Record<Effort, number>> = { low: 1_024, medium: 8_192, high: 24_576 }

/** The two settings that all models of Gemini CLI build upon, with another level of thought. */
function thinking(effort: Effort): object {
  const alias = (thinkingConfig: object) => ({
    extends: 'chat-base',
    modelConfig: { generateContentConfig: { thinkingConfig } },
  })
  return {
    'chat-base-3': alias({ thinkingLevel: effort.toUpperCase() }),
    'chat-base-2.5': alias({ thinkingBudget: THOUGHTS[effort] }),
  }
}

const gemini: AcpProfile = {
  id: 'gemini',
  command: ['gemini', '--acp'],
  install: 'npm install -g @google/gemini-cli',
  provider: 'google',
  hasResume: true,
  replaysLate: true,
  hasOutput: false,
  hasCost: false,
  authMethod: 'gemini-api-key',
  hasEffortSetting: (start) => homeOf(start, 'GEMINI_API_KEY') !== null,
  lacksEffort: (access) => !('GEMINI_API_KEY' in access),
  prepare(start) {
    const { access, model, effort = null } = start.settings
    const home = homeOf(start, 'GEMINI_API_KEY')
    if (home === null) return access
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ...(model === null ? {} : { model: { name: model } }),
      ...(effort === null ? {} : { modelConfigs: { customAliases: thinking(effort) } }),
    }
    // One floor below: the folder has the name of a login, which is hidden in every home.
    const own = join(home, 'gemini')
    put(own, '.gemini', { name: 'settings.json', text: JSON.stringify(settings) })
    return { ...access, GEMINI_CLI_HOME: own, ...(model === null ? {} : { GEMINI_MODEL: model }) }
  },
  beforeResume(start, conversation) {
    const home = homeOf(start, 'GEMINI_API_KEY')
    const folders = home === null ? own(start, '.gemini') : [join(home, 'gemini', '.gemini')]
    for (const folder of folders) putAside(folder, conversation)
  },
  writable: (start) => {
    const home = homeOf(start, 'GEMINI_API_KEY')
    return home === null ? own(start, '.gemini') : [home]
  },
  lend: (start) => {
    if (homeOf(start, 'GEMINI_API_KEY') !== null) return []
    return own(start, '.gemini').flatMap((folder) =>
      fix(folder, {
        folders: ['agents', 'commands', 'extensions', 'hooks', 'policies', 'skills'],
        files: { 'settings.json': '{}\n', 'GEMINI.md': '', 'trustedFolders.json': '{}\n' },
        // An empty one would be taken in the place of the user's own in his home.
        found: ['.env'],
      }),
    )
  },
}

/** The keys that it can have, and what it calls whoever they open the door of. */
const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'anthropic',
  OPENAI_API_KEY: 'openai',
  GEMINI_API_KEY: 'google',
}

const keysIn = (access: Access) => Object.keys(KEYS).filter((key) => key in access)

const opencode: AcpProfile = {
  id: 'opencode',
  command: ['opencode', 'acp'],
  install: 'npm install -g opencode-ai',
  provider: null,
  hasResume: true,
  hasOutput: true,
  hasCost: true,
  authMethod: null,
  prepare(start) {
    const { access, model } = start.settings
    const { home } = start
    const rule = start.asks ? 'ask' : 'allow'
    const settings = {
      autoupdate: false,
      share: 'disabled',
      permission: { edit: rule, bash: rule, webfetch: rule },
      ...ownProviders(access),
      ...(model === null ? {} : { model }),
      ...addressOf(access),
    }
    const config = { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings), OPENCODE_DISABLE_AUTOUPDATE: '1' }
    if (home === null || keysIn(access).length === 0) return { ...access, ...config }
    const folders = {
      XDG_CONFIG_HOME: 'config',
      XDG_DATA_HOME: 'data',
      XDG_STATE_HOME: 'state',
      XDG_CACHE_HOME: 'cache',
    }
    const own = Object.entries(folders).map(([name, folder]) => [name, join(home, 'opencode', folder)])
    for (const [, folder] of own) mkdirSync(folder ?? home, { recursive: true, mode: 0o700 })
    return { ...access, ...config, ...Object.fromEntries(own) }
  },
  writable: (start) =>
    start.home !== null && keysIn(start.settings.access).length > 0
      ? [start.home]
      : own(start, '.config/opencode', '.local/share/opencode', '.local/state/opencode'),
  lend: (start) => {
    if (start.home !== null && keysIn(start.settings.access).length > 0) return []
    const both = (name: string) => [name, `${name}s`]
    const folders = ['agent', 'command', 'mode', 'plugin', 'skill', 'tool'].flatMap(both)
    const empty = '{}\n'
    const files = { 'opencode.json': empty, 'opencode.jsonc': empty, 'config.json': empty, 'AGENTS.md': '' }
    const settings = own(start, '.config/opencode').flatMap((folder) =>
      fix(folder, { folders, files, found: ['config', 'node_modules', 'package.json'] }),
    )
    return [...settings, ...ownPrograms(start)]
  },
}

/**
 * Whom it may ask, where it has keys: left to itself it asks a free model of its makers before one of them, and the
 * project would go to somebody whom nobody has chosen.
 */
function ownProviders(access: Access): object {
  const keys = keysIn(access)
  return keys.length === 0 ? {} : { enabled_providers: keys.map((key) => KEYS[key]) }
}

/** Programs and packages that it fetches for itself; those of the user are run by his own sessions, outside. */
function ownPrograms(start: AcpStart): ChosenBind[] {
  const { home } = start
  const fetched = own(start, '.local/share/opencode').map((folder) => ownFolder(folder, 'bin'))
  return [...own(start, '.cache/opencode'), ...fetched].map((at) => {
    if (home === null) return { from: at, at, isWritable: false }
    return { from: ownFolder(home, 'opencode-own', basename(at)), at, isWritable: true }
  })
}

/** A server of the user's own in place of the provider's. */
function addressOf(access: Access): object {
  const options = (baseURL: string | undefined) => (baseURL === undefined ? {} : { options: { baseURL } })
  const { OPENAI_BASE_URL: openai, ANTHROPIC_BASE_URL: anthropic, GOOGLE_GEMINI_BASE_URL: google } = access
  if (openai === undefined && anthropic === undefined && google === undefined) return {}
  const all = { openai: options(openai), anthropic: options(anthropic), google: options(google) }
  return { provider: google === undefined ? { openai: all.openai, anthropic: all.anthropic } : all }
}

/** Any other, by the settings; with the user's own environment and folders. */
const other: AcpProfile = {
  id: 'acp',
  command: [],
  install: 'set engines.acp.command in treadle.json',
  provider: null,
  hasResume: true,
  hasOutput: true,
  hasCost: false,
  mayHideUsage: true,
  authMethod: null,
  prepare: ({ settings }) => settings.access,
  writable: ({ home }) => (home === null ? [] : [home]),
}

export const profiles = { codex, gemini, opencode, acp: other }
export type AcpName = keyof typeof profiles
