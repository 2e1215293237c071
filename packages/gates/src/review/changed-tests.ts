// What a change is made of, and which tests it brings along.

import { Modules } from '../integrity/modules.ts'
import { conventionsOf, isScript, isSnapshot } from '../integrity/places.ts'
import { readTests } from '../integrity/read-tests.ts'
import { parseSource } from '../integrity/source.ts'
import { readTextTests } from '../integrity/text-read.ts'

export interface SortedChange {
  readonly documents: readonly string[]
  /** Tests, and what lies with them: helpers, fixtures, snapshots. */
  readonly tests: readonly string[]
  readonly code: readonly string[]
}

const document =
  /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:README|CHANGELOG|CONTRIBUTING|LICENSE|LICENCE|NOTICE|AUTHORS)(?:\.\w+)?$|(?:^|\/)docs?\/.*\.(?:png|jpe?g|gif|svg|webp)$/i
const testFolder =
  /(?:^|\/)(?:tests?|specs?|e2e|__tests__|__mocks__|__fixtures__|__snapshots__|testdata|test-utils?)\//

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
function isOfTests(path: string): boolean {
  if (testFolder.test(path) || isSnapshot(path)) return true
  return conventionsOf(path).length > 0 && !path.endsWith('.rs')
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
      return after === was ? [] : [{ file: path, name: null, added: was === null, asserts: true }]
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
        body: JSON.stringify([asserts, rows].map((list) => list.map(({ key }) => key))),
        // A helper may assert for it, and text alone does not tell.
        asserts: true,
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
      asserts: assertions.length > 0 || asserting.test(body),
    }))
}

/** Titles that are written out; those with placeholders get their name when they run. */
function spelled(names: readonly string[]): string | null {
  const plain = names.flatMap((name) => {
    const text = /^"(?:[^"\\]|\\.)*"$/.test(name) ? String(JSON.parse(name)) : null
    return text === null || /%[sdifjop#$]|\$\{|\$\w/.test(text) ? [] : [text]
  })
  return plain.length === names.length ? plain.join(' > ') : null
}
