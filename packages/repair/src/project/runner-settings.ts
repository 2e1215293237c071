// Settings files of jest and vitest, as far as they say what a request means and what is loaded before the tests. They
// are programs of the project: they are read, never run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'

export interface RunnerSettings {
  /** Modules that are loaded before every test file. */
  readonly setup: readonly string[]
  /** Requests that mean something else: a pattern, and the path with its groups put in. */
  readonly mapped: readonly { readonly pattern: RegExp; readonly target: string }[]
  /** Folders in which packages are looked for besides. */
  readonly folders: readonly string[]
}

const BYTES_MAX = 256 * 1024
const ENDINGS = ['.js', '.cjs', '.mjs', '.ts', '.mts', '.cts', '.json']
const NAMES = ['jest.config', 'vitest.config', 'vite.config'].flatMap((name) =>
  ENDINGS.map((ending) => name + ending),
)
const NOTHING: RunnerSettings = { setup: [], mapped: [], folders: [] }

export function readRunnerSettings(root: string): RunnerSettings {
  const texts = NAMES.filter((name) => existsSync(join(root, name))).map((name) => textOf(root, name))
  const jest = jestIn(textOf(root, 'package.json'))
  return [jest, ...texts].reduce((all, text) => joined(all, read(text)), NOTHING)
}

function textOf(root: string, name: string): string {
  return (boundedText(join(root, name), BYTES_MAX) ?? '').replace(/^\s*\/\/.*$/gm, '')
}

/** The settings of jest inside the package's own file. */
function jestIn(manifest: string): string {
  try {
    const { jest } = JSON.parse(manifest) as { jest?: unknown }
    return typeof jest === 'object' ? JSON.stringify(jest) : ''
  } catch {
    // A manifest that cannot be read has no settings for us.
    return ''
  }
}

function joined(a: RunnerSettings, b: RunnerSettings): RunnerSettings {
  return {
    setup: [...a.setup, ...b.setup],
    mapped: [...a.mapped, ...b.mapped],
    folders: [...a.folders, ...b.folders],
  }
}

function read(text: string): RunnerSettings {
  const setup = ['setupFiles', 'setupFilesAfterEnv', 'setupTestFrameworkScriptFile'].flatMap((key) =>
    quotedIn(textAfter(text, key)),
  )
  const folders = ['modulePaths', 'moduleDirectories'].flatMap((key) => quotedIn(textAfter(text, key)))
  return {
    setup: setup.map(fromRoot),
    mapped: [...mappers(textAfter(text, 'moduleNameMapper')), ...aliases(textAfter(text, 'alias'))],
    folders: folders.map(fromRoot).filter((folder) => folder !== 'node_modules'),
  }
}

function fromRoot(path: string): string {
  return path.replace(/^<rootDir>\/?/, './')
}

const OPENS: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** The text of what stands after a key: a list, an object, or the rest of its line. */
function textAfter(text: string, key: string): string {
  const found = new RegExp(`["']?\\b${key}\\b["']?\\s*:\\s*`).exec(text)
  if (found === null) return ''
  const from = found.index + found[0].length
  const open = text[from] ?? ''
  const close = OPENS[open]
  if (close === undefined) return /^[^\n,}]*/.exec(text.slice(from))?.[0] ?? ''
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === open) depth += 1
    else if (text[at] === close) depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return ''
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(/(["'])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].map((found) => found[2] ?? '')
}

/** `"^@/(.*)$": "<rootDir>/src/$1"` */
function mappers(text: string): RunnerSettings['mapped'] {
  const pairs = text.matchAll(/(["'])((?:(?!\1).)+)\1\s*:\s*\[?\s*(["'])((?:(?!\3).)+)\3/g)
  return [...pairs].flatMap(([, , key = '', , target = '']) => {
    const pattern = patternOf(key.replaceAll('\\\\', '\\'))
    return pattern === null ? [] : [{ pattern, target: fromRoot(target) }]
  })
}

/** `'@': resolve(__dirname, './src')` and `{ find: '@', replacement: … }`: the last text of a value is the place. */
function aliases(text: string): RunnerSettings['mapped'] {
  const inside = text.slice(1, -1)
  const byFind = [...inside.matchAll(/find\s*:\s*(["'])([^"']+)\1\s*,\s*replacement\s*:([^}]*)/g)].map(
    ([, , key = '', value = '']) => [key, value] as const,
  )
  const pairs = [...inside.matchAll(/(?:^|[,{\n])\s*(?:(["'])([^"'\n]+)\1|([\w$]+))\s*:([^\n]*)/g)].map(
    ([, , quoted, plain, value = '']) => [quoted ?? plain ?? '', value] as const,
  )
  return (byFind.length > 0 ? byFind : pairs).flatMap(([key, value]) => {
    const place = quotedIn(value).at(-1)
    const pattern = patternOf(`^${escaped(key.replace(/\/$/, ''))}(/.*)?$`)
    if (place === undefined || pattern === null) return []
    return [{ pattern, target: `./${place.replace(/^\.?\//, '').replace(/\/$/, '')}$1` }]
  })
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A pattern of somebody else's may be none, or one that takes for ever: only short ones are taken. */
function patternOf(source: string): RegExp | null {
  if (source.length > 200) return null
  try {
    return new RegExp(source)
  } catch {
    // What is no pattern maps nothing.
    return null
  }
}
