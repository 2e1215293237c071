// The folder of the user's own login, as an engine that is confined gets it: what it leaves there must not run later,
// outside, when the user works with his program himself.
import { existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeForeign } from '@treadle/sandbox/foreign-files'
import type { ChosenBind } from '@treadle/sandbox/wanted'
import { fix, ownFolder } from '../external/lend.ts'

/** Settings, words and code that every session of the user takes for his own; what is missing could be put there. */
const FOLDERS = ['agents', 'commands', 'hooks', 'output-styles', 'plugins', 'rules', 'skills']
const FILES: Readonly<Record<string, string>> = {
  'settings.json': '{}\n',
  'settings.local.json': '{}\n',
  'CLAUDE.md': '',
}
/** Conversations, and what a shell of a session reads; an agent has its own. */
const SESSIONS = ['projects', 'session-env', 'sessions', 'shell-snapshots', 'file-history', 'plans', 'todos']
/** Folders that the program keeps for itself and does not run. */
const DATA = ['backups', 'cache', 'debug', 'ide', 'logs', 'statsig', 'tasks', 'telemetry', ...SESSIONS]
const CODE = /^(settings|remote-settings|managed-settings).*\.json$|\.(sh|bash|zsh|[cm]?[jt]s|py|rb|pl|md)$/

export interface Lending {
  /** The home of the user. */
  readonly from: string
  /** The home of the agent. */
  readonly to: string
}

/** In this order: what comes later lies above what came before. */
export function lendLogin({ from, to }: Lending): ChosenBind[] {
  const folder = join(from, '.claude')
  return [...(existsSync(folder) ? lendFolder(realpathSync(folder), to) : []), ...lendState({ from, to })]
}

function lendFolder(folder: string, to: string): ChosenBind[] {
  const found = readdirSync(folder).filter((name) => {
    const entry = statSync(join(folder, name), { throwIfNoEntry: false })
    return entry !== undefined && isFixed(name, entry)
  })
  const own = SESSIONS.map((name) => ({ name, path: ownFolder(to, 'claude-sessions', name) }))
  return [
    { from: folder, at: folder, isWritable: true },
    ...fix(folder, { folders: FOLDERS, files: FILES, found }),
    ...own.map(({ name, path }) => ({ from: path, at: join(folder, name), isWritable: true })),
  ]
}

/** A file of the program's own that it writes again and again, and that names programs to be started. */
function lendState({ from, to }: Lending): ChosenBind[] {
  const state = join(from, '.claude.json')
  if (!existsSync(state)) return []
  const copy = join(ownFolder(to), 'claude.json')
  writeForeign(to, copy, readFileSync(state, 'utf8'), 0o600)
  return [{ from: copy, at: realpathSync(state), isWritable: true }]
}

function isFixed(name: string, found: Stats): boolean {
  if (found.isDirectory()) return !DATA.includes(name)
  return CODE.test(name) || (found.mode & 0o111) !== 0
}
