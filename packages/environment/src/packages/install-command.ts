// The command that installs a project's packages exactly as its lock file says. A receipt names it, so that whoever
// verifies a merge elsewhere has the same packages.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, packagesOf, readManifest } from './manifest.ts'

interface Manager {
  readonly name: string
  readonly locks: readonly string[]
  readonly command: string
}

const MANAGERS: readonly Manager[] = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], command: 'pnpm install --frozen-lockfile' },
  { name: 'yarn', locks: ['yarn.lock'], command: 'yarn install --frozen-lockfile' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], command: 'bun install --frozen-lockfile' },
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], command: 'npm ci' },
]

export interface InstallCommand {
  readonly command: string
  readonly lock: string
}

/** The command for a project; null if there is nothing to install, or no lock file that says what exactly. */
export function installCommand(root: string): InstallCommand | null {
  const manifest = readManifest(root)
  if (manifest === null || !needsPackages(root, manifest)) return null
  const tracked = trackedOf(
    root,
    MANAGERS.flatMap(({ locks }) => locks),
  )
  const found = MANAGERS.flatMap(({ name, locks, command }) => {
    const lock = locks.find((file) => tracked.includes(file))
    return lock === undefined ? [] : [{ name, command, lock }]
  })
  const named = managerOf(manifest)
  const chosen = found.find(({ name }) => name === named) ?? found[0]
  return chosen === undefined ? null : { command: chosen.command, lock: chosen.lock }
}

/** What installs a project's packages where no lock file says which exactly; null if there is nothing to install. It
 *  leaves no lock file behind, which would look like a part of the change. */
export function installWithoutLock(root: string): string | null {
  const manifest = readManifest(root)
  if (manifest === null || !needsPackages(root, manifest)) return null
  switch (managerOf(manifest)) {
    case 'pnpm':
      return 'pnpm install --no-lockfile'
    case 'yarn':
      return 'yarn install --no-lockfile'
    case 'bun':
      return 'bun install --no-save'
    default:
      return 'npm install --no-package-lock'
  }
}

/** The package manager that a manifest names; undefined: none. */
function managerOf({ packageManager }: Manifest): string | undefined {
  return packageManager?.split('@')[0]
}

function needsPackages(root: string, manifest: Manifest): boolean {
  // The packages of a workspace have dependencies of their own.
  if (manifest.workspaces !== undefined || existsSync(join(root, 'pnpm-workspace.yaml'))) return true
  return packagesOf(manifest).length > 0
}

/** A worktree has only what git has. */
function trackedOf(root: string, files: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...files], { cwd: root, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file !== '')
}
