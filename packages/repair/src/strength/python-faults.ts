// Faults for Python, planted in its text: there is no tree of it here, and the project's own command runs them.

export interface PythonFault {
  readonly line: number
  readonly operator: string
  /** The line as it was and as it is. */
  readonly before: string
  readonly after: string
  /** The whole file with the fault. */
  readonly text: string
}

const OTHER =
  "(lambda r: (not r) if isinstance(r, bool) else r + 1 if isinstance(r, (int, float)) else r + '?' if isinstance(r, str) else None if r is not None else 0)"

type Make = (code: string) => readonly string[]

/** Words and signs that stand for another one; each place is a fault of its own. */
const SWAPS: readonly (readonly [operator: string, sign: RegExp, by: (sign: string) => string])[] = [
  ['compare-direction', /==|!=/g, (sign) => (sign === '==' ? '!=' : '==')],
  [
    'compare-boundary',
    /(?<![<>=!-])[<>](?![<>=])|[<>]=/g,
    (sign) => (sign.length === 2 ? (sign[0] ?? '') : `${sign}=`),
  ],
  ['connective', /\b(?:and|or)\b/g, (sign) => (sign === 'and' ? 'or' : 'and')],
  [
    'arithmetic-operator',
    /(?<=[\w)\]] )[+*/-](?= [\w([])/g,
    (sign) => ({ '+': '-', '-': '+', '*': '/', '/': '*' })[sign] ?? sign,
  ],
  ['number-near', /(?<![\w.])\d+(?![\w.])/g, (sign) => String(Number(sign) + 1)],
]

const KINDS: readonly (readonly [operator: string, make: Make])[] = [
  ['other-result', (code) => [code.replace(/^(\s*return )(.+)$/, `$1${OTHER}($2)`)]],
  ...SWAPS.map(([operator, sign, by]): [string, Make] => [operator, (code) => swapped(code, sign, by)]),
]
const PER_LINE_MAX = 4

/** Faults of the named lines, from 1; the lines take turns. Lines that are only part of a statement, or text, are left alone. */
export function plantPython(text: string, lines: ReadonlySet<number>): PythonFault[] {
  const all = text.split('\n')
  const whole = statementLines(all)
  const byLine = all.map((code, at) => (lines.has(at + 1) && whole.has(at) ? faultsOf(all, at, code) : []))
  const longest = Math.max(0, ...byLine.map((own) => own.length))
  return Array.from({ length: longest }, (_, turn) => byLine.flatMap((own) => own[turn] ?? [])).flat()
}

function faultsOf(all: readonly string[], at: number, code: string): PythonFault[] {
  if (/^\s*(?:#|@|import\b|from\b|def\b|class\b|async def\b|assert\b|$)/.test(code)) return []
  const found = KINDS.flatMap(([operator, make]) => make(code).map((after) => ({ operator, after })))
  return found
    .filter(({ after }) => after !== code)
    .slice(0, PER_LINE_MAX)
    .map(({ operator, after }) => ({
      line: at + 1,
      operator,
      before: code.trim(),
      after: after.trim(),
      text: [...all.slice(0, at), after, ...all.slice(at + 1)].join('\n'),
    }))
}

function swapped(code: string, sign: RegExp, by: (sign: string) => string): string[] {
  const bare = withoutTexts(code)
  return [...bare.matchAll(sign)].map(
    ({ index, 0: found }) => `${code.slice(0, index)}${by(found)}${code.slice(index + found.length)}`,
  )
}

/** The line with texts and remarks blanked out, each as long as it was. */
function withoutTexts(code: string): string {
  return code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|#.*$/g, (part) => ' '.repeat(part.length))
}

/** Lines that are a statement by themselves: outside of brackets and of texts of several lines. */
function statementLines(all: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  let depth = 0
  let quote: string | null = null
  for (const [at, code] of all.entries()) {
    const was = quote
    quote = quoteAfter(code, quote)
    if (was !== null || quote !== null || /"""|'''/.test(code)) continue
    const isFirst = depth === 0
    depth += opened(withoutTexts(code))
    if (isFirst && depth === 0 && !code.endsWith('\\')) found.add(at)
  }
  return found
}

/** The mark of a text of several lines that is open after a line; null if none is. */
function quoteAfter(code: string, before: string | null): string | null {
  let quote = before
  for (const [mark] of code.matchAll(/"""|'''/g)) {
    if (quote === null) quote = mark
    else if (quote === mark) quote = null
  }
  return quote
}

function opened(bare: string): number {
  return (bare.match(/[([{]/g) ?? []).length - (bare.match(/[)\]}]/g) ?? []).length
}
