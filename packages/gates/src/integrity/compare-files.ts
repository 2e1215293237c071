// The changed test files together, since tests move from one to another.
import { compareTests } from './compare-tests.ts'
import { newSourceDisarms } from './disarm.ts'
import type { Finding } from './finding.ts'
import { Modules } from './modules.ts'
import { changedOrigins } from './origins.ts'
import { readFunctions, readTests, type TestCase } from './read-tests.ts'
import { parseSource, type Source } from './source.ts'
import { conventionsOf, isScript, isTestSupport, isTextSupport } from './test-conventions.ts'
import { compareTexts } from './text-tests.ts'
import { newTricks } from './tricks.ts'

export interface FileChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export function compareTestFiles(changes: readonly FileChange[]): Finding[] {
  const scripts = changes.filter(({ path }) => isScript(path)).map(parse)
  const others = changes.filter(({ path }) => !isScript(path) && (isTestFile(path) || isTextSupport(path)))
  const unreadable = scripts.filter((each) => each.unreadable && isTestFile(each.path))
  const readable = scripts.filter((each) => !each.unreadable)
  return [
    ...compareScripts(readable),
    ...unreadable.map(({ path }) => ({
      file: path,
      line: null,
      what: 'it could not be parsed, so it was compared as text',
      blocks: false,
    })),
    ...compareTexts([...others, ...unreadable]),
    ...readable
      .filter(({ path, after }) => after !== null && (isTestFile(path) || isTestSupport(path)))
      .flatMap(({ is, was }) => (is === null ? [] : [...newTricks(was, is), ...changedOrigins(was, is)])),
    ...readable
      .filter(({ path }) => !isTestFile(path) && !isTestSupport(path))
      .flatMap(({ is, was }) => (is === null ? [] : newSourceDisarms(was, is))),
  ]
}

function isTestFile(path: string): boolean {
  return conventionsOf(path).length > 0
}

interface Script extends FileChange {
  readonly was: Source | null
  readonly is: Source | null
  readonly unreadable: boolean
}

function parse(change: FileChange): Script {
  const { path, before, after } = change
  const was = before === null ? null : parseSource(path, before)
  const is = after === null ? null : parseSource(path, after)
  const unreadable = (before !== null && was === null) || (after !== null && is === null)
  return { ...change, was, is, unreadable }
}

function testsOf(source: Source | null, modules: Modules): TestCase[] {
  if (source === null) return []
  const inSource = /import\.meta\.vitest/.test(source.text)
  const tests = isTestFile(source.path) || inSource ? readTests(source, modules) : []
  return tests.some(({ kind }) => kind === 'test') || !isTestSupport(source.path)
    ? tests
    : [...tests, ...readFunctions(source, modules)]
}

function compareScripts(scripts: readonly Script[]): Finding[] {
  const was = new Modules(scripts.flatMap((script) => script.was ?? []))
  const is = new Modules(scripts.flatMap((script) => script.is ?? []))
  const moved = scripts.flatMap((script) => movedAway(script, scripts, { was, is }))
  const away = new Set(moved.map(({ file }) => file))
  const before = scripts.filter(({ path }) => !away.has(path)).flatMap((script) => testsOf(script.was, was))
  const after = scripts.flatMap((script) => testsOf(script.is, is))
  return [...moved, ...deletedFiles(scripts, before, compareTests(before, after))]
}

/** A test file that was renamed to where its runner does not look. */
function movedAway(
  { path, was, after }: Script,
  scripts: readonly Script[],
  modules: { was: Modules; is: Modules },
): Finding[] {
  const own = conventionsOf(path)
  if (after !== null || was === null || own.length === 0) return []
  const names = new Set(readTests(was, modules.was).map((test) => test.names.join()))
  if (names.size === 0) return []
  const target = scripts.find(({ is, before }) => {
    if (is === null || before !== null) return false
    const there = new Set(readTests(is, modules.is).map((test) => test.names.join()))
    return [...names].filter((name) => there.has(name)).length * 2 > names.size
  })
  if (target === undefined) return []
  const there = conventionsOf(target.path)
  if (own.some((each) => there.includes(each))) return []
  const what = `its ${names.size} test(s) moved to ${target.path}, where the runner does not look for ${own[0]}`
  return [{ file: path, line: null, what, blocks: true }]
}

/** One sentence for a file that is gone with all its tests. */
function deletedFiles(
  scripts: readonly Script[],
  before: readonly TestCase[],
  findings: readonly Finding[],
): Finding[] {
  const gone = scripts.filter(({ was, after }) => was !== null && after === null).map(({ path }) => path)
  return gone.reduce<Finding[]>(
    (all, path) => {
      const own = all.filter((each) => each.file === path && each.blocks)
      const tests = before.filter((test) => test.file === path && test.kind === 'test').length
      if (own.length < 2 || own.length < tests) return all
      const what = `the test file was deleted, with its ${tests} test(s)`
      return [...all.filter((each) => each.file !== path), { file: path, line: null, what, blocks: true }]
    },
    [...findings],
  )
}
