// JSON documents and XML documents that stand in an output, one after another or among other lines.
import type { TestReport } from '@treadle/contracts/gate'
import type { Layer, Range } from './layers.ts'

/** From a place up to, but not with, another. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Spans are cut at line ends: what shares a line with a document is not read again. */
export function linesOf(text: string, spans: readonly Span[]): Range[] {
  let at = 0
  let line = 0
  const lineAt = (place: number): number => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < place; next = text.indexOf('\n', at)) {
      at = next + 1
      line += 1
    }
    return line
  }
  return spans.map(({ start, end }) => ({ from: lineAt(start), to: lineAt(end) + 1 }))
}

const candidatesMax = 50
// How often the output may be gone through, all in all, for objects that never end.
const passesMax = 4

type ReadDocument = (value: unknown, cwd: string) => TestReport | null

// A test that ends its output in the middle of a line leaves the document no line of its own.
const objectStart =
  /^[ \t]*\{|\{(?=\s*"(?:stats|numTotalTestSuites|numFailedTestSuites|results|config)"\s*:)/gm

/** Every object that `read` knows, at the beginning of a line or up to the end of one. */
export function jsonDocuments(mark: RegExp, read: ReadDocument): Layer {
  return ({ raw }, cwd) => {
    const text = raw.join('\n')
    const found = mark.test(text) ? objectsIn(text, (value) => read(value, cwd)) : []
    if (found.length === 0) return null
    return { reports: found.map(({ report }) => report), ranges: linesOf(text, found) }
  }
}

function objectsIn(
  text: string,
  read: (value: unknown) => TestReport | null,
): (Span & { report: TestReport })[] {
  const found: (Span & { report: TestReport })[] = []
  let candidates = 0
  let seen = 0
  for (const { index: start } of text.matchAll(objectStart)) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    candidates += 1
    if (candidates > candidatesMax || seen > passesMax * text.length) break
    const end = endOfObject(text, start)
    seen += (end ?? text.length) - start
    if (end === null || !hasLineEnd(text, start, end)) continue
    const report = read(parseJson(text.slice(start, end)))
    if (report === null) continue
    found.push({ start, end, report })
    candidates = 0
  }
  return found
}

const named = /^[ \t]*\{(?=\s*"(?:stats|numTotalTestSuites|numFailedTestSuites|config)"\s*:)/gm

/** The last object that only a report begins like does not end; those on lines that are left out do not count. */
export function endsInDocument(text: string, leavesOut: (line: number) => boolean = () => false): boolean {
  const all = [...text.matchAll(named)].map(({ index }) => ({ start: index, end: index }))
  const lines = linesOf(text, all)
  const last = all.findLast((_, at) => !leavesOut(lines[at]?.from ?? 0))
  return last !== undefined && endOfObject(text, last.start) === null
}

/** An object that begins in a line must end one: a test may print it among other words. */
function hasLineEnd(text: string, start: number, end: number): boolean {
  const isFirst = start === 0 || text[start - 1] === '\n'
  return isFirst || /^[^\S\n]*(?:\n|$)/.test(text.slice(end, end + 100))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** The place after the brace that closes the object which begins at `start`. */
function endOfObject(output: string, start: number): number | null {
  let depth = 0
  const marks = /"(?:[^"\\]|\\.)*"|[{}]/gs
  marks.lastIndex = start
  for (let mark = marks.exec(output); mark; mark = marks.exec(output)) {
    if (mark[0] === '{') depth += 1
    if (mark[0] === '}') depth -= 1
    if (depth === 0) return marks.lastIndex
  }
  return null
}

export interface XmlDocument extends Span {
  /** False: the text ends before the document does. */
  readonly whole: boolean
}

/** The outermost suites of JUnit, whatever was printed into them. */
export function xmlDocuments(text: string): XmlDocument[] {
  const found: XmlDocument[] = []
  let depth = 0
  let start = 0
  for (const { at, end, step } of suiteMarks(text, () => depth > 0)) {
    if (depth === 0) start = at
    depth += step
    if (depth === 0) found.push({ start, end, whole: true })
    if (found.length >= documentsMax) return found
  }
  if (depth > 0) found.push({ start, end: text.length, whole: false })
  return found
}

/** The suites of a document as they begin (1) and end (-1), with the names of their elements. */
export function suitesIn(text: string): { name: string; step: number }[] {
  let depth = 0
  const found: { name: string; step: number }[] = []
  for (const { at, step } of suiteMarks(text, () => depth > 0)) {
    depth += step
    found.push({
      name: text.startsWith('testsuites', text[at + 1] === '/' ? at + 2 : at + 1)
        ? 'testsuites'
        : 'testsuite',
      step,
    })
  }
  return found
}

/** Where suites begin (1), end (-1), or do both at once (0). */
function* suiteMarks(
  text: string,
  inside: () => boolean,
): Generator<{ at: number; end: number; step: 1 | -1 | 0 }> {
  const marks = /<!\[CDATA\[|<!--|<(\/?)testsuites?(?=[\s/>])/g
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [said, closing] = mark
    const hides = closing === undefined
    // Outside of a document neither hides nor ends anything.
    if (!inside() && (hides || closing === '/' || !opensDocument(text, mark.index))) continue
    const end = endOfMark(text, marks.lastIndex, said)
    marks.lastIndex = end < 0 ? text.length : end
    if (!hides) yield { at: mark.index, end: marks.lastIndex, step: stepOf(closing, text[end - 2]) }
  }
}

// A tag whose values are quoted, and another element or the end after it; the text may end inside of the tag.
const opening = /<testsuites?(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?:\/>|>\s*(?:<|$)|[^<>]*$)/y

/** What only names a suite, as a test's name or message may, is followed by other text. */
export function opensDocument(text: string, at: number): boolean {
  opening.lastIndex = at
  return opening.test(text)
}

function stepOf(closing: string, last: string | undefined): 1 | -1 | 0 {
  if (closing === '/') return -1
  return last === '/' ? 0 : 1
}

const documentsMax = 10_000

/** After the mark's own end; a bracket in the value of an attribute is none. */
function endOfMark(text: string, from: number, said: string): number {
  if (said === '<!--') return after(text, '-->', from)
  if (said === '<![CDATA[') return after(text, ']]>', from)
  const rest = /(?:"[^"<]*"|'[^'<]*'|[^<>"'])*>/y
  rest.lastIndex = from
  return rest.exec(text) ? rest.lastIndex : -1
}

function after(text: string, word: string, from: number): number {
  const at = text.indexOf(word, from)
  return at < 0 ? -1 : at + word.length
}
