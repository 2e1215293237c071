// Conditions: their connectives, what is negated, what is left out or missing.
import { above, isValue, type Node, part } from '../tree/node.ts'
import { type Context, group, type Operator, operand, type Proposal, propose, replace } from './edit.ts'
import { guess, mayBe } from './guess.ts'
import { synthesise } from './synthesise.ts'

function isCondition(node: Node): boolean {
  if (node.role === 'test') return node.parent?.kind !== 'case'
  if (node.parent?.kind === 'logical') return isCondition(node.parent) || guess(node) === 'boolean'
  return node.parent?.kind === 'unary' && node.parent.op === '!'
}

const CONNECTIVES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '&&': { '||': 1 },
  '||': { '&&': 1, '??': 0.9 },
  '??': { '||': 0.9, '&&': 0.5 },
}

function* connectives(node: Node, context: Context): Generator<Proposal> {
  const left = part(node, 'left')
  const right = part(node, 'right')
  if (left === null || right === null) return
  const range = { start: left.end, end: right.start }
  const text = context.file.text.slice(range.start, range.end)
  const weights = CONNECTIVES[node.op] ?? {}
  for (const [op, weight] of Object.entries(weights))
    yield propose(
      weight,
      replace(
        range,
        text.replace(node.op, () => op),
      ),
    )
}

function* negate(node: Node, context: Context): Generator<Proposal> {
  const opposite = node.kind === 'binary' ? context.profile.opposite[node.op] : undefined
  const isAnswer = (node.role === 'value' || node.role === 'body') && mayBe(node, 'boolean')
  if (!isCondition(node) && !isAnswer) return
  const rate = isCondition(node) || guess(node) === 'boolean' ? 0.8 : 0.3
  if (opposite !== undefined) return
  if (node.kind === 'unary' && node.op === '!') {
    const inner = part(node, 'value')
    if (inner !== null) yield propose(1, replace(node, inner))
    return
  }
  yield propose(rate, replace(node, '!', ...operand(node)))
}

function* dropSide(node: Node): Generator<Proposal> {
  const left = part(node, 'left')
  const right = part(node, 'right')
  if (left === null || right === null) return
  yield propose(1, replace(node, left))
  yield propose(1, replace(node, right))
}

/** `a && b || c` read the other way. */
function* regroup(node: Node, context: Context): Generator<Proposal> {
  const left = part(node, 'left')
  const right = part(node, 'right')
  if (left === null || right === null) return
  const op = context.file.text.slice(left.end, right.start)
  if (left.kind === 'logical') {
    const [a, b] = left.children
    if (a && b)
      yield propose(
        1,
        replace(node, ...group(node, a, { start: a.end, end: b.start }, '(', b, op, right, ')')),
      )
  }
  if (right.kind === 'logical') {
    const [a, b] = right.children
    if (a && b)
      yield propose(
        1,
        replace(node, ...group(node, '(', left, op, a, ')', { start: a.end, end: b.start }, b)),
      )
  }
}

const MADE_MAX = 80

function* joinCondition(node: Node, context: Context): Generator<Proposal> {
  if (node.role !== 'test' || node.parent?.kind === 'case') return
  const inLoop = node.parent?.kind === 'loop'
  for (const { pieces, weight } of synthesise(node, context).slice(0, MADE_MAX)) {
    yield propose(weight, replace(node, ...operand(node), ' && ', ...pieces))
    if (!inLoop) yield propose(weight, replace(node, ...operand(node), ' || ', ...pieces))
  }
}

/** A condition that is always the same was something else once. */
function* fillCondition(node: Node, context: Context): Generator<Proposal> {
  const isBody = node.role === 'body' || node.parent?.kind === 'return'
  if (!isCondition(node) && !isBody) return
  const known = node.role === 'test' && node.parent?.kind !== 'loop' ? 1.8 : 1
  const rate = isBody ? 0.25 : known
  for (const { pieces, weight } of synthesise(node, context)) {
    const written = node.parent?.kind === 'unary' ? ['(', ...pieces, ')'] : pieces
    yield propose(weight * rate, replace(node, ...written))
  }
}

function* replaceCondition(node: Node, context: Context): Generator<Proposal> {
  if (node.role !== 'test' || node.parent?.kind === 'case') return
  for (const { pieces, weight } of synthesise(node, context).slice(0, MADE_MAX))
    yield propose(weight, replace(node, ...pieces))
  if (node.parent?.kind === 'loop') return
  yield propose(0.5, replace(node, 'true'))
  yield propose(0.5, replace(node, 'false'))
}

/** A comparison that a returned or assigned boolean lacks. */
function* joinValue(node: Node, context: Context): Generator<Proposal> {
  const isBody = node.role === 'body' || node.parent?.kind === 'return'
  if (!isBody || guess(node) !== 'boolean' || above(node, 'func') === null) return
  for (const { pieces, weight } of synthesise(node, context).slice(0, MADE_MAX)) {
    yield propose(weight, replace(node, ...operand(node), ' && ', ...pieces))
    yield propose(weight * 0.8, replace(node, ...operand(node), ' || ', ...pieces))
  }
}

export const logic: readonly Operator[] = [
  { id: 'connective', family: 'logic', trust: 'token', prior: 0.8, on: ['logical'], make: connectives },
  {
    id: 'negate',
    family: 'logic',
    trust: 'token',
    prior: 0.65,
    on: ['call', 'name', 'member', 'index', 'unary', 'logical'],
    make: (node, context) => (isValue(node) ? negate(node, context) : []),
  },
  {
    id: 'drop-condition',
    family: 'drop-condition',
    trust: 'guard',
    prior: 0.4,
    on: ['logical'],
    make: dropSide,
  },
  {
    id: 'regroup-condition',
    family: 'precedence',
    trust: 'token',
    prior: 0.45,
    on: ['logical'],
    make: regroup,
  },
  {
    id: 'add-condition',
    family: 'condition',
    trust: 'guard',
    prior: 0.16,
    on: ['binary', 'logical', 'call', 'name', 'member', 'unary'],
    make: joinCondition,
  },
  {
    id: 'replace-condition',
    family: 'condition',
    trust: 'guard',
    prior: 0.13,
    on: ['binary', 'logical', 'call', 'name', 'member', 'unary'],
    make: replaceCondition,
  },
  {
    id: 'fill-condition',
    family: 'condition',
    trust: 'other',
    prior: 0.4,
    on: ['boolean'],
    make: fillCondition,
  },
  {
    id: 'add-condition-value',
    family: 'condition',
    trust: 'guard',
    prior: 0.14,
    on: ['binary', 'logical', 'call', 'unary'],
    make: joinValue,
  },
  {
    id: 'swap-branches',
    family: 'branches',
    trust: 'token',
    prior: 0.5,
    on: ['conditional', 'if'],
    *make(node) {
      const then = part(node, 'then')
      const other = part(node, 'else')
      if (then === null || other === null || other.kind === 'if') return
      yield propose(1, replace(then, other), replace(other, then))
    },
  },
  {
    id: 'one-branch',
    family: 'drop-condition',
    trust: 'guard',
    prior: 0.25,
    on: ['conditional'],
    *make(node) {
      for (const role of ['then', 'else'] as const) {
        const branch = part(node, role)
        if (branch !== null) yield propose(1, replace(node, ...group(node, branch)))
      }
    },
  },
]
