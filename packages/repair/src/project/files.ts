// Which files a project has, and which of them are tests.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

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

/** The test files a command names, by path or by folder or pattern; all of them if it names none. */
export function scopedTests(command: string | null, tests: readonly string[]): string[] {
  const words = (command ?? '')
    .split(/\s+/)
    .map((word) => word.replace(/^['"]|['"]$/g, '').replace(/^\.\//, ''))
  const named = words.filter((word) => word.includes('/') || SOURCE.test(word))
  const scoped = tests.filter((test) => named.some((word) => matches(word, test)))
  return scoped.length > 0 ? scoped : [...tests]
}

function matches(word: string, test: string): boolean {
  if (!/[*?]/.test(word)) return test === word || test.startsWith(word.endsWith('/') ? word : `${word}/`)
  const pattern = word
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?/g, '\0')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replaceAll('\0', '.*')
  return new RegExp(`^${pattern}$`).test(test)
}
