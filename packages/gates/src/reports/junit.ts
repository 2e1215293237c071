// JUnit XML as pytest, surefire, gradle, phpunit, vitest, jest-junit, mocha and others write it.
import { isAbsolute } from 'node:path'
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { messageOf as wordsOf } from '@treadle/flow/fault'
import { XMLParser } from 'fast-xml-parser'
import { linesOf, suitesIn, xmlDocuments } from './documents.ts'
import { fileName, frameOf, framesOf } from './frames.ts'
import { comparedIn, frameInClass } from './java.ts'
import { fileOfClass } from './java-sources.ts'
import {
  attribute,
  depthMax,
  groupsWith,
  hasProperty,
  isBad,
  isNode,
  missingOfBats,
  type JunitNode as Node,
  neverRan,
  nodes,
  numeric,
  outputOf,
  problemsOf,
  textOf,
  uncounted,
} from './junit-nodes.ts'
import type { Layer } from './layers.ts'
import {
  addPassed,
  addUp,
  isTestFile,
  makeFailure,
  noOutcomes,
  noTestsIn,
  type Outcomes,
  toReport,
} from './report.ts'

const lists = new Set([
  'testsuite',
  'testcase',
  'failure',
  'error',
  'warning',
  'skipped',
  'system-out',
  'system-err',
])
// Jest's class of a file that cannot be loaded.
const suiteFailed = 'Test suite failed to run'

/** All documents of an output, one after another. */
export const junit: Layer = ({ raw }, cwd) => {
  const text = raw.join('\n')
  const all = xmlDocuments(text)
  const read = all.map(({ start, end, whole }) =>
    whole ? readJunit(text.slice(start, end), cwd) : readCut(text.slice(start, end), cwd),
  )
  if (all.length === 0) return null
  const reports = read.flatMap((each) => (typeof each === 'string' ? [] : [each]))
  // A document in one line that nothing introduces may be what a test printed.
  const weak = new Set(
    read.flatMap((each, index) => {
      const { start, end } = all[index] ?? { start: 0, end: 0 }
      const isOpened = /<\?xml[^<>]*\?>\s*$/.test(text.slice(Math.max(0, start - 200), start))
      return typeof each === 'string' || isOpened || text.slice(start, end).includes('\n') ? [] : [each]
    }),
  )
  const whys = new Set(read.filter((each) => typeof each === 'string'))
  return { reports, ranges: linesOf(text, all), problems: [...whys].map(unread), weak }
}

const unread = (why: string): string => `a report in XML could not be read: ${why}`

const cutOff = 'it is cut off: its outermost suite has no end'

/** What a document tells up to where it is cut off, with a failure for the rest; why not, if it tells of no test. */
function readCut(xml: string, cwd: string): TestReport | string {
  const last = xml.lastIndexOf('<testcase')
  if (last < 0) return cutOff
  const tag = /^<[^<>]*>/.exec(xml.slice(last))?.[0] ?? ''
  const end = tag.endsWith('/>') ? last + tag.length : xml.lastIndexOf('</testcase>') + '</testcase>'.length
  const isOpen = end < last
  const read = readJunit(closed(xml.slice(0, isOpen ? last : end)), cwd)
  if (typeof read === 'string') return read
  // Not even the first test is told.
  if (tag === '' && read.total === 0) return cutOff
  const name = isOpen ? /\bname="([^"<>]*)"/.exec(tag)?.[1] : undefined
  const failure = makeFailure({ names: ['test run', name ?? ''], idFile: '', message: cutOff })
  return addUp([read, { ...toReport('junit', noOutcomes()), total: 1, failed: 1, failures: [failure] }])
}

/** The document with an end for each suite that is open. */
function closed(xml: string): string {
  const open: string[] = []
  for (const { name, step } of suitesIn(xml)) {
    if (step > 0) open.push(name)
    else if (step < 0) open.pop()
  }
  return (
    xml +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  )
}

/** Why not, if the text is not such a report. */
function readJunit(xml: string, cwd: string): TestReport | string {
  // No writer of this format needs a document type, and its entities can be made to grow without bound.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return 'it has a document type'
  const root = parse(nodeComment.test(xml.slice(-commentsMax)) ? asNodeMeant(xml) : xml)
  if (typeof root === 'string') return root
  const outcomes = noOutcomes()
  // Some writers put test cases straight under the root.
  const top = [...nodes(root.testsuites), ...nodes(root.testsuite)]
  if (top.length === 0) return 'it has no test suite'
  for (const suite of top) {
    const isTap = attribute(suite, 'name') === 'TAP Tests'
    const isVitest = attribute(suite, 'name') === 'vitest tests'
    addSuite(outcomes, suite, { cwd, names: [], file: null, depth: 0, isTap, isVitest, more: { count: 0 } })
  }
  addUntold(outcomes, xml, top)
  return toReport('junit', outcomes)
}

