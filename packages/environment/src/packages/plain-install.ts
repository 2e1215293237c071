// Set-up commands that begin with an install of nothing but what manifest and lock file say. What they bring can be
// taken from an earlier one; what the project's own scripts do after an install is done again.
import type { Manifest } from './manifest.ts'

export interface PlainInstall {
  /** The part that installs. */
  readonly install: string
  /** What the command does besides; null: nothing. */
  readonly after: string | null
  /** What runs scripts of the project. */
  readonly manager: string
}

const INSTALL =
  /^(?:(npm) (?:ci|install --no-package-lock)|(pnpm|yarn|bun) install (?:--frozen-lockfile|--immutable|--no-lockfile|--no-save))(?: --(?:no-audit|no-fund|prefer-offline|ignore-scripts))*$/

/** Null: nobody knows what else it does. */
export function plainInstall(command: string): PlainInstall | null {
  const [first = '', ...rest] = command.split('&&').map((part) => part.trim())
  const [, npm, other] = INSTALL.exec(first) ?? []
  const manager = npm ?? other
  if (manager === undefined) return null
  return { install: first, after: rest.length === 0 ? null : rest.join(' && '), manager }
}

/** In the order in which an install of the project itself runs them. */
const OWN_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

/** The project's own scripts that an install runs, as one command; null: there are none. */
export function scriptsAfter({ scripts = {} }: Manifest, { install, manager }: PlainInstall): string | null {
  if (install.includes('--ignore-scripts')) return null
  const own = OWN_SCRIPTS.filter((name) => scripts[name]?.trim())
  return own.length === 0 ? null : own.map((name) => `${manager} run ${name}`).join(' && ')
}

/** Whether a package of a workspace runs scripts of its own when it is installed, which nobody does again for it. */
export function runsScripts({ scripts = {} }: Manifest): boolean {
  return OWN_SCRIPTS.some((name) => scripts[name]?.trim())
}
