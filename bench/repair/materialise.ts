// Makes a small project folder from a reference program and the edits of a bug.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Edit } from './bug.ts'

export type Runner = 'node' | 'vitest'
export type Suite = 'visible' | 'heldout'

// The fresh programs are read by nobody who works on the search.
export type ProgramSet = 'known' | 'fresh'
const programsRoots: Record<ProgramSet, string> = {
  known: fileURLToPath(new URL('./programs', import.meta.url)),
  fresh: fileURLToPath(new URL('./fresh/programs', import.meta.url)),
}
const libraryRoot = fileURLToPath(new URL('./library', import.meta.url))
// A repository of several modules that is no part of the bug set; faults return in it.
export const library = 'library'
export const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url))

// In the repository suites are called *.suite.ts, so that its own test run does not take them for its tests.
const suiteFolder: Record<Suite, string> = { visible: 'test', heldout: 'heldout' }

export const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
}

export function programNames(set: ProgramSet = 'known'): string[] {
  return readdirSync(programsRoots[set]).sort()
}

export function runnerOf(program: string): Runner {
  const suites = readFolder(program, suiteFolder.visible)
  return [...suites.values()].some((text) => text.includes("from 'vitest'")) ? 'vitest' : 'node'
}

export function testCommandOf(program: string): string {
  return runnerOf(program) === 'vitest' ? 'vitest run' : 'node --test'
}

// The sources with the edits applied, by path within the project.
export function sourcesOf(program: string, edits: readonly Edit[]): Map<string, string> {
  const sources = readFolder(program, 'src')
  for (const { file, find, replace } of edits) {
    const text = sources.get(file)
    assert(text !== undefined, `${program} has no ${file}`)
    const parts = text.split(find)
    assert(parts.length === 2, `${program} ${file}: ${parts.length - 1} places for ${find}`)
    sources.set(file, parts.join(replace))
  }
  return sources
}

// A project as somebody would have it: sources, visible tests, package.json, tsconfig.json, all committed.
export function materialise(folder: string, program: string, edits: readonly Edit[]): void {
  writeFiles(folder, sourcesOf(program, edits))
  writeSuite(folder, program, 'visible')
  const scripts = { test: testCommandOf(program), check: 'tsc' }
  const files = new Map([
    ['package.json', asJson({ name: program, private: true, type: 'module', scripts })],
    ['tsconfig.json', asJson({ compilerOptions, include: ['src', 'test'] })],
    ['.gitignore', 'node_modules\n'],
  ])
  writeFiles(folder, files)
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'dir')
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, stdio: 'ignore', timeout: 30_000 })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  const who = [
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    '-c',
    'commit.gpgsign=false',
  ]
  git(...who, 'commit', '--quiet', '--no-verify', '-m', 'project')
}

export function writeSuite(folder: string, program: string, suite: Suite): void {
  const texts = readFolder(program, suiteFolder[suite])
  const renamed = [...texts].map(([path, text]) => [path.replace(/\.suite\.ts$/, '.test.ts'), text] as const)
  writeFiles(folder, new Map(renamed))
}

export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
}

function readFolder(program: string, name: string): Map<string, string> {
  const folder = join(folderOf(program), name)
  const files = readdirSync(folder).sort()
  return new Map(files.map((file) => [`${name}/${file}`, readFileSync(join(folder, file), 'utf8')]))
}

function folderOf(program: string): string {
  if (program === library) return libraryRoot
  const fresh = join(programsRoots.fresh, program)
  return existsSync(fresh) ? fresh : join(programsRoots.known, program)
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
