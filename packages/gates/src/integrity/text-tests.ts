// Tests of other languages held against what they were: none gone, none muted, no assertion another than before.
import { type Finding, shown } from './finding.ts'
import { readTextTests, type TextAssertion, type TextTest } from './text-read.ts'

interface Changed {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Several files at once, since a test may have moved from one to another. */
export function compareTexts(files: readonly Changed[]): Finding[] {
  const before = files.flatMap(({ path, before: text }) => readTextTests(path, text))
  const after = files.flatMap(({ path, after: text }) => readTextTests(path, text))
  const { both, gone, fresh } = pair(before, after)
  const pool = fresh.filter(({ skips }) => skips.length === 0)
  return [
    ...both.flatMap(([was, is]) => compareOne(was, is, pool)),
    ...gone.flatMap((was) => judgeGone(was, pool)),
    ...files.flatMap(newStandIns),
  ]
}

/** A name that a Python test imports, and that the file now defines itself. */
function newStandIns({ path, before, after }: Changed): Finding[] {
  if (before === null || after === null || !path.endsWith('.py')) return []
  const defined = (text: string): Map<string, number> =>
    new Map(
      text.split(/\r?\n/).flatMap((line, at): [string, number][] => {
        const [, name, set] = /^(?:(?:async\s+)?def|class)\s+(\w+)|^(\w+)\s*=(?!=)/.exec(line) ?? []
        return name === undefined && set === undefined ? [] : [[name ?? set ?? '', at + 1]]
      }),
    )
  const imported = new Set(
    [...before.matchAll(/^(?:from\s+\S+\s+)?import\s+\(?([^()\n]+|[^()]+\))/gm)].flatMap(([, names = '']) =>
      names.split(',').flatMap((each) => /(\w+)\W*$/.exec(each)?.[1] ?? []),
    ),
  )
  const known = defined(before)
  return [...defined(after)].flatMap(([name, line]) =>
    imported.has(name) && !known.has(name)
      ? [{ file: path, line, what: `${name} stands in for what was imported`, blocks: true }]
      : [],
  )
}

interface Pairs {
  readonly both: readonly (readonly [TextTest, TextTest])[]
  readonly gone: readonly TextTest[]
  readonly fresh: readonly TextTest[]
}

/** Classes may have tests of the same name: the one that says the same comes first, then the next in order. */
function pair(before: readonly TextTest[], after: readonly TextTest[]): Pairs {
  const left = new Set(after)
  const both: [TextTest, TextTest][] = []
  let rest = [...before]
  const same = (was: TextTest, is: TextTest): boolean => was.name === is.name && was.isTest === is.isTest
  const ways: ((was: TextTest, is: TextTest) => boolean)[] = [
    (was, is) => was.path === is.path && same(was, is) && lostIn(was.asserts, is.asserts).length === 0,
    (was, is) => was.path === is.path && same(was, is),
    (was, is) => same(was, is) && lostIn(was.asserts, is.asserts).length === 0,
    same,
  ]
  for (const matches of ways) {
    rest = rest.filter((was) => {
      const is = [...left].find((each) => matches(was, each))
      if (is === undefined) return true
      both.push([was, is])
      left.delete(is)
      return false
    })
  }
  return { both, gone: rest, fresh: [...left] }
}

/** Each of the first that is not, as often, among the second. */
function lostIn(was: readonly TextAssertion[], is: readonly TextAssertion[]): TextAssertion[] {
  const left = is.map(({ key }) => key)
  return was.filter(({ key }) => {
    const index = left.indexOf(key)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

function titleOf({ name, isTest }: TextTest): string {
  return isTest ? `test '${name}'` : `function ${name}`
}

/** Renamed or split up is fine, as long as all is asserted in a new test. */
function judgeGone(was: TextTest, fresh: readonly TextTest[]): Finding[] {
  const kept = fresh.some((is) => lostIn(was.asserts, is.asserts).length === 0)
  if (was.asserts.length > 0 && kept) return []
  const what = `${titleOf(was)} (was line ${was.line}) was removed`
  return [{ file: was.path, line: null, what, blocks: true }]
}

function compareOne(was: TextTest, is: TextTest, fresh: readonly TextTest[]): Finding[] {
  const at = (line: number, what: string): Finding => ({
    file: is.path,
    line,
    what: `${titleOf(is)}${what}`,
    blocks: true,
  })
  const muted = is.skips.filter((each) => !was.skips.includes(each))
  if (muted.length > 0) return [at(is.line, ' no longer runs as before')]
  const ends = is.returns > was.returns ? [at(is.line, ': it may now end before its assertions')] : []
  const rows = lostIn(was.rows, is.rows).map((each) =>
    at(is.line, `: what it is given or expects was changed: ${shown(each.text)} is gone`),
  )
  return [...ends, ...compareAsserts(was, is, { at, fresh }), ...rows]
}

interface Around {
  readonly at: (line: number, what: string) => Finding
  readonly fresh: readonly TextTest[]
}

function compareAsserts(was: TextTest, is: TextTest, { at, fresh }: Around): Finding[] {
  const moved = fresh.flatMap(({ asserts }) => asserts)
  const gone = lostIn(lostIn(was.asserts, is.asserts), moved)
  const [first] = gone
  if (first === undefined) return []
  if (is.asserts.length < was.asserts.length) {
    const fewer = `${was.asserts.length} assertion(s) before, ${is.asserts.length} now`
    return [at(is.line, ` asserts less: ${fewer}; gone: ${shown(first.text)}`)]
  }
  const left = lostIn(is.asserts, was.asserts)
  return gone.map((each) => {
    // The same line but for its values, else the first of those that are new.
    const like = left.findIndex((other) => skeleton(other.text) === skeleton(each.text))
    const [now] = left.splice(Math.max(0, like), 1)
    if (now === undefined) return at(is.line, `: an assertion was removed: ${shown(each.text)}`)
    if (now.text === each.text)
      return at(now.line, `: what is asserted about was changed: ${shown(now.text)}`)
    const what = like < 0 ? 'an assertion was changed' : 'an expected value was changed'
    return at(now.line, `: ${what}: ${shown(each.text)} became ${shown(now.text)}`)
  })
}

function skeleton(line: string): string {
  return line.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+(?:\.\d+)?\b|\b(?:True|False|None|true|false|nil|null)\b/g,
    '#',
  )
}