/** Node escapes a quotation mark twice, and has no name for the suite of a file whose last hook failed. */
function asNodeMeant(xml: string): string {
  return xml.replaceAll('&amp;quot;', '&quot;').replaceAll(/<(\/?)undefined(?=[ >])/g, '<$1testsuite')
}

/** Node counts in comments at the end, a test with subtests too, and leaves out one that fails after its subtests. */
function addUntold(outcomes: Outcomes, xml: string, top: readonly Node[]): void {
  // A group without tests is a case of its own, and not counted.
  const passed = /<!-- pass (\d{1,9}) -->/.exec(xml.slice(-commentsMax))?.[1]
  if (passed !== undefined) outcomes.passed = Math.min(outcomes.passed, Number(passed))
  const counts = [...xml.slice(-commentsMax).matchAll(/<!-- (?:fail|cancelled) (\d{1,9}) -->/g)]
  const counted = counts.reduce((all, [, count]) => all + Number(count), 0)
  const groups = top.reduce((all, suite) => all + badGroups(suite, 0), 0)
  const untold = counted - outcomes.failures.length - groups
  if (untold <= 0) return
  const message = `the report counts ${counted} failures and leaves out ${untold} of them`
  outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
}

const commentsMax = 2_000
const nodeComment = /<!-- duration_ms [\d.]+ -->/

/** How many suites in this one have failures in them. */
function badGroups(suite: Node, depth: number): number {
  if (depth > depthMax) return 0
  return nodes(suite.testsuite).reduce(
    (all, each) => all + badGroups(each, depth + 1) + ((numeric(each, 'failures') ?? 0) > 0 ? 1 : 0),
    0,
  )
}

function parse(xml: string): Node | string {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // Characters by number, which nearly all writers use, are read only with these.
    htmlEntities: true,
    isArray: (name, _path, _leaf, isAttribute) => !isAttribute && lists.has(name),
  })
  try {
    const value: unknown = parser.parse(xml, true)
    return isNode(value) ? value : 'it has no test suite'
  } catch (error) {
    return wordsOf(error)
  }
}

interface SuiteContext {
  readonly cwd: string
  readonly names: readonly string[]
  readonly file: string | null
  readonly depth: number
  /** Node-tap wrote it: a group is a case, too, and counted like one. */
  readonly isTap: boolean
  /** Vitest wrote it, under the name that it gives unless it is told another. */
  readonly isVitest: boolean
  /** How many failures there were beyond the first of each case. */
  readonly more: { count: number }
  /** The names of cases beside it that failed. */
  readonly broken?: ReadonlySet<string | null>
}

/** Returns how many test cases it found. */
function addSuite(outcomes: Outcomes, suite: Node, place: SuiteContext): number {
  if (place.depth > depthMax) return 0
  const file = attribute(suite, 'file') ?? attribute(suite, 'filepath') ?? place.file
  const inner = { ...place, file, depth: place.depth + 1 }
  const before = outcomes.failures.length
  const more = place.more.count
  const { skipped } = outcomes
  const groups = place.isTap ? groupsWith(nodes(suite.testsuite)) : new Set()
  const cases = nodes(suite.testcase).filter((each) => !groups.has(attribute(each, 'name')))
  const warned = outcomes.warnings.length
  let seen = cases.length
  for (const each of nodes(suite.testsuite)) {
    seen += addSuite(outcomes, each, { ...inner, names: [...place.names, attribute(each, 'name') ?? ''] })
  }
  const broken = brokenIn(cases, attribute(suite, 'name'))
  for (const each of cases) addCase(outcomes, each, { ...inner, broken })
  addNeverEnded(outcomes, suite, { cases, file, isVitest: place.isVitest })
  // Jasmine counts each expectation of a test that failed.
  place.more.count += cases.reduce((all, each) => all + moreIn(each), 0)
  const found = outcomes.failures.length - before + place.more.count - more
  const counted = badOf(suite, found)
  if (counted > found && !(place.isTap && found > 0)) {
    const names = [attribute(suite, 'name') ?? 'test suite']
    const message = `the suite counts ${counted} failures and errors but describes ${found}`
    outcomes.failures.push(makeFailure({ names, file, message }))
  }
  const toDo = uncounted(suite, cases)
  outcomes.passed -= toDo
  outcomes.skipped += toDo
  seen += addUntoldSkips(outcomes, suite, { seen, skipped })
  // Said once, where it is closest to what is missing.
  if (outcomes.warnings.length === warned && !place.isTap) warnOfMissing(outcomes, suite, seen)
  return seen
}

