// The elements of a JUnit document, and what single writers mean by them.

export type JunitNode = { readonly [name: string]: unknown }
export const depthMax = 20

/** Jest-junit describes what is still to do as if it had passed, in no time, and does not count it. Returns how many. */
export function uncounted(suite: JunitNode, cases: readonly JunitNode[]): number {
  // Mocha does not count its hooks.
  const isItsOwn = cases.every(
    (each) => each['@classname'] === each['@name'] && !/" hook\b/.test(attribute(each, 'name') ?? ''),
  )
  const surplus = isItsOwn ? cases.length - (numeric(suite, 'tests') ?? cases.length) : 0
  // Where it counts none at all, the first has the time that the file took.
  const isIdle = (each: JunitNode): boolean => numeric(suite, 'tests') === 0 || numeric(each, 'time') === 0
  const silent = cases.filter((each) => !isBad(each) && !('skipped' in each) && isIdle(each))
  return Math.max(0, Math.min(surplus, silent.length))
}

/** The groups of node-tap that describe their tests; one that failed with none of these still counts. */
export function groupsWith(suites: readonly JunitNode[]): ReadonlySet<string | null> {
  const isTold = (suite: JunitNode): boolean =>
    nodes(suite.testcase).length > 0 && ((numeric(suite, 'failures') ?? 0) === 0 || hasBad(suite, 0))
  return new Set(suites.filter(isTold).map((suite) => attribute(suite, 'name')))
}

function hasBad(suite: JunitNode, depth: number): boolean {
  if (depth > depthMax) return false
  return nodes(suite.testcase).some(isBad) || nodes(suite.testsuite).some((each) => hasBad(each, depth + 1))
}

/** What node-tap says of a case in properties. */
export function hasProperty(test: JunitNode, ...names: readonly string[]): boolean {
  const all = nodes(test.properties).flatMap((each) => nodes(each.property))
  return all.some((each) => names.includes(attribute(each, 'name') ?? ''))
}

/** Vitest writes the tests of a process that died as if they had passed, all in no time, and their file with them. */
export function neverRan(suite: JunitNode, cases: readonly JunitNode[]): boolean {
  const name = attribute(suite, 'name') ?? ''
  const isFile = /\.[cm]?[jt]sx?$/.test(name) && attribute(suite, 'time') === '0'
  const isIdle = (test: JunitNode): boolean => {
    const isOwn = attribute(test, 'time') === '0' && attribute(test, 'classname') === name
    return isOwn && problemsOf(test).length === 0 && !('skipped' in test)
  }
  return isFile && cases.length > 0 && cases.every(isIdle)
}

const batsMissing = /^bats warning: Executed \d+ instead of expected \d+ tests$/m

/** What bats says of tests that never ended, in what the last one printed. */
export function missingOfBats(suite: JunitNode, cases: readonly JunitNode[]): string | null {
  const last = cases.at(-1)
  if (last === undefined || !/\.bats$/.test(attribute(suite, 'name') ?? '')) return null
  return batsMissing.exec(outputOf(last))?.[0] ?? null
}

export const problemsOf = (test: JunitNode): JunitNode[] => [
  ...nodes(test.failure),
  ...nodes(test.error),
  // PHPUnit's word, up to version 9, for what it does not take for passed.
  ...nodes(test.warning),
]

export const isBad = (test: JunitNode): boolean => 'failure' in test || 'error' in test

export function isNode(value: unknown): value is JunitNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An element without attributes and children is read as plain text. */
export function nodes(value: unknown): JunitNode[] {
  const all = Array.isArray(value) ? value : [value]
  return all.flatMap((each) => {
    if (isNode(each)) return [each]
    return typeof each === 'string' ? [{ '#text': each }] : []
  })
}

export function attribute(node: JunitNode, name: string): string | null {
  const value = node[`@${name}`]
  return typeof value === 'string' && value !== '' ? value : null
}

export function numeric(node: JunitNode, name: string): number | null {
  const value = Number(attribute(node, name) ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}

export function textOf(node: JunitNode): string {
  const value = node['#text']
  return typeof value === 'string' ? value : ''
}

/** What the test printed. */
export function outputOf(test: JunitNode): string {
  return [...nodes(test['system-out']), ...nodes(test['system-err'])]
    .map(textOf)
    .join('\n')
    .replace(/^-+ Captured (?:Log|Out|Err) -+$/gm, '')
}
