// Later versions of the same test files, which the repair never saw: the newest that the human fix stands up to.
import type { Git } from '@treadle/git/git'
import { laterChanges, textAt } from './history.ts'
import type { Fix } from './mine.ts'
import { type RunOptions, runTests, type TestOutcome } from './run-tests.ts'
import type { Scratch } from './scratch.ts'

export interface HeldOut {
  readonly path: string
  readonly text: string
  /** The places of the tests that pass on the human fix, and so must pass on a patch. */
  readonly tests: readonly string[]
  /** How many tests, or else lines that assert, the repair had not seen. */
  readonly unseen: number
}

export interface HeldOutSearch {
  readonly git: Git
  readonly fix: Fix
  readonly scratch: Scratch
  /** The source file as the human left it. */
  readonly human: string
  readonly visible: readonly string[]
  readonly known: ReadonlySet<string>
  readonly run: RunOptions
}

const VERSIONS_MAX = 10
const FILES_MAX = 3

export async function findHeldOut(search: HeldOutSearch): Promise<HeldOut[]> {
  const found: HeldOut[] = []
  for (const path of search.visible.slice(0, FILES_MAX)) {
    const version = await newestFor(search, path)
    if (version !== null) found.push(version)
  }
  return found
}

async function newestFor(search: HeldOutSearch, path: string): Promise<HeldOut | null> {
  const { git, fix, scratch } = search
  const seen = scratch.read(path) ?? ''
  const commits = await laterChanges(git, fix.commit, path)
  for (const commit of commits.slice(0, VERSIONS_MAX)) {
    const text = await textAt(git, commit, path)
    if (text === null || assertionsIn(text, seen) === 0) continue
    const version = await tryVersion(search, path, text)
    if (version !== null) return version
  }
  return null
}

async function tryVersion(search: HeldOutSearch, path: string, text: string): Promise<HeldOut | null> {
  const { scratch, fix, human, known } = search
  const seen = scratch.read(path) ?? ''
  scratch.write(fix.source, human)
  scratch.write(path, text)
  const run = await runTests(scratch.path, [path], { ...search.run, twice: true })
  scratch.reset()
  if (run.is === 'unable' || run.by === 'command') return null
  const all = [...run.tests]
  const passed = all.filter(([, outcome]) => outcome.passed)
  const about = (entry: [string, TestOutcome]) => entry[1].ran.includes(fix.source)
  const fresh = passed.filter((entry) => !known.has(entry[0]) && about(entry))
  const tests = passed.map(([, outcome]) => outcome.place)
  if (fresh.length > 0) return { path, text, tests, unseen: fresh.length }
  // Known tests may have grown; which of them did is not known, so all must pass.
  if (passed.length < all.length || !passed.some(about)) return null
  return { path, text, tests, unseen: assertionsIn(text, seen) }
}

/** Lines that assert something and do not stand in the other text. */
function assertionsIn(text: string, other: string): number {
  const linesOf = (whole: string) =>
    whole
      .split('\n')
      .map((line) => line.replace(/[\s;'"`]/g, ''))
      .filter((line) => /expect|assert/.test(line))
  const known = new Set(linesOf(other))
  return linesOf(text).filter((line) => !known.has(line)).length
}
