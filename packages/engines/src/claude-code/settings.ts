// How Claude Code is started: its command line and its environment.
import { join } from 'node:path'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import type { ChosenBind } from '@treadle/sandbox/wanted'
import type { SandboxSettings } from '../confined.ts'
import type { Access } from '../external/access.ts'
import type { Prices } from '../prices.ts'
import { lendLogin } from './login.ts'

export interface ClaudeCodeSettings extends SandboxSettings {
  readonly command: string
  readonly model: string | null
  readonly login: 'auto' | 'key' | 'own'
  readonly retries: number
  /** The key and the address that this engine alone gets. */
  readonly access: Access
  readonly prices: Prices
  /** The allow-listed environment that the program is found and asked for its version with. */
  readonly env: Readonly<Record<string, string>>
}

export type Login = 'key' | 'own'

export function loginOf({ login, access }: Pick<ClaudeCodeSettings, 'login' | 'access'>): Login {
  if (login !== 'auto') return login
  return hasKey(access) ? 'key' : 'own'
}

export const hasKey = (access: Access) => 'ANTHROPIC_API_KEY' in access || 'ANTHROPIC_AUTH_TOKEN' in access

const wire = [
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--permission-prompt-tool',
  'stdio',
]
/** Tools that change something, or may; whoever reads has others to look with. */
const WRITERS = ['Edit', 'Write', 'NotebookEdit', 'Bash']

export interface Start {
  readonly program: string
  readonly settings: ClaudeCodeSettings
  readonly open: EngineOpen
  /** The conversation to go on with. */
  readonly resume: string | null
}

export function argvOf({ program, settings, open, resume }: Start): string[] {
  const option = (name: string, value: string | number | null | undefined) =>
    value === null || value === undefined ? [] : [name, String(value)]
  return [
    program,
    '-p',
    ...wire,
    '--verbose',
    '--include-partial-messages',
    // A repository's own settings and servers would run its commands without anybody having been asked.
    '--strict-mcp-config',
    '--setting-sources',
    loginOf(settings) === 'own' ? 'user' : '',
    ...option('--model', open.model ?? settings.model),
    ...option('--effort', open.effort),
    ...option('--append-system-prompt', open.system),
    ...option('--max-turns', open.maxTurns),
    ...option('--max-budget-usd', open.budgetUSD),
    ...option('--json-schema', open.schema === undefined ? null : JSON.stringify(open.schema)),
    ...option('--resume', resume),
    ...(open.readOnly === true ? ['--disallowedTools', ...WRITERS] : []),
  ]
}

export function envOf({
  settings,
  open,
}: Pick<Start, 'settings' | 'open'>): Readonly<Record<string, string>> {
  const isKey = loginOf(settings) === 'key'
  return {
    ...open.env,
    ...(isKey ? settings.access : addressOf(settings.access)),
    // The login of a person is in his own folder; with a key every agent has one, so that none writes into another's.
    ...(isKey && open.home !== undefined ? { CLAUDE_CONFIG_DIR: configFolder(open.home) } : {}),
    CLAUDE_CODE_MAX_RETRIES: String(settings.retries),
    // What is learnt is a lesson, which people see; and nothing is committed, so that nobody has to be told how.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  }
}

export const configFolder = (home: string) => join(home, 'claude')

/** Folders that it keeps its conversations in; a login is lent. */
export function writableOf({ settings, open }: Pick<Start, 'settings' | 'open'>): string[] {
  return loginOf(settings) === 'own' || open.home === undefined ? [] : [open.home]
}

export function lentOf({ settings, open }: Pick<Start, 'settings' | 'open'>): ChosenBind[] {
  const { HOME: from = '' } = open.env
  if (loginOf(settings) === 'key' || from === '' || open.home === undefined) return []
  return lendLogin({ from, to: open.home })
}

function addressOf({ ANTHROPIC_BASE_URL: url }: Access): Access {
  return url === undefined ? {} : { ANTHROPIC_BASE_URL: url }
}
