// Tests of other languages as their text tells them: where they are, what they assert, under which conditions.

interface Language {
  readonly files: RegExp
  /** The line on which a test begins; its name is the first group. */
  readonly test: RegExp
  /** Any other function: one that asserts is part of the tests that call it. */
  readonly fn: RegExp | null
  readonly asserts: RegExp
  /** In the test, or on the lines above it. */
  readonly skips: RegExp
}

const languages: readonly Language[] = [
  {
    files: /\.py$/,
    test: /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
    fn: /^\s*(?:async\s+)?def\s+(\w+)\s*\(/,
    asserts:
      /^\s*(?:assert\b|self\.assert\w+\(|self\.fail\(|pytest\.fail\(|(?:with\s+)?(?:pytest|self)\.(?:raises|assertRaises|warns)\b|\w[\w.]*\.assert_\w+\()/,
    skips:
      /@(?:unittest\.)?skip|@pytest\.mark\.(?:skip|xfail)|@(?:unittest\.)?expectedFailure|pytest\.(?:skip|xfail)\(|self\.skipTest\(|raise\s+(?:unittest\.)?SkipTest/,
  },
  {
    files: /\.go$/,
    test: /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/,
    fn: /^func\s+(?:\([^)]*\)\s*)?(\w+)\s*[([]/,
    asserts: /\b(?:t|tt|tb)\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require|is|must)\.\w+\(/,
    skips: /\b\w+\.Skip(?:f|Now)?\(/,
  },
  {
    files: /\.rs$/,
    test: /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)\s*\(/,
    fn: /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)\s*[(<]/,
    asserts: /\b(?:debug_)?assert\w*!\s*[({[]|\bpanic!|\.unwrap_err\(/,
    skips: /#\[ignore|#\[should_panic|#\[cfg\((?:any\(\)|FALSE)/,
  },
  {
    files: /\.(?:java|kt|groovy|scala|cs)$/,
    test: /^\s*(?:public\s+|private\s+|internal\s+|async\s+|suspend\s+|static\s+)*(?:void|fun|Task|def)\s+`?([\w ]+?)`?\s*\(/,
    fn: /^\s*(?:public\s+|private\s+|protected\s+|internal\s+|static\s+)*(?:void|fun|Task|def)\s+`?([\w ]+?)`?\s*\(/,
    asserts: /\b(?:assert\w*|Assert\.\w+|verify|fail|expect\w*|should\w*)\s*[({.]|\.should/i,
    skips: /@(?:Disabled|Ignore)\b|\bSkip\s*=|\[Ignore|\bassumeTrue\(false/,
  },
  {
    files: /\.(?:rb|exs?)$/,
    test: /^\s*(?:(?:it|test|specify|scenario)\s*\(?\s*["'](.+?)["']|def\s+(test_\w+))/,
    fn: /^\s*defp?\s+(?:self\.)?(\w+[?!]?)/,
    asserts: /\b(?:assert\w*|refute\w*|expect|flunk)\b|\.(?:must|wont|should)\w*/,
    skips: /^\s*(?:xit|xspecify|skip|pending)\b|@tag\s+:?skip|,\s*skip:/,
  },
  {
    files: /\.php$/,
    test: /function\s+(test\w*)\s*\(/,
    fn: /function\s+(\w+)\s*\(/,
    asserts: /\bassert\w*\(|->expect\w*\(|(?:->|::)fail\(/,
    skips: /markTest(?:Skipped|Incomplete)|@group\s+skip/,
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    test: /^\s*(?:it|test|specify)(?:\.\w+)*\(\s*["'`](.+?)["'`]/,
    fn: null,
    asserts: /\b(?:expect|assert\w*)\b\s*[.(]|\bt\.(?:is|true|false|equal|deepEqual|throws|same|ok)\(/,
    skips:
      /^\s*(?:x(?:it|test|describe)|(?:it|test|describe)\.(?:skip|todo|fails|only))\b|\b(?:t|this)\.skip\(/,
  },
]

function languageOf(path: string): Language | null {
  return languages.find(({ files }) => files.test(path)) ?? null
}

export interface TextAssertion {
  /** In one spelling, with the conditions it stands under and the values of its variables. */
  readonly key: string
  readonly text: string
  readonly line: number
  /** How many lines it takes. */
  readonly lines: number
}

export interface TextTest {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly isTest: boolean
  readonly asserts: readonly TextAssertion[]
  readonly skips: readonly string[]
  /** How often it may end before its last line. */
  readonly returns: number
  readonly rows: readonly TextAssertion[]
}

interface Line {
  readonly text: string
  /** From 0. */
  readonly at: number
}

const aboveMax = 40

export function readTextTests(path: string, text: string | null): TextTest[] {
  const language = languageOf(path)
  if (language === null || text === null) return []
  const lines = text.split(/\r?\n/)
  const testsFrom = /\.rs$/.test(path) && !/(^|\/)tests\//.test(path) ? rustTestsFrom(lines) : 0
  return lines.flatMap((line, index): TextTest[] => {
    const above = aboveOf(lines, index)
    const match = language.test.exec(line)
    const marked = match !== null && isMarked(path, above)
    const name = marked ? (match[1] ?? match[2]) : language.fn?.exec(line)?.[1]
    if (name === undefined || (!marked && index < testsFrom)) return []
    const body = bodyOf(lines, index)
    const asserts = assertionsIn(language, body)
    if (!marked && asserts.length === 0) return []
    const code = [...above, line, ...body.map((each) => each.text)]
    return [
      {
        path,
        name,
        line: index + 1,
        isTest: marked,
        asserts,
        skips: code.filter((each) => language.skips.test(each)).map((each) => each.trim()),
        returns: body.filter((each) => /^\s*return\s*;?\s*$/.test(each.text)).length,
        rows: rowsIn(
          [...above.map((each) => ({ text: each, at: index })), ...without(body, asserts)],
          language,
        ),
      },
    ]
  })
}

/** What stands in the brackets of an assertion is part of it, and no row of a table. */
function without(body: readonly Line[], asserts: readonly TextAssertion[]): Line[] {
  const taken = new Set(
    asserts.flatMap(({ line, lines }) => Array.from({ length: lines }, (_, more) => line - 1 + more)),
  )
  return body.filter(({ at }) => !taken.has(at))
}

/** Tests stand at the end of a source file, in a module of their own. */
function rustTestsFrom(lines: readonly string[]): number {
  const at = lines.findIndex((line) => /#\[cfg\(test\)\]/.test(line))
  return at < 0 ? lines.length : at
}

/** Where only a mark on the lines above tells a test from another function. */
function isMarked(path: string, above: readonly string[]): boolean {
  if (/\.rs$/.test(path)) return above.some((line) => /#\[(?:\w+::)*test|#\[rstest/.test(line))
  if (/\.(?:java|kt|groovy|scala|cs)$/.test(path))
    return above.some((line) => /@(?:\w+)?Test\b|@Test|\[(?:Fact|Theory|Test|TestMethod)/.test(line))
  return true
}

/** Attributes and decorators right above, also over several lines; comments are left out. */
function aboveOf(lines: readonly string[], index: number): string[] {
  const depth = indent(lines[index] ?? '')
  const found: string[] = []
  for (let at = index - 1; at >= 0 && found.length < aboveMax; at -= 1) {
    const line = lines[at] ?? ''
    const inner = indent(line) > depth || /^\s*[)\]]/.test(line)
    const opens = found.length === 0 || inner || /^\s*(?:@|#|\[|\/\/|\*|\/\*)/.test(line)
    if (line.trim() === '' || !opens || (!inner && !/^\s*(?:@|#|\[|\/\/|\*|\/\*)/.test(line))) break
    found.push(line)
  }
  // Code above that belongs to another function begins with no mark.
  const first = found.findLastIndex((line) => /^\s*(?:@|#\[|\[)/.test(line))
  return found.slice(0, first + 1).filter((line) => !/^\s*(?:\/\/|#(?!\[)|\*|\/\*)/.test(line))
}

/** By indentation, which all of these keep. */
function bodyOf(lines: readonly string[], start: number): Line[] {
  const depth = indent(lines[start] ?? '')
  const body: Line[] = []
  for (let at = start + 1; at < lines.length; at += 1) {
    const text = lines[at] ?? ''
    if (text.trim() !== '' && indent(text) <= depth && !/^\s*[{)]/.test(text)) break
    if (!/^\s*(?:\/\/|#(?!\[)|\*|--)/.test(text)) body.push({ text, at })
  }
  const inline = /[:{]\s*(\S.*)$/.exec(lines[start] ?? '')?.[1]
  return inline === undefined ? body : [{ text: inline, at: start }, ...body]
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}

const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g

function assertionsIn(language: Language, body: readonly Line[]): TextAssertion[] {
  const values = valuesIn(body)
  return body.flatMap(({ text, at }, index) => {
    if (!language.asserts.test(text)) return []
    const guards = guardsOf(body, index)
    const { said, lines } = statementAt(body, index)
    // What a failure is called is no part of what is asked.
    const asked = said
      .replace(/\b(?:t|tt|tb)\.(?:Error|Fatal|Fail)\w*\(.*$/s, 't.Fail')
      .replace(/\bpanic!.*$/s, 'panic!')
    const key = [...guards, asked].map((part) => spelled(part, values)).join(' / ')
    return [{ key, text: [...guards, said].map((part) => part.trim()).join(' / '), line: at + 1, lines }]
  })
}

const statementLinesMax = 40

/** The line, and those after it until its brackets are closed. */
function statementAt(body: readonly Line[], index: number): { said: string; lines: number } {
  let said = ''
  let lines = 0
  for (const { text } of body.slice(index, index + statementLinesMax)) {
    lines += 1
    said += `${said === '' ? '' : ' '}${withoutComment(text).trim()}`
    const plain = said.replace(literal, '')
    const open = (plain.match(/[([]/g)?.length ?? 0) - (plain.match(/[)\]]/g)?.length ?? 0)
    if (open <= 0 && !/(?:\\|,|==|!=|&&|\|\||\band|\bor)$/.test(plain)) break
  }
  return { said: said.replaceAll('\\ ', ' '), lines }
}

function withoutComment(text: string): string {
  const masked = text.replace(literal, (each) => '_'.repeat(each.length))
  const at = masked.search(/\s(?:#|\/\/)(?:\s|$)/)
  return at < 0 ? text : text.slice(0, at)
}

const guard =
  /^\s*(?:\}\s*)?(?:if|elif|else|elsif|unless|try|except|catch|rescue|switch|match|case|when|default|while|with\s+(?:contextlib\.)?suppress)\b/
const later = /^\s*(?:\}\s*)?(?:else|elif|elsif|except|catch|rescue|case|when|default)\b/

/** The conditions around a line, from the outside in. */
function guardsOf(body: readonly Line[], index: number): string[] {
  const found: string[] = []
  let depth = indent(body[index]?.text ?? '')
  let besides = false
  for (let at = index - 1; at >= 0; at -= 1) {
    const text = body[at]?.text ?? ''
    const here = indent(text)
    if (text.trim() === '' || (besides ? here > depth : here >= depth)) continue
    depth = here
    // An `else` depends on what it is the other side of.
    besides = later.test(text)
    if (guard.test(text)) found.unshift(text.trim().replace(/\s*[{:]$/, ''))
  }
  return found
}

const assigns =
  /^\s*(?:(?:let|const|var|val|final|mut)\s+)*(?:[A-Za-z_][\w<>[\],.&]*\s+)?(\$?[A-Za-z_]\w*)(?:\s*:\s*[\w<>&[\], ]+)?\s*:?=(?![=>~])\s*(\S.*)$/

/** What each variable stands for that is set once. */
function valuesIn(body: readonly Line[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const often = new Set<string>()
  for (const [index, { text }] of body.entries()) {
    for (const [, name = ''] of text
      .replace(literal, '')
      .matchAll(/(\$?[A-Za-z_]\w*)\s*(?:[-+*/|&%]|:)?=(?![=>~])/g)) {
      if (values.has(name)) often.add(name)
    }
    const own = /^\s*(?:async\s+)?(?:def|fn|func|fun|function)\s+(\w+)/.exec(text)?.[1]
    if (own !== undefined) values.set(own, `own ${own}`)
    const [, name] = assigns.exec(text) ?? []
    if (name === undefined) continue
    const { said } = statementAt(body, index)
    const value = assigns.exec(said)?.[2]?.replace(/;$/, '')
    if (value !== undefined && !/[{]$/.test(value)) values.set(name, value)
  }
  for (const name of often) values.delete(name)
  return values
}

const depthMax = 3

/** Layout, quotes and names of variables make no difference. */
function spelled(text: string, values: ReadonlyMap<string, string>): string {
  const [, name, value, rest] = /^(?:\}\s*)?if\s+(\w+)\s*:=\s*(.+?);\s*(.+)$/s.exec(text.trim()) ?? []
  const known = name === undefined || value === undefined ? values : new Map([...values, [name, value]])
  let said = rest === undefined ? text : `if ${rest}`
  for (let depth = 0; depth < depthMax; depth += 1) {
    said = said.replace(
      /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.$])\$?[A-Za-z_]\w*(?!\w)/g,
      (word) => known.get(word) ?? word,
    )
  }
  return said
    .replaceAll("'", '"')
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w$ ]) ?/g, '$1')
    .replace(/,(?=[)\]}])/g, '')
    .replace(/[;{]$/, '')
}

const row = /^\s*(?:[{([].*[})\]],?|(?:\w+|"[^"]*"|'[^']*')\s*(?::|=>)\s*.+,)\s*$/

/** Lines of a table of cases: what a test is given, and what it expects. */
function rowsIn(lines: readonly Line[], language: Language): TextAssertion[] {
  return lines.flatMap(({ text, at }) => {
    const plain = withoutComment(text)
    if (!row.test(plain) || !/["'\d]|\b(?:True|False|None|true|false|nil|null)\b/.test(plain)) return []
    if (language.asserts.test(plain) || /^\s*[#@[]\w*\[?(?:cfg|test|derive)/.test(plain)) return []
    return [
      { key: spelled(plain.replace(/,\s*$/, ''), new Map()), text: plain.trim(), line: at + 1, lines: 1 },
    ]
  })
}
