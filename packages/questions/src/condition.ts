// A small language for "ask only when": facts, numbers, texts, comparisons, arithmetic, AND, OR, NOT.
// jsep only reads; what it read is translated node by node, and a node without a translation is refused.
import jsep from 'jsep'

const TEXT_MAX = 500
const DEPTH_MAX = 20

const MATH = ['+', '-', '*', '/'] as const
const ORDER = ['<', '<=', '>', '>='] as const
const EQUAL = ['==', '!='] as const
const LOGIC = ['AND', 'OR'] as const

export type Value = string | number | boolean
export type Term =
  | { is: 'value'; value: Value }
  | { is: 'fact'; path: string[]; at: number }
  | { is: 'not' | 'minus'; of: Term; at: number }
  | { is: 'math'; operator: (typeof MATH)[number]; left: Term; right: Term; at: number }
  | { is: 'order'; operator: (typeof ORDER)[number]; left: Term; right: Term; at: number }
  | { is: 'equal'; operator: (typeof EQUAL)[number]; left: Term; right: Term; at: number }
  | { is: 'logic'; operator: (typeof LOGIC)[number]; left: Term; right: Term; at: number }

export type Condition = { text: string; term: Term }

/** `at` counts characters from 1, as an editor does. */
export class BadCondition extends Error {
  readonly at: number
  constructor(text: string, why: string, index: number) {
    const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
    super(`condition "${shown}": ${why} at character ${index + 1}`)
    this.name = 'BadCondition'
    this.at = index + 1
  }
}

/** Thrown where the whole text is not at hand; it becomes a BadCondition. */
export class Refused extends Error {
  readonly index: number
  constructor(why: string, index: number) {
    super(why)
    this.index = index
  }
}

const places = new WeakMap<object, number>()
setUp()

/** The words and signs above and no others; and every token remembers where it stood. */
function setUp(): void {
  jsep.removeAllBinaryOps()
  jsep.removeAllUnaryOps()
  jsep.removeAllLiterals()
  jsep.addBinaryOp('OR', 1)
  jsep.addBinaryOp('AND', 2)
  for (const operator of EQUAL) jsep.addBinaryOp(operator, 3)
  for (const operator of ORDER) jsep.addBinaryOp(operator, 4)
  for (const operator of ['+', '-']) jsep.addBinaryOp(operator, 5)
  for (const operator of ['*', '/']) jsep.addBinaryOp(operator, 6)
  for (const operator of ['NOT', '-']) jsep.addUnaryOp(operator)
  jsep.addLiteral('true', true)
  jsep.addLiteral('false', false)
  let reading = -1
  jsep.hooks.add('gobble-token', function (this: jsep.HookScope, env) {
    // The token is read by coming in here a second time, which lets jsep go on as if there were no hook.
    if (reading === this.index) {
      reading = -1
      return
    }
    reading = this.index
    const at = this.index
    const node = this.gobbleToken()
    if (!node && this.index > at) this.throwError('there is nothing within the parentheses')
    if (!node) return
    places.set(node, at)
    env.node = node
  })
}

export function parseCondition(text: string): Condition {
  if (text.length > TEXT_MAX) throw new BadCondition(text, `more than ${TEXT_MAX} characters`, TEXT_MAX)
  try {
    const term = translate(jsep(text), 1)
    if (!couldBeTruth(term)) throw new Refused('this is never true or false', 0)
    return { text, term }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const index = 'index' in error && typeof error.index === 'number' ? error.index : 0
    const why = 'description' in error ? String(error.description) : error.message
    // jsep steps over the end while it reads what a backslash stands before.
    throw new BadCondition(text, why, Math.min(index, text.length))
  }
}

/** The facts a condition looks at, as dotted names. */
export function factsOfCondition({ term }: Condition): string[] {
  const names = (inner: Term): string[] => {
    if (inner.is === 'value') return []
    if (inner.is === 'fact') return [inner.path.filter((name) => name !== 'length').join('.')]
    if ('of' in inner) return names(inner.of)
    return [...names(inner.left), ...names(inner.right)]
  }
  return [...new Set(names(term))]
}

