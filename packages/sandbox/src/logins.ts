// The files in which package managers keep their settings with logins; an install may read those that the owner names.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { LOGINS } from '@treadle/contracts/config/sandbox'
import { kindOf, realPath } from './paths.ts'
import type { ChosenBind } from './wanted.ts'

export type Login = (typeof LOGINS)[number]
type Env = Readonly<Record<string, string | undefined>>

/** Relative to the home. What only publishes is not among them. */
const FILES: Readonly<Record<Login, readonly string[]>> = {
  npm: ['.npmrc'],
  yarn: ['.yarnrc.yml', '.yarnrc', '.npmrc'],
  bun: ['.bunfig.toml', '.npmrc'],
  pip: ['.config/pip/pip.conf', '.pip/pip.conf', '.config/uv/uv.toml'],
  poetry: ['.config/pypoetry/auth.toml', '.config/pypoetry/config.toml'],
  cargo: ['.cargo/credentials.toml', '.cargo/credentials'],
  bundler: ['.bundle/config'],
  maven: ['.m2/settings.xml', '.m2/settings-security.xml'],
  gradle: ['.gradle/gradle.properties'],
  composer: ['.config/composer/auth.json', '.composer/auth.json'],
  nuget: ['.nuget/NuGet/NuGet.Config'],
  netrc: ['.netrc'],
}

export interface ShownLogins {
  readonly binds: readonly ChosenBind[]
  readonly env: Readonly<Record<string, string>>
}

export const NO_LOGINS: ShownLogins = { binds: [], env: {} }

/** The files that are there, read-only, each at its own path. */
export function loginsOf(logins: readonly Login[], env: Env): ShownLogins {
  const home = env.HOME ?? homedir()
  const names = [...new Set(logins.flatMap((login) => FILES[login]))]
  const binds = names.flatMap((name) => {
    const at = join(home, name)
    const from = realPath(at)
    return from === null || kindOf(from) !== 'file' ? [] : [{ from, at, isWritable: false }]
  })
  const npm = binds.find(({ at }) => at === join(home, '.npmrc'))
  // The settings of npm with their logins, instead of the copy without.
  return { binds, env: npm === undefined ? {} : { npm_config_userconfig: npm.at } }
}