/** How many cases failed by the suite's own count; mocha, up to version 5, calls its failures errors as well. */
function badOf(suite: Node, found: number): number {
  const [failures, errors] = [numeric(suite, 'failures') ?? 0, numeric(suite, 'errors') ?? 0]
  return failures === errors && failures === found ? found : failures + errors
}

/** What vitest and bats write of a process that died. */
function addNeverEnded(
  outcomes: Outcomes,
  suite: Node,
  { cases, file, isVitest }: { cases: readonly Node[]; file: string | null; isVitest: boolean },
): void {
  if (isVitest && neverRan(suite, cases)) {
    const message = 'none of its tests took any time: the process that was to run them died'
    outcomes.failures.push(makeFailure({ names: [attribute(suite, 'name') ?? ''], file, message }))
  }
  const missing = missingOfBats(suite, cases)
  if (missing !== null)
    outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message: missing }))
}

const moreIn = (test: Node): number => Math.max(0, problemsOf(test).length - 1)

function warnOfMissing(outcomes: Outcomes, suite: Node, seen: number): void {
  const announced = numeric(suite, 'tests') ?? 0
  if (announced <= seen) return
  const name = attribute(suite, 'name') ?? 'the report'
  outcomes.warnings.push(`${name} counts ${announced} tests but describes ${seen}: it may have been cut off`)
}

/** Mocha-junit-reporter counts what was skipped and leaves it out. Returns how many that are. */
function addUntoldSkips(
  outcomes: Outcomes,
  suite: Node,
  { seen, skipped }: { seen: number; skipped: number },
): number {
  const untold = (numeric(suite, 'skipped') ?? 0) - (outcomes.skipped - skipped)
  if (untold <= 0 || (numeric(suite, 'tests') ?? 0) < seen + untold) return 0
  outcomes.skipped += untold
  return untold
}

function addCase(outcomes: Outcomes, test: Node, place: SuiteContext): void {
  const problem = problemsOf(test)[0]
  const name = attribute(test, 'name')
  // What is still to do may fail, with node.
  const isToDo = nodes(test.skipped).some((each) => attribute(each, 'type') === 'todo')
  if (problem !== undefined && !isToDo) {
    const failure = failureOf(test, problem, place)
    // Jest-junit writes a file that cannot be loaded twice.
    const again = failure.id === failure.file && outcomes.failures.at(-1)?.id === failure.id
    if (!again) outcomes.failures.push(failure)
  } else if (name === null && attribute(test, 'classname') === null) {
    // Pytest, when it is interrupted.
    const message = 'the report tells of a test without a name: the run was interrupted'
    outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
  } else if (nodes(test.skipped).some((each) => attribute(each, 'message') === unexpected)) {
    outcomes.failures.push(failureOf(test, { '@message': unexpected }, place))
  } else if (isSkipped(test, place)) outcomes.skipped += 1
  else if (isFileOnly(test, place))
    outcomes.warnings.push(noTestsIn(attribute(test, 'file') ?? name ?? '', place.cwd))
  else addPassed(outcomes, [attribute(test, 'file'), attribute(test, 'classname'), name])
}

// Nose2's words for a test that was expected to fail.
const unexpected = 'test passes unexpectedly'

function isSkipped(test: Node, place: SuiteContext): boolean {
  const isMarked = place.isTap && hasProperty(test, 'skip', 'todo')
  return 'skipped' in test || isMarked || wasNeverRun(test, place)
}

/** Vitest writes a group whose hook failed like a test, and the tests in it as if they had passed in no time. */
function wasNeverRun(test: Node, { broken }: SuiteContext): boolean {
  if (broken === undefined || broken.size === 0) return false
  return groupsOf(test).some((group) => broken.has(group))
}

/** The groups that a case of vitest stands in, and its file. */
function groupsOf(test: Node): string[] {
  const names = (attribute(test, 'name') ?? '').split(' > ')
  return [
    attribute(test, 'classname') ?? '',
    ...names.slice(1).map((_, at) => names.slice(0, at + 1).join(' > ')),
  ]
}

