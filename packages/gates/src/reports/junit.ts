// JUnit XML as pytest, vitest, jest-junit, gradle, go-junit-report and others write it.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { XMLParser } from 'fast-xml-parser'
import { fileName, frameOf, makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'

type Node = { readonly [name: string]: unknown }
const lists = new Set(['testsuite', 'testcase', 'failure', 'error', 'skipped'])
const depthMax = 20

/** Null if the text is not such a report. */
export function readJunit(xml: string, cwd: string): TestReport | null {
  // No writer of this format needs a document type, and its entities can be made to grow without bound.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return null
  const root = parse(xml)
  if (root === null) return null
  const outcomes = noOutcomes()
  // Some writers put test cases straight under the root.
  const top = [...nodes(root.testsuites), ...nodes(root.testsuite)]
  if (top.length === 0) return null
  for (const suite of top) addSuite(outcomes, suite, { cwd, names: [], file: null, depth: 0 })
  return toReport('junit', outcomes)
}

function parse(xml: string): Node | null {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    isArray: (name, _path, _leaf, isAttribute) => !isAttribute && lists.has(name),
  })
  try {
    const value: unknown = parser.parse(xml, true)
    return isNode(value) ? value : null
  } catch {
    return null
  }
}

interface Place {
  readonly cwd: string
  readonly names: readonly string[]
  readonly file: string | null
  readonly depth: number
}

function addSuite(outcomes: Outcomes, suite: Node, place: Place): void {
  if (place.depth > depthMax) return
  const file = attribute(suite, 'file') ?? attribute(suite, 'filepath') ?? place.file
  const inner = { ...place, file, depth: place.depth + 1 }
  const before = outcomes.failures.length
  for (const each of nodes(suite.testsuite)) {
    addSuite(outcomes, each, { ...inner, names: [...place.names, attribute(each, 'name') ?? ''] })
  }
  for (const each of nodes(suite.testcase)) addCase(outcomes, each, inner)
  const found = outcomes.failures.length - before
  const counted = (numeric(suite, 'failures') ?? 0) + (numeric(suite, 'errors') ?? 0)
  if (counted > found) {
    const names = [attribute(suite, 'name') ?? 'test suite']
    const message = `the suite counts ${counted} failures and errors but describes ${found}`
    outcomes.failures.push(makeFailure({ names, file, message }))
  }
}

function addCase(outcomes: Outcomes, test: Node, place: Place): void {
  const problem = [...nodes(test.failure), ...nodes(test.error)][0]
  if (problem !== undefined) outcomes.failures.push(failureOf(test, problem, place))
  else if ('skipped' in test) outcomes.skipped += 1
  else outcomes.passed += 1
}

function failureOf(test: Node, problem: Node, place: Place): TestFailure {
  const className = attribute(test, 'classname') ?? ''
  const given =
    attribute(test, 'file') ?? place.file ?? (/\.[cm]?[jt]sx?$/.test(className) ? className : null)
  const file = given === null ? null : fileName(given, place.cwd)
  const text = textOf(problem)
  const frame = frameOf(text, place.cwd, file)
  // The class is where the test stands, unless it only repeats the file or the suite.
  const repeats = ['', 'test', given, place.names.at(-1)].includes(className)
  const seconds = numeric(test, 'time')
  return makeFailure({
    names: [...(repeats ? place.names : [className]), attribute(test, 'name') ?? ''],
    file: file ?? frame?.file,
    line: numeric(test, 'line') ?? frame?.line,
    message: messageOf(problem, text),
    stack: text.trim() === '' ? null : text,
    durationMs: seconds === null ? null : seconds * 1_000,
  })
}

function messageOf(problem: Node, text: string): string {
  const first = attribute(problem, 'message') ?? text.trim().split('\n')[0] ?? ''
  const type = attribute(problem, 'type')
  return type && /(Error|Exception)$/.test(type) && !first.startsWith(type) ? `${type}: ${first}` : first
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An element without attributes and children is read as plain text. */
function nodes(value: unknown): Node[] {
  const all = Array.isArray(value) ? value : [value]
  return all.flatMap((each) => {
    if (isNode(each)) return [each]
    return typeof each === 'string' ? [{ '#text': each }] : []
  })
}

function attribute(node: Node, name: string): string | null {
  const value = node[`@${name}`]
  return typeof value === 'string' && value !== '' ? value : null
}

function numeric(node: Node, name: string): number | null {
  const value = Number(attribute(node, name) ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}

function textOf(node: Node): string {
  const value = node['#text']
  return typeof value === 'string' ? value : ''
}
