// Without a sandbox: the packages that a tree borrows are linked into it, and every link that leads back into the
// owner's checkout is turned to the tree, so that tests run the change and not what the owner has.
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { readBoundedStart } from '@treadle/process/bounded-file'
import { borrowedPackages } from './borrowed-packages.ts'
import { turnPlugNPlay } from './plug-n-play.ts'

export interface TurnedTree {
  /** To be set for every command in the tree; empty where nothing is needed. */
  readonly env: Readonly<Record<string, string>>
}

/** Links what `tree` borrows from `owner`. What was linked before stays; doing it again changes nothing. */
export function turnLinks(owner: string, tree: string): TurnedTree {
  if (owner === tree || tree === dirname(tree)) return { env: {} }
  const [from, to] = [realpathSync(owner), realpathSync(tree)]
  const paths = { owner: from, tree: to }
  const borrowed = borrowedPackages(from, to)
  for (const path of borrowed) {
    if (basename(dirname(path)) === '.yarn') mkdirSync(dirname(join(to, path)), { recursive: true })
    // What Yarn keeps is named by a file that leads to the checkout by itself.
    if (lstatSync(join(from, path)).isFile()) turnPlugNPlay(paths, path)
    else if (basename(dirname(path)) !== '.yarn') borrow(paths, path)
  }
  return { env: pythonEnv(paths, virtualEnvironments(from)) }
}

interface Trees {
  readonly owner: string
  readonly tree: string
}

/** A folder of links, never one link: a pattern such as `node_modules/` ignores folders alone. */
function borrow(trees: Trees, path: string): void {
  mkdirSync(join(trees.tree, path), { recursive: true })
  const isPackages = path.endsWith('node_modules')
  for (const name of readdirSync(join(trees.owner, path))) {
    const isGroup = isPackages && (name.startsWith('@') || name === '.bin')
    if (isGroup) borrow(trees, join(path, name))
    else linkEntry(trees, join(path, name))
  }
}

function linkEntry(trees: Trees, path: string): void {
  link(ownPackageAt(trees, join(trees.owner, path)) ?? join(trees.owner, path), join(trees.tree, path))
}

function link(target: string, at: string): void {
  try {
    symlinkSync(target, at)
  } catch (error) {
    // Somebody else, who prepared the same tree, was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Where in the tree a link of the owner's means; null: it is no link, or leads to no folder of the project. */
function ownPackageAt({ owner, tree }: Trees, path: string): string | null {
  if (!lstatSync(path).isSymbolicLink() || !existsSync(path)) return null
  const inside = insideOf(owner, realpathSync(path))
  if (inside === null || inside.split(sep).includes('node_modules')) return null
  const own = join(tree, inside)
  return existsSync(own) ? own : null
}

function insideOf(owner: string, path: string): string | null {
  const inside = relative(owner, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : inside
}

// ── Python ──────────────────────────────────────────────────────────────────────────────────────

function virtualEnvironments(owner: string): string[] {
  return ['.venv', 'venv', 'env', 'virtualenv']
    .map((name) => join(owner, name))
    .filter((path) => existsSync(join(path, 'pyvenv.cfg')))
}

/** Editable installs name folders of the owner's checkout; the tree's own come before them. */
function pythonEnv(trees: Trees, environments: readonly string[]): Record<string, string> {
  const folders = environments.flatMap(sitePackages).flatMap((site) => editableIn(trees, site))
  const own = [...new Set(folders)]
    .map((inside) => join(trees.tree, inside))
    .filter((path) => existsSync(path))
  return own.length === 0 ? {} : { PYTHONPATH: own.join(':') }
}

function sitePackages(environment: string): string[] {
  const lib = join(environment, 'lib')
  if (!existsSync(lib)) return []
  return readdirSync(lib)
    .map((name) => join(lib, name, 'site-packages'))
    .filter((path) => existsSync(path))
}

/** Folders, relative to the project, that a `.pth` file or the finder of an editable install adds. */
function editableIn({ owner }: Trees, site: string): string[] {
  return readdirSync(site)
    .filter((name) => name.endsWith('.pth') || /^__editable__.*_finder\.py$/.test(name))
    .flatMap((name) => {
      const start = readBoundedStart(join(site, name), 100_000)
      const text = start.is === 'read' ? start.data.toString('utf8') : ''
      return name.endsWith('.pth')
        ? text.split('\n').flatMap((line) => insideOf(owner, line.trim()) ?? rootOf(owner, line.trim()))
        : [...text.matchAll(/['"](\/[^'"\n]+)['"]/g)].flatMap(
            ([, path = '']) => insideOf(owner, dirname(path)) ?? [],
          )
    })
}

/** A project whose packages lie at its root. */
const rootOf = (owner: string, line: string): string[] => (line === owner ? ['.'] : [])
