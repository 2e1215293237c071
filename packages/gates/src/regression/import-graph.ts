// What the files of a project import from each other, read from their text. It is used where no test run has shown
// what a test loads; whatever it cannot follow is said, and then counts as importing anything.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix, sep } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'
import { readManifest, readText } from '../project-files.ts'
import { codeFile } from './units.ts'

interface Imports {
  readonly files: readonly string[]
  /** Why it may load or read more than `files`. */
  readonly unclear: readonly Unclear[]
}

interface Unclear {
  /** `import`: which file it loads cannot be told; `other`: what else it does cannot. */
  readonly is: 'import' | 'other'
  readonly why: string
}

interface Reach {
  readonly files: ReadonlySet<string>
  readonly unclear: readonly string[]
}

export interface ImportGraph {
  importsOf(path: string): Imports
  reachOf(path: string): Reach
}

const filesMax = 20_000

export function openImportGraph(cwd: string): ImportGraph {
  const known = new Map<string, Imports>()
  const packages = packagesOf(cwd)
  const importsOf = (path: string): Imports => {
    const cached = known.get(path)
    if (cached) return cached
    const imports = readImports(cwd, path, packages)
    known.set(path, imports)
    return imports
  }
  return { importsOf, reachOf: (path) => reachOf(path, importsOf) }
}

function reachOf(path: string, importsOf: (path: string) => Imports): Reach {
  const files = new Set([path])
  const unclear = new Set<string>()
  for (const file of files) {
    if (!codeFile.test(file)) continue
    const imports = importsOf(file)
    for (const { why } of imports.unclear) unclear.add(`${file} ${why}`)
    for (const each of imports.files) files.add(each)
    if (files.size > filesMax) return { files, unclear: ['it imports too many files to follow'] }
  }
  return { files, unclear: [...unclear] }
}

function packagesOf(cwd: string): ReadonlySet<string> {
  const manifest = readManifest(cwd)
  return new Set(Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }))
}

function readImports(cwd: string, path: string, packages: ReadonlySet<string>): Imports {
  const text = readText(join(cwd, path))
  if (text === null) return { files: [], unclear: [] }
  const { wanted, unclear } = specifiersIn(path, text)
  const files = new Set<string>()
  for (const specifier of wanted) {
    const found = resolveIn(cwd, path, specifier, packages)
    if (found.is === 'file') files.add(found.path)
    if (found.is === 'unknown')
      unclear.push({ is: 'import', why: `imports ${specifier}, which cannot be followed` })
  }
  return { files: [...files], unclear }
}

const outside = /^(?:node:)?(fs|fs\/promises|child_process|worker_threads|cluster|vm)$/

interface Specifiers {
  readonly wanted: Set<string>
  readonly unclear: Unclear[]
}

function specifiersIn(path: string, text: string): Specifiers {
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) return { wanted: new Set(), unclear: [{ is: 'other', why: 'cannot be parsed' }] }
  const found: Specifiers = { wanted: new Set(staticIn(module)), unclear: [] }
  for (const { moduleRequest } of module.dynamicImports) {
    addComputed(found, text.slice(moduleRequest.start, moduleRequest.end), 'imports what it computes')
  }
  const calls =
    /\b(?:require|require\.resolve|(?:vi|jest)\.(?:mock|doMock|importActual|requireActual))\(\s*(?=\S)/g
  for (const call of text.matchAll(calls)) {
    const at = call.index + call[0].length
    const first = /^(['"`])[^'"`\n]*\1(?=\s*[,)])/.exec(text.slice(at, at + 500))?.[0]
    addComputed(found, first ?? '', 'requires what it computes')
  }
  if (/import\.meta\.glob|require\.context/.test(text))
    found.unclear.push({ is: 'import', why: 'imports by a pattern' })
  for (const specifier of found.wanted) {
    const name = outside.exec(specifier)?.[1]
    if (name !== undefined) found.unclear.push({ is: 'other', why: `uses ${name}` })
  }
  return found
}

function addComputed({ wanted, unclear }: Specifiers, word: string, otherwise: string): void {
  const literal = /^(['"`])([^'"`$]+)\1$/.exec(word.trim())?.[2]
  if (literal === undefined) unclear.push({ is: 'import', why: otherwise })
  else wanted.add(literal)
}

function staticIn({ staticImports, staticExports }: ParseResult['module']): string[] {
  const imports = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exports = staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : []))
  return [...imports, ...exports]
}

/** The file of the project that a request of another one means; null: none, or it cannot be told. */
export function resolveImport(cwd: string, from: string, specifier: string): string | null {
  const found = resolveIn(cwd, from, specifier, new Set())
  return found.is === 'file' ? found.path : null
}

type ResolvedImport = { readonly is: 'file'; readonly path: string } | { readonly is: 'outside' | 'unknown' }

const endings = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']

function resolveIn(
  cwd: string,
  from: string,
  specifier: string,
  packages: ReadonlySet<string>,
): ResolvedImport {
  const bare = specifier.replace(/[?#].*$/, '')
  if (!/^\.{1,2}(\/|$)/.test(bare)) {
    const name = bare.split('/', bare.startsWith('@') ? 2 : 1).join('/')
    if (bare.startsWith('node:') || builtinModules.includes(name)) return { is: 'outside' }
    return packages.has(name) && isForeign(cwd, name) ? { is: 'outside' } : { is: 'unknown' }
  }
  const target = posix.normalize(posix.join(posix.dirname(from), bare))
  if (target.startsWith('..')) return { is: 'unknown' }
  const stems = [target, target.replace(/\.([cm]?)jsx?$/, '.$1ts'), target.replace(/\.jsx?$/, '.tsx')]
  const tries = [
    ...stems,
    ...endings.map((end) => target + end),
    ...endings.map((end) => `${target}/index${end}`),
  ]
  const path = tries.find((each) => isFile(join(cwd, each)))
  return path === undefined ? { is: 'unknown' } : { is: 'file', path }
}

/** Whether a package is one from outside, not a folder of this project under a name. */
function isForeign(cwd: string, name: string): boolean {
  for (let at = cwd; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(folder)) return realpathSync(folder).split(sep).includes('node_modules')
    if (dirname(at) === at) return true
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
