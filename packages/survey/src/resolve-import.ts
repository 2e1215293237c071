// The file of the repository that an import means, told from the names of its files alone.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'

export type Resolved =
  | { readonly is: 'file'; readonly path: string }
  /** A package of somebody else. */
  | { readonly is: 'package'; readonly name: string }
  | { readonly is: 'builtin' }
  /** An alias of a bundler or a compiler, a file that is made, or nothing at all. */
  | { readonly is: 'unknown' }

export interface Importing {
  readonly from: string
  readonly specifier: string
  readonly files: ReadonlySet<string>
  /** The folders of the repository's own packages, by name. */
  readonly packages: ReadonlyMap<string, string>
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.vue', '.svelte']
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

export function resolveImport({ from, specifier, files, packages }: Importing): Resolved {
  const plain = (specifier.split(/[?#]/, 1)[0] ?? '').replace(/^.*!/, '')
  if (isBuiltin(plain)) return { is: 'builtin' }
  if (/^\.{1,2}(?:\/|$)/.test(plain)) return fileAt(posix.join(posix.dirname(from), plain), files)
  const name = plain.split('/', plain.startsWith('@') ? 2 : 1).join('/')
  const folder = packages.get(name)
  if (folder !== undefined) return ownFile(folder, plain.slice(name.length + 1), files)
  return PACKAGE.test(name) ? { is: 'package', name } : { is: 'unknown' }
}

function fileAt(path: string, files: ReadonlySet<string>): Resolved {
  const target = posix.normalize(path)
  const stem = target.replace(/\.[cm]?jsx?$/, '')
  const tries = [
    target,
    ...ENDINGS.map((ending) => target + ending),
    ...(stem === target ? [] : ENDINGS.map((ending) => stem + ending)),
    ...ENDINGS.map((ending) => `${target}/index${ending}`),
  ]
  const found = tries.find((each) => files.has(each))
  return found === undefined ? { is: 'unknown' } : { is: 'file', path: found }
}

/** A package of the repository itself: the file below it, as far as names tell. */
function ownFile(folder: string, inside: string, files: ReadonlySet<string>): Resolved {
  const tries = inside === '' ? ['src/index', 'index', 'lib/index'] : [inside, `src/${inside}`]
  for (const each of tries) {
    const found = fileAt(posix.join(folder, each), files)
    if (found.is === 'file') return found
  }
  return { is: 'unknown' }
}
