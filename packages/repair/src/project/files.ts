// Which files a project has, and which of them are tests.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, relative, sep } from 'node:path'
import type { TestCommand } from './test-command.ts'

const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'out', 'vendor', 'target'])
const SOURCE = /\.[cm]?[jt]sx?$/
const TEST =
  /(^|\/)(__tests__\/.*|tests?\/.*|spec\/.*|.*[._-](test|spec)\.[cm]?[jt]sx?|test[-_.][^/]*|test\.[cm]?[jt]sx?)$/
const FILES_MAX = 20_000

/** Every source file below a folder, relative to it, in a stable order. */
export function listSources(root: string): string[] {
  const found: string[] = []
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || SKIPPED.has(entry.name) || found.length >= FILES_MAX) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) visit(path)
      else if (SOURCE.test(entry.name) && !entry.name.endsWith('.d.ts') && isPlain(path))
        found.push(toSlash(relative(root, path)))
    }
  }
  visit(root)
  return found.sort()
}

/** A pipe would be waited for. */
function isPlain(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export function toSlash(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/')
}

const WITH_TESTS = /\b(describe|test|it|suite)\s*(\.\w+\s*)*\(/

/** A file whose name says test and that declares some; fixtures beside tests do not. */
export function isTestFile(root: string, path: string): boolean {
  return isTestPath(path) && WITH_TESTS.test(readFileSync(join(root, path), 'utf8'))
}

/** Anything that belongs to the tests, fixtures included: never edited. */
export function isTestPath(path: string): boolean {
  return TEST.test(path)
}

const ENDINGS = ['', '.js', '.ts', '.cjs', '.mjs', '.jsx', '.tsx']

/**
 * The test files that a command names: a file by its path, whatever is in it; of folders and patterns those that
 * declare tests. All that declare tests if it names none.
 */
export function scopedTests(
  root: string,
  { named, parts }: Pick<TestCommand, 'named' | 'parts'>,
  sources: readonly string[],
): string[] {
  const all = new Set(sources)
  const isFolder = (word: string) => sources.some((path) => path.startsWith(`${word}/`))
  const fileOf = (word: string) =>
    all.has(word) || !isFolder(word)
      ? ENDINGS.map((ending) => word + ending).find((path) => all.has(path))
      : undefined
  const exact = named.flatMap((word) => fileOf(word) ?? [])
  const rest = named.filter((word) => fileOf(word) === undefined)
  const below = rest.flatMap((word) => sources.filter((path) => matches(word, path)))
  const declaring = below.filter((path) => isTestFile(root, path))
  const placed = declaring.length > 0 ? declaring : below.filter(isTestPath)
  const found = new Set([...exact, ...placed])
  if (found.size > 0) return [...found].sort()
  const tests = sources.filter((path) => isTestFile(root, path))
  const partly = tests.filter((path) => parts.some((word) => path.includes(word)))
  return partly.length > 0 ? partly : tests
}

function matches(word: string, path: string): boolean {
  if (!/[*?{]/.test(word)) return word === '.' || path.startsWith(`${word}/`)
  return matchesGlob(path, word)
}
