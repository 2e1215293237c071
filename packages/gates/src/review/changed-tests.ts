// What a change is made of, and which tests it brings along.

import { type Assertion, assertionAt, importedAssertions } from '../integrity/assertions.ts'
import { Modules } from '../integrity/modules.ts'
import { readTests } from '../integrity/read-tests.ts'
import { bare, field, list, parseSource, type Source } from '../integrity/source.ts'
import { conventionsOf, isScript, isSnapshot } from '../integrity/test-conventions.ts'
import { readTextTests, type TextTest } from '../integrity/text-read.ts'

export interface SortedChange {
  readonly documents: readonly string[]
  /** Tests, and what lies with them: helpers, fixtures, snapshots. */
  readonly tests: readonly string[]
  readonly code: readonly string[]
}

const document =
  /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:README|CHANGELOG|CONTRIBUTING|LICENSE|LICENCE|NOTICE|AUTHORS)(?:\.\w+)?$|(?:^|\/)docs?\/.*\.(?:png|jpe?g|gif|svg|webp)$/i
const surelyTests = /(?:^|\/)__(?:tests|mocks|fixtures|snapshots)__\//
/** Code has folders of these names too. */
const maybeTests = /(?:^|\/)(?:tests?|specs?|e2e|testdata|test-utils?)\//
const sources = /(?:^|\/)(?:src|lib)\//
const byFolder = new Set(['test/', '__tests__/'])
/** Conventions that code which tests share meets as well. */
const shared = new Set([...byFolder, 'test-*', 'test*.py', '*.rs'])

export function sortChange(changed: readonly string[]): SortedChange {
  const tests = changed.filter(isOfTests)
  const rest = changed.filter((path) => !isOfTests(path))
  return {
    tests,
    documents: rest.filter((path) => document.test(path)),
    code: rest.filter((path) => !document.test(path)),
  }
}

/** Rust keeps tests and code in one file, which then counts as code. */
export function isOfTests(path: string): boolean {
  if (surelyTests.test(path) || isSnapshot(path)) return true
  const named = conventionsOf(path).some((each) => !byFolder.has(each)) && !path.endsWith('.rs')
  return named || (maybeTests.test(path) && !isSourceFolder(path))
}

/** A script in `src/spec/` is code unless its own name says that it is a test. */
function isSourceFolder(path: string): boolean {
  const at = path.search(sources)
  return isScript(path) && at >= 0 && !maybeTests.test(path.slice(0, at + 1))
}

/** What a runner can be asked to run. */
export function isTestFile(path: string): boolean {
  return conventionsOf(path).length > 0 && isOfTests(path)
}

export interface ChangedTest {
  readonly file: string
  /** As a report names it after its file; null where that is only known when it runs. */
  readonly name: string | null
  readonly added: boolean
  /** False: nothing in it looks like an assertion. */
  readonly asserts: boolean
}

export interface TestFileChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The tests of these files that are new or other than before, and that run. */
export function changedTests(changes: readonly TestFileChange[]): ChangedTest[] {
  const known = changes.flatMap(({ path, before }) => casesOf(path, before) ?? [])
  const before = new Map(known.map(({ key, body }) => [key, body]))
  return changes.flatMap(({ path, before: was, after }) => {
    const cases = casesOf(path, after)
    // Text that nothing is known of may hold anything.
    if (cases === null)
      return after === was || isSupport(path, after)
        ? []
        : [{ file: path, name: null, added: was === null, asserts: true }]
    return cases
      .filter(({ key, body }) => before.get(key) !== body)
      .map(({ name, key, asserts }) => ({ file: path, name, added: !before.has(key), asserts }))
  })
}

interface Case {
  /** Also for a test that has moved to another file. */
  readonly key: string
  readonly name: string | null
  readonly body: string
  readonly asserts: boolean
}

/** By a name that is not known: a library of assertions, a snapshot, or the project's own helper. */
const asserting = /expect|assert|should|verif|check|snapshot|equal|throws|rejects|ensure|must/i

