// Installed packages that a tree of the project borrows from the owner's checkout: a worktree holds what is committed,
// and packages are not. In a sandbox they are mounted where they lie; without one, links are made (turned-links.ts).
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Names that package managers give to what they install beside a manifest. */
const INSTALLED = [
  'node_modules',
  'bower_components',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.yarn/cache',
  '.yarn/unplugged',
  '.yarn/install-state.gz',
  '__pypackages__',
  'vendor/bundle',
  'vendor/autoload.php',
  '.bundle',
  'Pods',
]
/** Usual names of virtual environments; one is known by the file in it. */
const VIRTUAL_ENVIRONMENTS = ['.venv', 'venv', 'env', '.env', 'virtualenv']
const NOT_ENTERED = new Set([...INSTALLED, ...VIRTUAL_ENVIRONMENTS, '.git', '.treadle', '.yarn', 'Pods'])
const FOLDERS_MAX = 20_000

/** Paths, relative to the root, of what `tree` lacks and the owner's checkout has installed. */
export function borrowedPackages(owner: string, tree: string): string[] {
  if (owner === tree) return []
  const found: string[] = []
  const folders = ['']
  for (const folder of folders) {
    found.push(...installedIn(owner, tree, folder))
    if (folders.length >= FOLDERS_MAX) continue
    for (const name of foldersIn(join(tree, folder))) folders.push(join(folder, name))
  }
  return found
}

function installedIn(owner: string, tree: string, folder: string): string[] {
  const names = [
    ...INSTALLED.filter((name) => existsSync(join(owner, folder, name))).map(wholeOf),
    ...VIRTUAL_ENVIRONMENTS.filter((name) => existsSync(join(owner, folder, name, 'pyvenv.cfg'))),
  ]
  return names.map((name) => join(folder, name)).filter((path) => isMissing(join(tree, path)))
}

/** Composer's packages are the folder around its loader. */
const wholeOf = (name: string): string => (name === 'vendor/autoload.php' ? 'vendor' : name)

/** An empty folder is a mount point that an earlier sandbox left. */
export function isMissing(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  return found.isDirectory() && readdirSync(path).length === 0
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_ENTERED.has(entry.name))
      .map(({ name }) => name)
  } catch {
    return []
  }
}
