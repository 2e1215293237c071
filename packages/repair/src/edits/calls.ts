// Calls: the order and number of arguments, a call too many or too few, a copy that was not made.
import { isValue, type Node, part, parts } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
import {
  type Context,
  group,
  type Operator,
  operand,
  type Piece,
  type Proposal,
  propose,
  replace,
} from './edit.ts'
import { type Guess, guess, mayBe } from './guess.ts'
import { namesAt } from './known.ts'

function* swapArguments(node: Node): Generator<Proposal> {
  const args = parts(node, 'arg')
  for (const [at, a] of args.entries()) {
    for (const [more, b] of args.slice(at + 1).entries()) {
      yield propose(more === 0 ? 1 : 0.6, replace(a, b), replace(b, a))
    }
  }
}

function* dropArgument(node: Node): Generator<Proposal> {
  const args = parts(node, 'arg')
  const [first] = args
  const last = args.at(-1)
  if (first === undefined || last === undefined) return
  if (args.length === 1) {
    yield propose(0.5, replace(first, ''))
    return
  }
  yield propose(1, replace({ start: args.at(-2)?.end ?? last.start, end: last.end }, ''))
  yield propose(0.6, replace({ start: first.start, end: args[1]?.start ?? first.end }, ''))
}

const USUAL = ['0', '1', '-1', '10', 'true', 'false', "''", "'0'", '[]', '{}', 'Number.POSITIVE_INFINITY']

/** An argument the call lacks: names in sight, and the usual literals. */
function* addArgument(node: Node): Generator<Proposal> {
  const args = parts(node, 'arg')
  const callee = part(node, 'callee')
  if (callee === null) return
  const declared = callee.kind === 'name' ? find(node, callee.name) : null
  const wanted = declared?.node?.kind === 'func' ? parts(declared.node, 'param').length : null
  if (wanted !== null && args.length >= wanted) return
  const at = { start: node.end - 1, end: node.end - 1 }
  const comma = args.length === 0 ? '' : ', '
  const weight = wanted === null ? 0.5 : 1
  for (const [pieces, likely] of newArguments(node))
    yield propose(weight * likely, replace(at, comma, ...pieces))
  const [only, ...more] = args
  if (only === undefined || more.length > 0) return
  const front = { start: only.start, end: only.start }
  for (const found of ['0', '1']) yield propose(weight * 1.2, replace(front, `${found}, `))
}

function* newArguments(node: Node): Generator<readonly [Piece[], number]> {
  const names = visible(node).slice(0, 10)
  for (const [order, found] of names.entries()) {
    if (found.is === 'function' || found.is === 'class' || found.is === 'import') continue
    yield [[{ ref: found.name }], 1 - order * 0.05]
  }
  for (const found of USUAL) yield [[found], 0.6]
  for (const found of names.filter((name) => name.is === 'parameter').slice(0, 4)) {
    for (const more of [' + 1', ' - 1']) yield [[{ ref: found.name }, more], 0.4]
  }
}

function* dropCall(node: Node): Generator<Proposal> {
  const callee = part(node, 'callee')
  const args = parts(node, 'arg')
  if (callee?.kind === 'member') {
    const object = part(callee, 'object')
    const isNamespace = object?.kind === 'name' && /^[A-Z]/.test(object.name)
    if (object !== null && !isNamespace) yield propose(1, replace(node, object))
  }
  if (args.length === 1 && args[0] !== undefined) yield propose(0.8, replace(node, ...group(node, args[0])))
}

const NUMBER_WRAPS = ['Math.abs', 'Math.round', 'Math.floor', 'Math.ceil', 'Math.trunc', 'Number', 'String']
const STRING_WRAPS = [
  'Number',
  'String',
  'Number.parseInt',
  'Number.parseFloat',
  'decodeURIComponent',
  'encodeURIComponent',
]
const STRING_TAILS = [
  '.trim()',
  '.toLowerCase()',
  '.toUpperCase()',
  '.slice(1)',
  '.slice(0, -1)',
  '.trimEnd()',
  '.trimStart()',
  ".split('')",
  ".replaceAll(' ', '')",
]
const LIST_TAILS = [
  '.slice()',
  '.reverse()',
  '.toReversed()',
  '.sort()',
  '.toSorted()',
  '.flat()',
  '.filter(Boolean)',
  ".join('')",
  '.toSorted((a, b) => a - b)',
  '.at(-1)',
]

function isWrappable(node: Node): boolean {
  return isValue(node) && node.role !== 'callee'
}

const WRAPS: Readonly<Partial<Record<Guess, readonly string[]>>> = {
  number: [...NUMBER_WRAPS, 'Math.max(0, ', 'Math.max(1, ', 'Math.min(1, '],
  unknown: [...NUMBER_WRAPS, 'decodeURIComponent', 'encodeURIComponent'],
  string: STRING_WRAPS,
}

