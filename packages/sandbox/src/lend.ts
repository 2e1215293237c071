// Installed packages of the owner's checkout, which a worktree borrows instead of installing them again.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { STATE_DIR } from '@treadle/contracts/workspace'
import { PLUG_N_PLAY } from './plug-n-play.ts'

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

/** Folders of installed packages in a checkout, relative to it: those at its root and of each of its packages. With
 *  Plug'n'Play also the files that say where packages are. */
export function findLendable(checkout: string): string[] {
  const found: string[] = []
  let level = ['']
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const entries = level.flatMap((folder) =>
      entriesIn(join(checkout, folder)).map(({ name, isFolder }) => ({ path: join(folder, name), isFolder })),
    )
    found.push(
      ...entries.filter(({ path, isFolder }) => !isFolder && isPlugNPlay(path)).map(({ path }) => path),
    )
    const folders = entries.filter(({ isFolder }) => isFolder).map(({ path }) => path)
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

const isPlugNPlay = (path: string): boolean =>
  PLUG_N_PLAY.has(basename(path)) || PLUG_N_PLAY.has(`${basename(dirname(path))}/${basename(path)}`)

function entriesIn(path: string): { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
  } catch {
    return []
  }
}

/** Whether a tree has the folder that a lent path stands in. What Yarn keeps has one to itself, which is made. */
export function canHold(tree: string, path: string): boolean {
  const folder = dirname(path)
  return (
    existsSync(join(tree, folder)) ||
    (basename(folder) === '.yarn' && existsSync(join(tree, dirname(folder))))
  )
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