/** The cases that failed, but for groups of which a test took time; none where the class is not the file. */
function brokenIn(cases: readonly Node[], file: string | null): ReadonlySet<string | null> {
  if (cases.some((each) => attribute(each, 'classname') !== file)) return new Set()
  const broken = new Set(cases.filter(isBad).map((each) => attribute(each, 'name')))
  const ran = cases.filter((each) => !isBad(each) && attribute(each, 'time') !== '0')
  for (const group of ran.flatMap(groupsOf)) broken.delete(group)
  return broken
}

/** A test case of node's that is a whole file. */
function isFileOnly(test: Node, { names }: SuiteContext): boolean {
  const [name = '', file, className] = ['name', 'file', 'classname'].map(
    (each) => attribute(test, each) ?? '',
  )
  // Before version 24 it does not name the file of a test.
  const isNamed = file === '' ? names.length === 0 : `/${file}`.endsWith(`/${name}`)
  return className === 'test' && isNamed && isTestFile(name, '/')
}

function failureOf(test: Node, problem: Node, place: SuiteContext): TestFailure {
  const className = attribute(test, 'classname') ?? attribute(test, 'class') ?? ''
  const name = attribute(test, 'name') ?? ''
  const given = fileGiven(test, className, place)
  const text = textOf(problem)
  // Java names no folders: there the class is what tells a test, and where in the stack it stands.
  const inClass = frameInClass(framesOf(text, place.cwd), className)
  const classFile = given === null ? (inClass?.file ?? fileOfClass(className, place.cwd)) : null
  const file = given === null ? classFile : fileName(given, place.cwd)
  const frame = inClass ?? frameOf(text, place.cwd, file)
  // The class is where the test stands, unless it only repeats the file, the suite or the test.
  const repeats = ['', 'test', given, name, place.names.at(-1)].includes(className)
  const seconds = numeric(test, 'time')
  const message = messageOf(problem, text, `${className}::${name}`)
  return makeFailure({
    names: namesOf(className, name, { place, file: file ?? frame?.file ?? null, repeats }),
    file: file ?? frame?.file,
    ...(classFile === null ? {} : { idFile: '', ...comparedIn(text || message) }),
    // The line that failed is worth more than the line where the test begins.
    line: (file === null || frame?.file === file ? frame?.line : null) ?? numeric(test, 'line'),
    message,
    stack: text.trim() === '' ? null : text,
    durationMs: seconds === null ? null : seconds * 1_000,
    output: outputOf(test),
    cwd: place.cwd,
  })
}

function fileGiven(test: Node, className: string, place: SuiteContext): string | null {
  const isFile = /\.[cm]?[jt]sx?$/.test(className)
  const name = className === suiteFailed ? attribute(test, 'name') : null
  return attribute(test, 'file') ?? place.file ?? name ?? (isFile ? className : null)
}

interface Named {
  readonly place: SuiteContext
  readonly file: string | null
  /** The class says nothing that is not said elsewhere. */
  readonly repeats: boolean
}

function namesOf(className: string, name: string, { place, file, repeats }: Named): string[] {
  // Pytest names a file that cannot be imported like a module.
  if (className === '' && file?.replace(/\.py$/, '').replaceAll('/', '.') === name) return []
  if (className === suiteFailed) return []
  // Jest-junit writes the whole title twice.
  if (className !== '' && className === name) return [name.trim()]
  if (!repeats) return [className, name]
  // PHPUnit's outermost suite is a folder.
  return [...place.names.filter((each) => each !== file && !isAbsolute(each)), name]
}

function messageOf(problem: Node, text: string, title: string): string {
  // PHPUnit begins with the test's name, and the message comes after it.
  const lines = text
    .trim()
    .replace(/^● Test suite failed to run\s+/, '')
    .split('\n')
  const said = lines[0]?.startsWith(title) && lines.length > 1 ? lines[1] : lines[0]
  const given = attribute(problem, 'message')
  // Pytest's own words for a file that cannot be imported say nothing of the error.
  const first =
    given === 'collection failure' ? (/^E +(.+)$/m.exec(text)?.[1] ?? given) : (given ?? said ?? '')
  const type = attribute(problem, 'type')
  return type && /(Error|Exception)$/.test(type) && !first.startsWith(type) ? `${type}: ${first}` : first
}