function* wrap(node: Node): Generator<Proposal> {
  if (!isWrappable(node) || node.role === 'object') return
  const type = guess(node)
  for (const name of WRAPS[type] ?? []) {
    const open = name.endsWith(' ') ? name : `${name}(`
    yield propose(type === 'unknown' ? 0.5 : 0.9, replace(node, open, node, ')'))
  }
}

const HELD: ReadonlySet<string> = new Set(['parameter', 'variable', 'constant'])

/** Held between bounds that are in sight. */
function* clamp(node: Node): Generator<Proposal> {
  if (!isWrappable(node) || node.role === 'object' || !mayBe(node, 'number') || node.kind === 'number') return
  for (const [order, found] of visible(node).slice(0, 8).entries()) {
    const numeric = found.type === null ? mayBe(found.node, 'number') : /^number/.test(found.type)
    if (found.name === node.name || !numeric || !HELD.has(found.is)) continue
    for (const name of ['Math.min', 'Math.max']) {
      yield propose(1 - order * 0.05, replace(node, `${name}(`, { ref: found.name }, ', ', node, ')'))
    }
  }
}

const CUTS = [
  ['.slice(', 0.6],
  ['.slice(0, ', 0.6],
  ['.at(', 0.3],
] as const

/** Sorting is likely where only the order is wrong. */
function orderRate(end: string, context: Context): number {
  if (!/sort|reverse/i.test(end)) return 1
  if (context.wantsSorted && /sort/i.test(end)) return 4
  return context.outOfOrder ? 2.5 : 1
}

function* tail(node: Node, context: Context): Generator<Proposal> {
  if (!isWrappable(node) || node.role === 'object') return
  const type = guess(node)
  const weight = type === 'unknown' ? 0.5 : 1
  if (type === 'string' || type === 'unknown') {
    for (const end of STRING_TAILS) yield propose(weight, replace(node, ...operand(node), end))
  }
  if (type === 'list' || type === 'unknown') {
    for (const end of LIST_TAILS)
      yield propose(weight * 0.9 * orderRate(end, context), replace(node, ...operand(node), end))
  }
  if (type === 'list' || type === 'string') yield* cut(node, context)
}

/** A part of it, by a number that is in sight. */
function* cut(node: Node, context: Context): Generator<Proposal> {
  for (const value of namesAt(node, context).filter((found) => found.guess === 'number')) {
    for (const [open, rate] of CUTS)
      yield propose(rate * value.near, replace(node, ...operand(node), open, ...value.pieces, ')'))
  }
}

/** Between the links of a chain. */
function* link(node: Node, context: Context): Generator<Proposal> {
  if (node.parent?.kind !== 'member' || node.role !== 'object' || node.parent.role !== 'callee') return
  const type = guess(node)
  const tails = type === 'list' ? LIST_TAILS : STRING_TAILS
  for (const end of tails)
    yield propose(
      (type === 'unknown' ? 0.5 : 1) * orderRate(end, context),
      replace(node, ...operand(node), end),
    )
  if (type === 'unknown')
    for (const end of LIST_TAILS) yield propose(0.5, replace(node, ...operand(node), end))
}

function* copy(node: Node): Generator<Proposal> {
  if (!isWrappable(node) || !['name', 'member', 'index'].includes(node.kind) || node.parens) return
  const type = guess(node)
  if (type === 'number' || type === 'string' || type === 'boolean' || type === 'func') return
  const isPassed =
    node.role === 'value' || node.role === 'arg' || node.role === 'right' || node.role === 'body'
  const isChained = node.role === 'object' && node.parent?.role === 'callee'
  if (!isPassed && !isChained) return
  if (type !== 'record') yield propose(1, replace(node, '[...', node, ']'))
  if (type !== 'list' && !isChained)
    yield propose(
      0.9,
      replace(node, ...(node.role === 'body' ? ['({ ...', node, ' })'] : ['{ ...', node, ' }'])),
    )
  if (!isChained && type !== 'list') yield propose(0.3, replace(node, 'structuredClone(', node, ')'))
}

/** `sort()` compares as text, `parseInt` guesses the base. */
function* knownTraps(node: Node, context: Context): Generator<Proposal> {
  const callee = part(node, 'callee')
  const args = parts(node, 'arg')
  const at = { start: node.end - 1, end: node.end - 1 }
  if ((callee?.name === 'sort' || callee?.name === 'toSorted') && args.length === 0) {
    for (const by of ['a - b', 'b - a']) yield propose(1, replace(at, `(a, b) => ${by}`))
    yield propose(0.7, replace(at, '(a, b) => a.localeCompare(b)'))
    for (const name of [...context.properties.keys()].slice(0, 20)) {
      yield propose(0.3, replace(at, `(a, b) => a.${name} - b.${name}`))
    }
  }
  if (callee?.name === 'parseInt' && args.length === 1) yield propose(0.9, replace(at, ', 10'))
}