/** Of a file in which no test can be made out: it only lies with the tests. */
function isSupport(path: string, text: string | null): boolean {
  if (!conventionsOf(path).every((each) => shared.has(each))) return false
  const source = text !== null && isScript(path) ? parseSource(path, text) : null
  return source === null ? !isScript(path) : !titled.test(source.text) && !assertsAtOnce(source)
}

/** A test of a runner whose words are not known. */
const titled = /\b(?:describe|it|test|suite|specify)(?:\.\w+)*\(\s*["'`]/

/** A script of plain assertions is a test of its own. */
function assertsAtOnce(source: Source): boolean {
  const imported = importedAssertions(source.program)
  const place = { source, names: new Map(), guards: [], contexts: new Set<string>() }
  return list(source.program, 'body').some((parent) => {
    const expression = field(parent, 'expression')
    return expression !== null && assertionAt(bare(expression), { ...place, parent }, imported) !== null
  })
}

/** Those that run; null where no test can be made out. */
function casesOf(path: string, text: string | null): Case[] | null {
  if (text === null) return []
  const source = isScript(path) ? parseSource(path, text) : null
  if (source === null) {
    const tests = readTextTests(path, text).filter(({ isTest }) => isTest)
    if (tests.length === 0) return null
    return tests
      .filter(({ skips }) => skips.length === 0)
      .map(({ name, asserts, rows }) => ({
        key: name,
        name: /^[\w ]+$/.test(name) ? name : null,
        body: JSON.stringify([asserts, rows].map((each) => each.map(({ key }) => key))),
        asserts: !isConstantText(path, asserts),
      }))
  }
  const tests = readTests(source, new Modules([source])).filter(({ kind }) => kind === 'test')
  if (tests.length === 0) return null
  return tests
    .filter(({ muted }) => muted === null)
    .map(({ names, body, assertions }) => ({
      key: names.join(' > '),
      name: spelled(names),
      body: JSON.stringify([body, assertions.map(({ code }) => code)]),
      asserts: assertions.some(({ constant }) => constant === null) || asserting.test(rest(body, assertions)),
    }))
}

/** What a test does beside the assertions that hold whatever the code does; its parameters and texts do nothing. */
function rest(body: string, assertions: readonly Pick<Assertion, 'constant'>[]): string {
  let left = body
  for (const { constant } of assertions) if (constant !== null) left = left.replaceAll(constant, '')
  return left.replace(/^(?!(?:async ?)?function)[^=]*?=>/, '').replace(/"(?:[^"\\]|\\.)*"/g, '')
}

const value = '(?:-?\\d[\\d._]*|"[^"]*"|\'[^\']*\'|True|False|None)'
const constantPython = new RegExp(
  `^(?:assert\\s*\\(?\\s*${value}(?:\\s*(?:[=!]=|[<>]=?|is(?: not)?|in)\\s*${value})?\\s*\\)?(?:,.*)?|self\\.assert(?:True|False|(?:Not)?Equal|Is\\w*|(?:Not)?In|(?:Greater|Less)\\w*)\\(${value}(?:,\\s*${value})*\\))$`,
)

/** Without any assertion a helper may assert for it, and text alone does not tell. */
function isConstantText(path: string, asserts: TextTest['asserts']): boolean {
  return path.endsWith('.py') && asserts.length > 0 && asserts.every(({ text }) => constantPython.test(text))
}

/** Titles that are written out; those with placeholders get their name when they run. */
function spelled(names: readonly string[]): string | null {
  const plain = names.flatMap((name) => {
    const text = /^"(?:[^"\\]|\\.)*"$/.test(name) ? String(JSON.parse(name)) : null
    return text === null || /%[sdifjop#$]|\$\{|\$\w/.test(text) ? [] : [text]
  })
  return plain.length === names.length ? plain.join(' > ') : null
}