function translate(node: jsep.Expression, depth: number): Term {
  const at = placeOf(node)
  if (depth > DEPTH_MAX) throw new Refused(`nested more than ${DEPTH_MAX} deep`, at)
  switch (node.type) {
    case 'Literal':
      return literal(node as jsep.Literal, at)
    case 'Identifier':
    case 'MemberExpression':
      return { is: 'fact', path: pathOf(node, at), at }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression
      return unary(operator, translate(argument, depth + 1), at)
    }
    case 'BinaryExpression': {
      const { operator, left, right } = node as jsep.BinaryExpression
      return binary(operator, [translate(left, depth + 1), translate(right, depth + 1)], at)
    }
    case 'Compound': {
      const [, second] = (node as jsep.Compound).body
      if (!second) throw new Refused('there is nothing', 0)
      throw new Refused('two expressions with nothing between them', placeOf(second))
    }
    default:
      throw new Refused(`${REFUSED[node.type] ?? node.type} is not allowed`, at)
  }
}

const REFUSED: Record<string, string> = {
  CallExpression: 'a call',
  ThisExpression: '"this"',
  ConditionalExpression: 'a choice with "?"',
  ArrayExpression: 'a list',
  SequenceExpression: 'a sequence',
}

/** A chain of operators stands where its first token stands. */
function placeOf(node: jsep.Expression): number {
  const own = places.get(node)
  if (own !== undefined) return own
  const first = [node.left, node.object, node.callee, node.test].find((inner) => isNode(inner))
  return first ? placeOf(first) : 0
}

function isNode(value: unknown): value is jsep.Expression {
  return typeof value === 'object' && value !== null && 'type' in value
}

function literal({ value, raw }: jsep.Literal, at: number): Term {
  const known = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  if (!known) throw new Refused(`${raw} is no number to reckon with`, at)
  return { is: 'value', value: value as Value }
}

function pathOf(node: jsep.Expression, at: number): string[] {
  if (node.type === 'Identifier') return [checkedName(String(node.name), at)]
  if (node.type !== 'MemberExpression') throw new Refused('only a fact has members', at)
  const { object, property, computed, optional } = node as jsep.MemberExpression
  if (computed) throw new Refused('a member in brackets is not allowed', at)
  if (optional) throw new Refused('"?." is not allowed', at)
  return [...pathOf(object, at), checkedName(String(property.name), at)]
}

function checkedName(name: string, at: number): string {
  const plain = /^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name)
  if (!plain || name === 'prototype' || name in {}) throw new Refused(`the name ${name} is not allowed`, at)
  return name
}

function unary(operator: string, of: Term, at: number): Term {
  if (operator === 'NOT') {
    if (!couldBeTruth(of)) throw new Refused('NOT needs something true or false', at)
    return { is: 'not', of, at }
  }
  if (!couldBeNumber(of)) throw new Refused('- needs a number', at)
  return { is: 'minus', of, at }
}

function binary(operator: string, [left, right]: [Term, Term], at: number): Term {
  const math = MATH.find((known) => known === operator)
  const order = ORDER.find((known) => known === operator)
  const equal = EQUAL.find((known) => known === operator)
  const logic = LOGIC.find((known) => known === operator)
  // NOT binds to what follows it directly, which nobody means who writes NOT a > 3.
  if (!logic && left.is === 'not') throw new Refused(`write NOT (… ${operator} …)`, at)
  const fits = logic ? couldBeTruth : couldBeNumber
  if (!equal && !(fits(left) && fits(right))) {
    throw new Refused(`${operator} needs ${logic ? 'something true or false' : 'a number'} on both sides`, at)
  }
  if (math) return { is: 'math', operator: math, left, right, at }
  if (order) return { is: 'order', operator: order, left, right, at }
  if (equal) return { is: 'equal', operator: equal, left, right, at }
  if (logic) return { is: 'logic', operator: logic, left, right, at }
  throw new Refused(`the operator ${operator} is not known`, at)
}

function couldBeTruth(term: Term): boolean {
  if (term.is === 'value') return typeof term.value === 'boolean'
  if (term.is === 'fact') return term.path.at(-1) !== 'length'
  return term.is === 'not' || term.is === 'order' || term.is === 'equal' || term.is === 'logic'
}

function couldBeNumber(term: Term): boolean {
  if (term.is === 'value') return typeof term.value === 'number'
  return term.is === 'fact' || term.is === 'minus' || term.is === 'math'
}
