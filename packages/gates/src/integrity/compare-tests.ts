// Holds the tests of the changed files against what they were: none gone, none muted, none weaker.
import type { Assertion } from './assertions.ts'
import { exactKey, type Loss, lostAssertions } from './compare-assertions.ts'
import { type Finding, shown } from './finding.ts'
import type { TestCase } from './read-tests.ts'

export function compareTests(before: readonly TestCase[], after: readonly TestCase[]): Finding[] {
  const pairs = pair(before, after)
  const fresh = pool(pairs.fresh)
  const found = [
    ...pairs.both.flatMap(([was, is]) => compareOne(was, is, fresh)),
    ...pairs.gone.flatMap((was) => judgeGone(was, pairs.fresh, fresh)),
    ...pairs.fresh.flatMap(judgeFresh),
  ]
  return distinct(found)
}

interface Pairs {
  readonly both: readonly (readonly [TestCase, TestCase])[]
  readonly gone: readonly TestCase[]
  readonly fresh: readonly TestCase[]
}

/** By file and name, then by name in another file, then by what the test does. */
function pair(before: readonly TestCase[], after: readonly TestCase[]): Pairs {
  const left = new Set(after)
  const both: [TestCase, TestCase][] = []
  let rest = [...before]
  const keys: ((test: TestCase) => string)[] = [
    (test) => JSON.stringify([test.file, test.kind, test.names]),
    (test) => JSON.stringify([test.kind, test.names]),
    (test) => JSON.stringify([test.file, test.kind, test.names.at(-1)]),
    (test) => JSON.stringify([test.kind, test.body, test.body === '' ? test.names : '']),
  ]
  for (const keyOf of keys) {
    const byKey = Map.groupBy(left, keyOf)
    rest = rest.filter((was) => {
      const is = byKey.get(keyOf(was))?.shift()
      if (is === undefined) return true
      both.push([was, is])
      left.delete(is)
      return false
    })
  }
  return { both, gone: rest, fresh: [...left] }
}

type Pool = (assertion: Assertion) => boolean

/** Assertions of new tests, each of which can stand in for one that left an old test. */
function pool(fresh: readonly TestCase[]): Pool {
  const counts = new Map<string, number>()
  for (const test of fresh.filter(runs))
    for (const each of test.assertions)
      if (each.guards.length === 0) counts.set(exactKey(each), (counts.get(exactKey(each)) ?? 0) + 1)
  return (assertion) => {
    const key = exactKey(assertion)
    const count = counts.get(key) ?? 0
    if (count > 0) counts.set(key, count - 1)
    return count > 0
  }
}

function runs(test: TestCase): boolean {
  return test.muted === null && !test.conditional
}

function titleOf({ names, kind }: TestCase): string {
  const title = names.map((name) => name.replace(/^"|"$/g, '')).join(' > ')
  return kind === 'test' ? `test '${shown(title)}'` : shown(title)
}

function compareOne(was: TestCase, is: TestCase, elsewhere: Pool): Finding[] {
  const at = (line: number | null, what: string, blocks = true, file = is.file): Finding => ({
    file,
    line: line ?? is.line,
    what: `${titleOf(is)}: ${what}`,
    blocks,
  })
  if (was.muted !== null) return only(was, is, at)
  if (is.muted !== null) return [at(is.muted.line, `it no longer runs as before (${is.muted.how})`)]
  const conditional = is.conditional && !was.conditional
  return [
    ...(conditional ? [at(is.line, 'it is now registered only under a condition')] : []),
    ...only(was, is, at),
    ...emptied(was, is, at),
    ...lostAssertions(was.assertions, is.assertions, elsewhere).map((loss) =>
      at(loss.line, describe(loss), loss.blocks, loss.after?.file ?? is.file),
    ),
  ]
}

type At = (line: number | null, what: string, blocks?: boolean) => Finding

function only(was: TestCase, is: TestCase, at: At): Finding[] {
  if (is.only === null || was.only !== null) return []
  return [at(is.only.line, `it keeps the others from running (${is.only.how})`)]
}

/** A test may prove something by not throwing; without a body it proves nothing. */
function emptied(was: TestCase, is: TestCase, at: At): Finding[] {
  const empty = ({ body }: TestCase): boolean => /=>\{\}$|=>(undefined|null|true|void 0)$|\)\{\}$/.test(body)
  return is.kind === 'test' && empty(is) && !empty(was) && was.assertions.length === 0
    ? [at(is.line, 'its body was emptied')]
    : []
}

function describe({ what, before, after }: Loss): string {
  if (after === null) return `${what}: ${shown(before.code)} (was line ${before.line})`
  return `${what}: ${shown(before.code)} became ${shown(after.code)}`
}

/** Split up or renamed is fine; gone is not. */
function judgeGone(was: TestCase, fresh: readonly TestCase[], elsewhere: Pool): Finding[] {
  if (was.muted !== null && was.assertions.length === 0) return []
  const asserts = was.assertions.filter(({ plan }) => !plan)
  if (asserts.length > 0 && asserts.filter((each) => !elsewhere(each)).length === 0) return []
  if (was.kind !== 'test' && asserts.length === 0) return []
  const kept = fresh.some((test) => runs(test) && lostAssertions(asserts, test.assertions).length === 0)
  if (kept && asserts.length > 0) return []
  return [
    { file: was.file, line: null, what: `${titleOf(was)} (was line ${was.line}) was removed`, blocks: true },
  ]
}

/** A new test takes nothing away, unless it keeps the others from running. */
function judgeFresh(test: TestCase): Finding[] {
  const { file } = test
  if (test.kind === 'hook' && test.muted !== null) {
    const what = `${titleOf(test)} keeps tests from running (${test.muted.how})`
    return [{ file, line: test.muted.line, what, blocks: true }]
  }
  if (test.kind !== 'test') return []
  if (test.only !== null) {
    const what = `${titleOf(test)}: it keeps the others from running (${test.only.how})`
    return [{ file, line: test.only.line, what, blocks: true }]
  }
  if (test.muted === null) return []
  const what = `${titleOf(test)} is new and does not run (${test.muted.how})`
  return [{ file, line: test.muted.line, what, blocks: false }]
}

function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((each) => [`${each.file}:${each.line}:${each.what}`, each]))
  return [...seen.values()]
}
