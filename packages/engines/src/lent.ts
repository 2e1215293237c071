// Folders of the user's own that an engine gets because its login is in there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AcpName, profiles } from './acp/settings.ts'
import type { EngineSettings } from './catalogue.ts'
import { loginOf } from './claude-code/settings.ts'

/** Stands for the folder of an agent, which is none of the user's. */
const OWN_HOME = '(its own)'

/** What is lent to an engine for its login, as it would be started now; nothing where it has a key. */
export function lentTo(name: string, settings: EngineSettings): readonly string[] {
  const claude = settings['claude-code']
  if (name === 'claude-code' && claude !== undefined)
    return loginOf(claude) === 'key' ? [] : inHome(claude.env.HOME, ['.claude', '.claude.json'])
  if (!Object.hasOwn(profiles, name) || settings.acp === undefined) return []
  const acp = name as AcpName
  const start = { settings: settings.acp(acp), home: OWN_HOME, asks: false }
  return profiles[acp].writable(start).filter((path) => path !== OWN_HOME)
}

const inHome = (home: string | undefined, names: readonly string[]) =>
  names.map((name) => join(home ?? '/', name)).filter((path) => existsSync(path))
