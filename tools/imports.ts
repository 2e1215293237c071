// The imports between the files of the repository: static, dynamic, of types, and files named by `new URL`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Paths relative to the root, each with the files of the repository that it imports. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

const codeFile = /\.(?:[cm]?[jt]s|[jt]sx)$/
const dynamicImport = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g
const namedByUrl = /new URL\(\s*(['"])([^'"]+)\1,\s*import\.meta\.url/g

/** The code of the repository: tracked, or new and not ignored. */
export function codeFiles(root: string, folders: readonly string[] = ['.']): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders]
  const names = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  return names.filter((name) => codeFile.test(name) && existsSync(join(root, name))).sort()
}

export function readImports(root: string, files: readonly string[]): Imports {
  const find = finder(root, new Set(files))
  return new Map(
    files.map((file) => {
      const wanted = specifiers(file, readFileSync(join(root, file), 'utf8'))
      return [file, new Set(wanted.flatMap((specifier) => find(file, specifier) ?? []))]
    }),
  )
}

function specifiers(file: string, text: string): string[] {
  const { staticImports, staticExports } = parseSync(file, text).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...[...text.matchAll(dynamicImport)].flatMap(([, , name]) => name ?? []),
    ...[...text.matchAll(namedByUrl)].flatMap(([, , name]) => (name ? relative(name) : [])),
  ]
}

/** `new URL('main.ts', …)` looks beside the file, as `./main.ts` does. */
function relative(name: string): string {
  return name.startsWith('.') ? name : `./${name}`
}

/** The file behind a specifier; undefined for packages of others, for data, and for what does not exist. */
function finder(root: string, files: ReadonlySet<string>) {
  const packages = packageFolders(root, files)
  return (from: string, specifier: string): string | undefined => {
    if (specifier.startsWith('.')) return known(posix.join(dirname(from), specifier.replace(/\?.*$/, '')))
    const [scope, name, ...rest] = specifier.split('/')
    const folder = packages.get(`${scope}/${name}`)
    return folder === undefined ? undefined : known(posix.join(folder, `${rest.join('/')}.ts`))
  }
  function known(path: string): string | undefined {
    return files.has(path) ? path : undefined
  }
}

/** The folder that a package's `exports: { "./*": "./<folder>/*.ts" }` points to, by the package's name. */
function packageFolders(root: string, files: ReadonlySet<string>): Map<string, string> {
  const tops = new Set([...files].map((file) => file.split('/').slice(0, 2).join('/')))
  const folders = new Map<string, string>()
  for (const top of [...tops, ...[...tops].map((path) => dirname(path))]) {
    const manifest = join(root, top, 'package.json')
    if (top === '.' || !existsSync(manifest)) continue
    const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
    const pattern = exports?.['./*']
    if (name && pattern) folders.set(name, posix.join(top, pattern.replace(/\*\.ts$/, '')))
  }
  return folders
}

type Manifest = { name?: string; exports?: Record<string, string> }

/** Everything that can be arrived at from some files, these included. */
export function reachedFrom(imports: Imports, starts: Iterable<string>): Set<string> {
  const reached = new Set(starts)
  for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next)
  return reached
}
