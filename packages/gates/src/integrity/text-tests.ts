// Tests of other languages, as far as their text tells: which there are, whether they run, what they assert.
import { type Finding, shown } from './finding.ts'

interface Language {
  readonly files: RegExp
  /** The line on which a test begins; its name is the first group. */
  readonly test: RegExp
  readonly asserts: RegExp
  /** In the test, or on the lines above it. */
  readonly skips: RegExp
}

const languages: readonly Language[] = [
  {
    files: /\.py$/,
    test: /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
    asserts:
      /^\s*(?:assert\b|self\.assert\w+\(|self\.fail\(|(?:with\s+)?(?:pytest|self)\.(?:raises|assertRaises|warns)\b)/,
    skips:
      /@(?:unittest\.)?skip|@pytest\.mark\.(?:skip|xfail)|@(?:unittest\.)?expectedFailure|pytest\.(?:skip|xfail)\(|self\.skipTest\(|raise\s+(?:unittest\.)?SkipTest/,
  },
  {
    files: /\.go$/,
    test: /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/,
    asserts: /\b(?:t|tt|tb)\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require|is|must)\.\w+\(/,
    skips: /\b\w+\.Skip(?:f|Now)?\(/,
  },
  {
    files: /\.rs$/,
    test: /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)\s*\(/,
    asserts: /\b(?:debug_)?assert\w*!\s*[({[]|\bpanic!|\.unwrap_err\(/,
    skips: /#\[ignore|#\[should_panic|#\[cfg\((?:any\(\)|FALSE)/,
  },
  {
    files: /\.(?:java|kt|groovy|scala|cs)$/,
    test: /^\s*(?:public\s+|private\s+|internal\s+|async\s+|suspend\s+|static\s+)*(?:void|fun|Task|def)\s+`?([\w ]+?)`?\s*\(/,
    asserts: /\b(?:assert\w*|Assert\.\w+|verify|expect\w*|should\w*)\s*[({.]|\.should/i,
    skips: /@(?:Disabled|Ignore)\b|\bSkip\s*=|\[Ignore|\bassumeTrue\(false/,
  },
  {
    files: /\.(?:rb|exs?)$/,
    test: /^\s*(?:(?:it|test|specify|scenario)\s*\(?\s*["'](.+?)["']|def\s+(test_\w+))/,
    asserts: /\b(?:assert\w*|refute\w*|expect|flunk)\b|\.(?:must|wont|should)\w*/,
    skips: /^\s*(?:xit|xspecify|skip|pending)\b|@tag\s+:?skip|,\s*skip:/,
  },
  {
    files: /\.php$/,
    test: /function\s+(test\w*)\s*\(/,
    asserts: /\bassert\w*\(|->expect\w*\(/,
    skips: /markTest(?:Skipped|Incomplete)|@group\s+skip/,
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    test: /^\s*(?:it|test|specify)(?:\.\w+)*\(\s*["'`](.+?)["'`]/,
    asserts: /\b(?:expect|assert\w*)\b\s*[.(]|\bt\.(?:is|true|false|equal|deepEqual|throws|same|ok)\(/,
    skips:
      /^\s*(?:x(?:it|test|describe)|(?:it|test|describe)\.(?:skip|todo|fails|only))\b|\b(?:t|this)\.skip\(/,
  },
]

interface TextTest {
  readonly name: string
  readonly line: number
  readonly asserts: readonly string[]
  readonly skips: number
}

interface Changed {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Several files at once, since a test may have moved from one to another. */
export function compareTexts(files: readonly Changed[]): Finding[] {
  const all = files.flatMap((file) => (languageOf(file.path) === null ? [] : [file]))
  const after = all.flatMap(({ path, after: text }) => read(path, text).map((test) => ({ path, test })))
  return all.flatMap(({ path, before }) =>
    read(path, before).flatMap((was): Finding[] => {
      const same = after.find((each) => each.path === path && each.test.name === was.name)
      const moved = same ?? after.find((each) => each.test.name === was.name)
      if (moved === undefined) {
        const what = `test '${was.name}' (was line ${was.line}) was removed`
        return [{ file: path, line: null, what, blocks: true }]
      }
      return compareOne(was, moved.test).map((what) => ({
        file: moved.path,
        line: moved.test.line,
        what,
        blocks: true,
      }))
    }),
  )
}

function languageOf(path: string): Language | null {
  return languages.find(({ files }) => files.test(path)) ?? null
}

function compareOne(was: TextTest, is: TextTest): string[] {
  const name = `test '${is.name}'`
  if (was.skips > 0) return []
  if (is.skips > 0) return [`${name} no longer runs as before`]
  const gone = [...was.asserts]
  const fresh = is.asserts.filter((each) => {
    const index = gone.indexOf(each)
    if (index >= 0) gone.splice(index, 1)
    return index < 0
  })
  if (is.asserts.length < was.asserts.length) {
    const fewer = `${name} asserts less: ${was.asserts.length} assertion(s) before, ${is.asserts.length} now`
    return [`${fewer}${gone[0] === undefined ? '' : `; gone: ${shown(gone[0])}`}`]
  }
  return gone.flatMap((each) => {
    // The same line but for its values.
    const changed = fresh.find((other) => skeleton(other) === skeleton(each))
    return changed === undefined
      ? []
      : [`${name}: an expected value was changed: ${shown(each)} became ${shown(changed)}`]
  })
}

function skeleton(line: string): string {
  return line.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+(?:\.\d+)?\b|\b(?:True|False|None|true|false|nil|null)\b/g,
    '#',
  )
}

const aboveMax = 6

function read(path: string, text: string | null): TextTest[] {
  const language = languageOf(path)
  if (language === null || text === null) return []
  const lines = text.split(/\r?\n/)
  return lines.flatMap((line, index) => {
    const match = language.test.exec(line)
    const name = match?.[1] ?? match?.[2]
    if (name === undefined) return []
    const above = aboveOf(lines, index)
    if (!isTest(path, above)) return []
    const body = bodyOf(lines, index)
    return [
      {
        name,
        line: index + 1,
        asserts: body.filter((each) => language.asserts.test(each)).map((each) => each.trim()),
        skips: [...above, line, ...body].filter((each) => language.skips.test(each)).length,
      },
    ]
  })
}

/** Where only a mark on the lines above tells a test from another function. */
function isTest(path: string, above: readonly string[]): boolean {
  if (/\.rs$/.test(path)) return above.some((line) => /#\[(?:\w+::)*test|#\[rstest/.test(line))
  if (/\.(?:java|kt|groovy|scala|cs)$/.test(path))
    return above.some((line) => /@(?:\w+)?Test\b|@Test|\[(?:Fact|Theory|Test|TestMethod)/.test(line))
  return true
}

/** Attributes, decorators and comments right above. */
function aboveOf(lines: readonly string[], index: number): string[] {
  const found: string[] = []
  for (let at = index - 1; at >= 0 && found.length < aboveMax; at -= 1) {
    const line = lines[at] ?? ''
    if (!/^\s*(?:@|#\[|\[|\/\/|#|\*|\/\*)/.test(line)) break
    found.push(line)
  }
  return found.filter((line) => !/^\s*(?:\/\/|#(?!\[)|\*|\/\*)/.test(line))
}

/** By indentation, which all of these keep. */
function bodyOf(lines: readonly string[], start: number): string[] {
  const depth = indent(lines[start] ?? '')
  const body: string[] = []
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && indent(line) <= depth && !/^\s*[{)]/.test(line)) break
    if (!/^\s*(?:\/\/|#(?!\[)|\*|--)/.test(line)) body.push(line)
  }
  const inline = /[:{]\s*(\S.*)$/.exec(lines[start] ?? '')?.[1]
  return inline === undefined ? body : [inline, ...body]
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}