/** Order in a record counts only where one part hides the other. */
function orderMatters(node: Node, a: Node, b: Node): number {
  if (a.kind === 'spread' || b.kind === 'spread') return 1
  return node.kind === 'record' ? 0.1 : 0.6
}

function* listParts(node: Node): Generator<Proposal> {
  const [first, second, ...rest] = parts(node, 'element')
  if (first === undefined || second === undefined || rest.length > 2) return
  const elements = [first, second, ...rest]
  for (const [at, a] of elements.entries()) {
    const b = elements[at + 1]
    if (b !== undefined) yield propose(orderMatters(node, a, b), replace(a, b), replace(b, a))
  }
}

const ANY: Operator['on'] = [
  'name',
  'member',
  'index',
  'call',
  'binary',
  'list',
  'conditional',
  'template',
  'logical',
]

export const calls: readonly Operator[] = [
  {
    id: 'argument-order',
    family: 'argument-order',
    trust: 'token',
    prior: 0.7,
    on: ['call', 'new'],
    make: swapArguments,
  },
  {
    id: 'drop-argument',
    family: 'arguments',
    trust: 'token',
    prior: 0.35,
    on: ['call', 'new'],
    make: dropArgument,
  },
  {
    id: 'add-argument',
    family: 'arguments',
    trust: 'token',
    prior: 0.3,
    on: ['call', 'new'],
    make: addArgument,
  },
  { id: 'drop-call', family: 'unwrap', trust: 'token', prior: 0.4, on: ['call'], make: dropCall },
  { id: 'known-trap', family: 'method', trust: 'token', prior: 0.85, on: ['call'], make: knownTraps },
  { id: 'wrap', family: 'wrap', trust: 'token', prior: 0.25, on: ANY, make: wrap },
  { id: 'clamp', family: 'clamp', trust: 'token', prior: 0.22, on: ANY, make: clamp },
  { id: 'tail', family: 'wrap', trust: 'token', prior: 0.22, on: ANY, make: tail },
  {
    id: 'link',
    family: 'wrap',
    trust: 'token',
    prior: 0.24,
    on: ['name', 'member', 'call', 'index', 'list', 'template'],
    make: link,
  },
  { id: 'copy', family: 'copy', trust: 'other', prior: 0.32, on: ['name', 'member', 'index'], make: copy },
  {
    id: 'element-order',
    family: 'argument-order',
    trust: 'token',
    prior: 0.5,
    on: ['list', 'record'],
    make: listParts,
  },
  {
    id: 'keep-best',
    family: 'clamp',
    trust: 'token',
    prior: 0.35,
    on: ['assign'],
    *make(node) {
      const target = part(node, 'target')
      const value = part(node, 'value')
      if (node.op !== '=' || target === null || value === null || !mayBe(value, 'number')) return
      for (const name of ['Math.max', 'Math.min'])
        yield propose(1, replace(value, `${name}(`, target, ', ', value, ')'))
    },
  },
  {
    id: 'parameter-order',
    family: 'argument-order',
    trust: 'token',
    prior: 0.3,
    on: ['func'],
    *make(node) {
      const params = parts(node, 'param')
      for (const [at, a] of params.entries()) {
        const b = params[at + 1]
        if (b !== undefined) yield propose(1, replace(a, b), replace(b, a))
      }
    },
  },
  {
    id: 'off-by-one',
    family: 'off-by-one',
    trust: 'token',
    prior: 0.42,
    on: ['name', 'member', 'call', 'binary', 'index', 'logical', 'conditional'],
    *make(node, { profile }) {
      if (!isWrappable(node) || node.role === 'object' || !mayBe(node, 'number')) return
      const parent = node.parent
      // Inside a comparison that has its own operator, and an operand of a sum shifts the sum.
      if (
        parent?.kind === 'binary' &&
        (profile.comparisons.includes(parent.op) || parent.op === '+' || parent.op === '-')
      )
        return
      if (parent?.kind === 'unary' || parent?.kind === 'template' || node.role === 'test') return
      const maybe = node.role === 'arg' ? 0.6 : 0.45
      const likely = guess(node) === 'number' ? 1 : maybe
      for (const by of [' + 1', ' - 1'])
        yield propose(likely, replace(node, ...group(node, ...operand(node), by)))
    },
  },
  {
    id: 'minus',
    family: 'arithmetic',
    trust: 'token',
    prior: 0.3,
    on: ['name', 'member', 'call', 'unary'],
    *make(node) {
      const inner = node.kind === 'unary' && (node.op === '-' || node.op === '+') ? part(node, 'value') : null
      if (inner !== null) yield propose(1, replace(node, inner))
      else if (
        isWrappable(node) &&
        node.kind !== 'unary' &&
        node.role !== 'object' &&
        mayBe(node, 'number')
      ) {
        yield propose(guess(node) === 'number' ? 0.8 : 0.4, replace(node, ...group(node, '-', node)))
      }
    },
  },
]
