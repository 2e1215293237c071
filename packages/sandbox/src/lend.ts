// Installed packages of the owner's checkout, which a worktree borrows instead of installing them again.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { STATE_DIR } from '@treadle/contracts/workspace'

const DEPTH_MAX = 5
const FOLDERS_MAX = 4_000
const INSTALLED = new Set([
  'node_modules',
  'bower_components',
  '__pypackages__',
  '.yarn/cache',
  '.yarn/unplugged',
])
const ENVIRONMENTS = new Set(['.venv', 'venv', 'env', 'virtualenv'])
const SKIPPED = new Set(['.git', '.treadle', '.claude-sessions', 'target', 'dist', 'build', '.cache'])

/** Folders of installed packages in a checkout, relative to it: those at its root and of each of its packages. */
export function findLendable(checkout: string): string[] {
  const found: string[] = []
  let level = ['']
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const folders = level.flatMap((folder) =>
      foldersIn(join(checkout, folder)).map((name) => join(folder, name)),
    )
    const packages = folders.filter((path) => isPackages(join(checkout, path)))
    found.push(...packages)
    level = folders
      .filter((path) => !(packages.includes(path) || SKIPPED.has(basename(path))))
      .slice(0, FOLDERS_MAX)
  }
  return found
}

function isPackages(path: string): boolean {
  const name = basename(path)
  if (INSTALLED.has(name) || INSTALLED.has(`${basename(dirname(path))}/${name}`)) return true
  if (name === 'vendor') return existsSync(join(path, 'autoload.php'))
  return ENVIRONMENTS.has(name) && existsSync(join(path, 'pyvenv.cfg'))
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}

/** The workspace that a worktree belongs to by its path, as a mirror of it; undefined if it belongs to none. */
export function mirrorOf(
  worktree: string,
): { readonly at: string; readonly names: readonly string[] } | undefined {
  const end = worktree.indexOf(`/${STATE_DIR}/`)
  if (end <= 0) return undefined
  const at = worktree.slice(0, end)
  return { at, names: findLendable(at) }
}
