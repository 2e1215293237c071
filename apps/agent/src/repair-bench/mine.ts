// Tells the commits that may serve as a benchmark: one small change of one source file, with tests.
import { basename, dirname } from 'node:path/posix'
import { isTestPath } from '@treadle/repair/project/files'
import type { ChangedFile, Commit } from './history.ts'

export interface Fix {
  readonly commit: string
  readonly parent: string
  readonly date: string
  readonly subject: string
  readonly source: string
  readonly lines: number
  /** Everything of the tests that the commit added or changed, fixtures too. */
  readonly testFiles: readonly string[]
}

export type Skipped =
  | 'no source file changed'
  | 'several source files changed'
  | 'the source file was added or removed'
  | 'too many lines changed'
  | 'no test changed and no fix announced'
  | 'a path that a command cannot name'

type Sifted =
  | { readonly is: 'candidate'; readonly fix: Fix }
  | { readonly is: 'skipped'; readonly why: Skipped }

const LINES_MAX = 8
const SOURCE = /\.[cm]?[jt]sx?$/
const WANTED = /\.([cm]?[jt]s)$/
const DECLARATION = /\.d\.[cm]?ts$/
// Programs that only accompany the project: nothing of it depends on them.
const BESIDE = /(^|\/)(docs?|website|examples?|bench(mark)?s?|scripts?|\.[^/]+)\//
const CONFIGURATION = /(^|\/)[^/]*(\.config|rc)\.[cm]?[jt]s$|[._-]bench\.[cm]?[jt]sx?$/
const SAYS_FIX = /\b(fix(e[sd])?|bug|hotfix|regression|correct(s|ed|ly)?|broken|wrong)\b/i
// A test command is split at blanks, and read by a shell.
const NAMEABLE = /^[\w@.+/-]+$/

export function sift(commit: Commit): Sifted {
  const sources = commit.files.filter((file) => isSource(file.path))
  const [source] = sources
  if (source === undefined) return skip('no source file changed')
  if (sources.length > 1) return skip('several source files changed')
  if (source.status !== 'M' || !WANTED.test(source.path)) return skip('the source file was added or removed')
  if (source.lines === null || source.lines > LINES_MAX) return skip('too many lines changed')
  const testFiles = commit.files.filter(isWantedTest).map((file) => file.path)
  if (!testFiles.some((path) => SOURCE.test(path)) && !SAYS_FIX.test(commit.subject))
    return skip('no test changed and no fix announced')
  if (![source.path, ...testFiles].every((path) => NAMEABLE.test(path)))
    return skip('a path that a command cannot name')
  const { hash, parent, date, subject } = commit
  return {
    is: 'candidate',
    fix: { commit: hash, parent, date, subject, source: source.path, lines: source.lines, testFiles },
  }
}

function skip(why: Skipped): Sifted {
  return { is: 'skipped', why }
}

function isSource(path: string): boolean {
  return (
    SOURCE.test(path) &&
    !DECLARATION.test(path) &&
    !isTestPath(path) &&
    !BESIDE.test(path) &&
    !CONFIGURATION.test(path)
  )
}

function isWantedTest({ path, status }: ChangedFile): boolean {
  return (status === 'A' || status === 'M') && isTestPath(path)
}

/** The tests that are named after a source file; of several, those that stand nearest to it. */
export function testsNamedAfter(source: string, tests: readonly string[]): string[] {
  const wanted = nameOf(source)
  const named = tests.filter((test) => {
    const name = nameOf(test)
    return name === wanted || (name === 'test' && dirname(test) === dirname(source))
  })
  const nearness = named.map((test) => shared(dirname(source), dirname(test)))
  const nearest = Math.max(...nearness)
  return named.filter((_, index) => nearness[index] === nearest)
}

function nameOf(path: string): string {
  const name = basename(path)
    .replace(SOURCE, '')
    .replace(/[._-](test|spec)$/i, '')
    .replace(/^test[-_.]/i, '')
  return (name === 'index' ? basename(dirname(path)) : name).toLowerCase()
}

function shared(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const differs = left.findIndex((part, index) => part !== right[index])
  return differs < 0 ? left.length : differs
}
