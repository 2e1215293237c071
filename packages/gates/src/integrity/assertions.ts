// Finds out whether an expression is an assertion, and what it asserts.
import { looksOnlyAtOperands, type Matcher, matcherOf, ofTestContext, unary } from './matchers.ts'
import {
  bare,
  field,
  isWrittenOut,
  lineOf,
  list,
  type Names,
  nameOf,
  render,
  type Source,
  type Syntax,
} from './source.ts'

export interface Assertion {
  readonly file: string
  readonly line: number
  /** As it is written, for messages. */
  readonly code: string
  readonly subject: string
  /** The subject with nothing put in for its names. */
  readonly written: string
  /** What the variable that is the subject was set to. */
  readonly near: string
  readonly matcher: Matcher
  readonly expected: readonly string[]
  /** The number of assertions that a test announces is no assertion by itself. */
  readonly plan: boolean
  /** Its spelling, if it has the same outcome whatever the code does; else null. */
  readonly constant: string | null
  /** What must hold, or go wrong, for it to be reached. */
  readonly guards: readonly string[]
  /** A promise that nobody waits for judges nothing. */
  readonly floating: boolean
}

export interface AssertionScope {
  readonly source: Source
  readonly names: Names
  readonly guards: readonly string[]
  readonly parent: Syntax | null
  /** First parameters of the tests around it: `t`, `assert`. */
  readonly contexts: ReadonlySet<string>
}

const assertModule =
  /^(node:)?assert(\/strict)?$|^(chai|power-assert|tap|tape|uvu\/assert|@hapi\/code|should)$/

/** Local names of what comes from assertion libraries. */
export function importedAssertions(program: Syntax): Set<string> {
  const names = new Set<string>()
  for (const node of list(program, 'body')) {
    const from = field(node, 'source')?.value
    if (node.type !== 'ImportDeclaration' || typeof from !== 'string' || !assertModule.test(from)) continue
    for (const each of list(node, 'specifiers')) names.add(nameOf(field(each, 'local')))
  }
  for (const unused of ['test', 'it', 'describe', 'expect']) names.delete(unused)
  return names
}

interface Link {
  readonly name: string
  /** Arguments, where the link is called. */
  readonly args: readonly Syntax[] | null
}
export interface Chain {
  /** The first identifier, or '' where the chain begins with something else. */
  readonly root: string
  /** Arguments of the root, where it is called. */
  readonly args: readonly Syntax[] | null
  readonly links: readonly Link[]
}

/** `a(1).b.c(2)` as root `a` with arguments and the links b and c. */
export function chainOf(given: Syntax): Chain {
  const node = bare(given)
  const callee = node.type === 'CallExpression' ? field(node, 'callee') : null
  if (callee !== null) return called(chainOf(callee), list(node, 'arguments'))
  const object = node.type === 'MemberExpression' ? field(node, 'object') : null
  const property = field(node, 'property')
  if (object !== null && property !== null) {
    const name = node.computed === true ? String(property.value ?? '') : nameOf(property)
    const chain = chainOf(object)
    return { ...chain, links: [...chain.links, { name, args: null }] }
  }
  return { root: node.type === 'ThisExpression' ? 'this' : nameOf(node), args: null, links: [] }
}

function called(chain: Chain, args: readonly Syntax[]): Chain {
  const last = chain.links.at(-1)
  if (last === undefined) return chain.args === null ? { ...chain, args } : chain
  return { ...chain, links: [...chain.links.slice(0, -1), { ...last, args: last.args ?? args }] }
}

const expectRoots = new Set(['expect', 'expectTypeOf', 'should'])
const expectVariants = new Set(['soft', 'poll', 'element'])
const ownAssertion = /^(assert|expect|check|verify|ensure|should)[A-Z_]/

export function assertionAt(
  node: Syntax,
  place: AssertionScope,
  imported: ReadonlySet<string>,
): Assertion | null {
  const isCall = node.type === 'CallExpression'
  // `expect(x).to.be.true;` asserts without a call.
  if (!isCall && !(node.type === 'MemberExpression' && place.parent?.type === 'ExpressionStatement'))
    return null
  const chain = chainOf(node)
  const parts =
    byExpect(chain, isCall) ??
    byShould(node, chain) ??
    (isCall ? (byAssert(chain, place, imported) ?? bySupertest(node) ?? byOwn(chain, place)) : null)
  return parts === null ? null : toAssertion(node, place, parts)
}

interface Parts {
  readonly subject: Syntax | null
  readonly chain: readonly string[]
  readonly expected: readonly Syntax[]
  readonly plan?: boolean
}

function byExpect({ root, args, links }: Chain, isCall: boolean): Parts | null {
  if (!expectRoots.has(root)) return null
  const [first] = links
  if (args === null) {
    if (first === undefined) return null
    if (/^(assertions|hasAssertions)$/.test(first.name))
      return { subject: null, chain: [first.name], expected: first.args ?? [], plan: true }
    if (!expectVariants.has(first.name) || first.args === null) return null
    return matched(first.args, links.slice(1), isCall)
  }
  return matched(args, links, isCall)
}

function matched(args: readonly Syntax[], links: readonly Link[], isCall: boolean): Parts | null {
  const last = links.at(-1)
  if (last === undefined || (isCall && last.args === null)) return null
  const expected = links.flatMap((link) => link.args ?? [])
  return { subject: args[0] ?? null, chain: links.map(({ name }) => name), expected }
}

