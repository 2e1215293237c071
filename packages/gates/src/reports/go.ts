// What go's two outputs have in common: where a package's files are, and what a failed test said.
import { join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { readText } from '../project-files.ts'
import { framesOf } from './frames.ts'
import { makeFailure, type Outcomes } from './report.ts'

export interface GoTest {
  readonly name: string
  readonly packageName: string
  readonly said: readonly string[]
  readonly durationMs?: number | null
  readonly cwd: string
  /** The project's module, whose packages lie in folders of the same name. */
  readonly module: string | null
}

export function goFailure({ name, packageName, said, durationMs, cwd, module }: GoTest): TestFailure {
  const text = said.filter((line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP))/.test(line)).join('\n')
  const folder = folderOf(packageName, module)
  // Go logs the file's name alone; in a stack it stands with its path.
  const place = framesOf(text, cwd).find((frame) => frame.own)
  const file = place && folder !== null && !place.file.includes('/') ? join(folder, place.file) : place?.file
  return makeFailure({
    names: [packageName, ...name.split('/')],
    idFile: '',
    file: file ?? null,
    line: place?.line ?? null,
    message: messageOf(text),
    stack: text.trim() || null,
    durationMs: durationMs ?? null,
    output: text,
    cwd,
  })
}

function messageOf(text: string): string {
  const panic = /^panic: (.+?)(?: \[recovered\])?$/m.exec(text)?.[0]
  if (panic) return panic
  const logged = [...text.matchAll(/^\s+\S+\.go:\d+: (.*)$/gm)].map(([, said]) => said)
  return logged.length > 0 ? logged.join('\n') : text.trim()
}

export function moduleOf(cwd: string): string | null {
  return /^module\s+(\S+)/m.exec(readText(join(cwd, 'go.mod')) ?? '')?.[1] ?? null
}

/** A package's folder in the project; null if it cannot be told. */
function folderOf(packageName: string, module: string | null): string | null {
  if (module === null) return null
  if (packageName === module) return ''
  return packageName.startsWith(`${module}/`) ? packageName.slice(module.length + 1) : null
}

/** A package that failed without a failing test: it does not compile, or its process died. */
export function packageFailure(packageName: string, said: readonly string[], cwd: string): TestFailure {
  const text = said.join('\n').trim()
  const place = framesOf(text, cwd).find((frame) => frame.own)
  return makeFailure({
    names: [packageName],
    idFile: '',
    file: place?.file ?? null,
    line: place?.line ?? null,
    message: text || 'the package failed outside of its tests',
    stack: text || null,
    cwd,
  })
}

interface Ended {
  readonly name: string
  /** Null if it never ended. */
  readonly result: 'pass' | 'fail' | 'skip' | null
}

/** Counts the tests of one package; a test with subtests counts only if it failed by itself. Returns what failed. */
export function countTests<T extends Ended>(outcomes: Outcomes, tests: readonly T[]): T[] {
  const isBad = ({ result }: Ended): boolean => result === 'fail' || result === null
  const groups = new Set(tests.flatMap(({ name }) => groupsOf(name)))
  const failedInside = new Set(tests.flatMap((test) => (isBad(test) ? groupsOf(test.name) : [])))
  for (const test of tests) {
    if (isBad(test) || groups.has(test.name)) continue
    outcomes[test.result === 'skip' ? 'skipped' : 'passed'] += 1
  }
  return tests.filter((test) => isBad(test) && !failedInside.has(test.name))
}

/** The tests of which this one is a subtest. */
function groupsOf(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
