// What an install needs of the home that the sandbox hides: a cache of the workspace's own, and the settings of npm
// without their logins.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeForeign } from './foreign-files.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface PackageCache {
  /** Kept between installs; never the user's own, which code of the project could fill with what it likes. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

const LOGIN = /_auth|_authToken|_password|username|email|certfile|keyfile|:_|\bkey\s*=/i

function folderOf(owner: string, env: Env): string {
  const name = createHash('sha256').update(owner).digest('hex').slice(0, 16)
  const caches = env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache')
  return join(caches, 'treadle', 'packages', name)
}

/** Folders of the cache that a tree with Plug'n'Play runs its packages from. */
export function playedFrom(tree: string, owner: string, env: Env): string[] {
  const isPlayed = ['.pnp.cjs', '.pnp.js'].some((name) => existsSync(join(tree, name)))
  return isPlayed ? ['yarn', 'yarn-global'].map((part) => join(folderOf(owner, env), part)) : []
}

/** The cache of one workspace, made if it is not there. */
export function openPackageCache(owner: string, env: Env): PackageCache {
  const home = env.HOME ?? homedir()
  const folder = folderOf(owner, env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const settings = join(folder, 'npmrc')
  // What an install runs writes to this folder, too, and may have left a link there.
  writeForeign(folder, settings, settingsWithoutLogins(env.npm_config_userconfig ?? join(home, '.npmrc')))
  const at = (part: string) => join(folder, part)
  return {
    folder,
    env: {
      npm_config_userconfig: settings,
      npm_config_cache: at('npm'),
      npm_config_store_dir: at('pnpm'),
      // Since version 11 pnpm reads none of npm's variables for its own settings.
      pnpm_config_store_dir: at('pnpm'),
      pnpm_config_cache_dir: at('pnpm-cache'),
      YARN_CACHE_FOLDER: at('yarn'),
      YARN_GLOBAL_FOLDER: at('yarn-global'),
      BUN_INSTALL_CACHE_DIR: at('bun'),
      PIP_CACHE_DIR: at('pip'),
      UV_CACHE_DIR: at('uv'),
      POETRY_CACHE_DIR: at('poetry'),
      GOMODCACHE: at('go-mod'),
      COMPOSER_CACHE_DIR: at('composer'),
    },
  }
}

/** Registry, certificates and proxies stay; whatever names a login goes. */
export function settingsWithoutLogins(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return ''
  }
  return text
    .split('\n')
    .filter((line) => !LOGIN.test(line) && !/\/\/[^/\s]*@/.test(line))
    .join('\n')
}