function byShould(node: Syntax, { links }: Chain): Parts | null {
  const at = links.findIndex(({ name, args }) => name === 'should' && args === null)
  if (at < 0 || at === links.length - 1) return null
  const after = links.slice(at + 1)
  let subject: Syntax | null = node
  for (let up = after.length; subject !== null && up >= 0; ) {
    const inner: Syntax = bare(subject)
    if (inner.type === 'MemberExpression') up -= 1
    subject = field(inner, inner.type === 'CallExpression' ? 'callee' : 'object')
  }
  return { subject, chain: after.map(({ name }) => name), expected: after.flatMap(({ args }) => args ?? []) }
}

function byAssert(chain: Chain, place: AssertionScope, imported: ReadonlySet<string>): Parts | null {
  const { root, args, links } = chain
  const given = links.at(-1)?.args ?? (links.length === 0 ? args : null)
  const method = given === null ? null : methodOf(chain, place, imported)
  if (given === null || method === null) return null
  if (method === 'plan') return { subject: null, chain: ['assertions'], expected: given, plan: true }
  const word = method.toLowerCase()
  const context = place.contexts.has(root) && root !== 'assert' && links[0]?.name !== 'assert'
  if (context && !ofTestContext.has(word)) return null
  const expected = unary.has(word) ? [] : given.slice(1, word === 'closeto' ? 3 : 2)
  return compared(given[0] ?? null, method, expected)
}

/** The word that an assertion library or the context of a test is called by. */
function methodOf(
  { root, links }: Chain,
  place: AssertionScope,
  imported: ReadonlySet<string>,
): string | null {
  const isRoot = root === 'assert' || imported.has(root) || (root === 'sinon' && links[0]?.name === 'assert')
  if (!isRoot && !place.contexts.has(root)) return null
  const names = links.map(({ name }) => name).filter((name) => !/^(assert|strict)$/.test(name))
  return names.at(-1) ?? (root === 'assert' || links.length > 0 ? 'ok' : root)
}

/** `assert(a === b)` is an equality. */
function compared(subject: Syntax | null, method: string, expected: readonly Syntax[]): Parts {
  const inner = subject === null ? null : bare(subject)
  const left = inner === null ? null : field(inner, 'left')
  const right = inner === null ? null : field(inner, 'right')
  if (/^(ok|assert|true|truthy)$/.test(method) && left && right && /^={2,3}$/.test(String(inner?.operator)))
    return { subject: left, chain: ['equal'], expected: [right] }
  return { subject, chain: [method], expected }
}

/** `request(app).get('/').expect(200)` and `cy.get('x').should('exist')`. */
function bySupertest(node: Syntax): Parts | null {
  const callee = field(node, 'callee')
  const name = callee?.type === 'MemberExpression' ? nameOf(field(callee, 'property')) : ''
  if (callee === null || (name !== 'expect' && name !== 'should')) return null
  let subject = field(callee, 'object')
  for (;;) {
    const inner = subject === null ? null : bare(subject)
    const below = inner?.type === 'CallExpression' ? field(inner, 'callee') : null
    if (below?.type !== 'MemberExpression' || nameOf(field(below, 'property')) !== name) break
    subject = field(below, 'object')
  }
  return { subject, chain: [`.${name}`], expected: list(node, 'arguments') }
}

/** A function of the project that says by its name that it asserts; one that is at hand is looked into instead. */
function byOwn({ root, args, links }: Chain, { names }: AssertionScope): Parts | null {
  if (args === null || links.length > 0 || !ownAssertion.test(root) || names.has(root)) return null
  return { subject: args[0] ?? null, chain: [root], expected: args.slice(1) }
}

function nearOf(subject: Syntax, names: Names): string {
  let node = bare(subject)
  for (let object = field(node, 'object'); object !== null; object = field(node, 'object'))
    node = bare(object)
  const bound = node.type === 'Identifier' ? names.get(nameOf(node)) : undefined
  return bound === undefined || bound.fixture ? '' : render(bound.source, bound.node, new Map())
}

const subjects = { depth: 0, fixtures: false }

function toAssertion(node: Syntax, place: AssertionScope, parts: Parts): Assertion {
  const { source, names, guards, parent } = place
  const matcher = matcherOf(parts.chain)
  const expected = parts.expected.map((each) => render(source, each, names))
  const promised = parts.chain.some((word) => /^(resolves|rejects|throwsAsync|eventually)$/.test(word))
  return {
    file: source.path,
    line: lineOf(source, node),
    code: source.text.slice(node.start, node.end),
    subject: parts.subject === null ? '' : render(source, parts.subject, names, subjects),
    written: parts.subject === null ? '' : render(source, parts.subject, new Map()),
    near: parts.subject === null ? '' : nearOf(parts.subject, names),
    matcher,
    expected: matcher.value === null ? expected : [matcher.value],
    plan: parts.plan === true,
    constant: isConstant(parts, place, matcher) ? render(source, node, new Map()) : null,
    guards,
    floating: promised && parent?.type === 'ExpressionStatement',
  }
}

/** Under a condition, the condition is what is asserted. */
function isConstant(
  { subject, expected, plan }: Parts,
  { guards }: AssertionScope,
  matcher: Matcher,
): boolean {
  if (guards.length > 0 || !expected.every(isWrittenOut)) return false
  if (subject === null) return plan === true
  return isWrittenOut(subject) && looksOnlyAtOperands(matcher)
}
