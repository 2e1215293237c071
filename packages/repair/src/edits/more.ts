// Values that lack a bound, a unit or another object's part, and calls whose arguments carry the wrong sums.
import { above, isStatement, isValue, type Node, part, parts } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import {
  type Context,
  group,
  type Operator,
  operand,
  type Piece,
  type Proposal,
  propose,
  replace,
  textOf,
} from './edit.ts'
import { guess, guessType, mayBe } from './guess.ts'
import { callsAt, fieldsAt, namesAt } from './known.ts'
import { statementsAt } from './make-statements.ts'

/** `''` for `prefix`: a literal that was to be a name. */
function* nameForLiteral(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.parent?.kind === 'other') return
  const wanted = node.kind === 'nothing' ? null : guess(node)
  for (const value of [...namesAt(node, context), ...fieldsAt(node, context)].slice(0, 12)) {
    if (wanted !== null && value.guess !== 'unknown' && value.guess !== wanted) continue
    if (node.kind === 'boolean' && value.guess !== 'boolean') continue
    yield propose(
      (value.guess === wanted ? 1 : 0.5) * value.near,
      replace(node, ...group(node, ...value.pieces)),
    )
  }
}

/** `this.size` for `other.size`, and the larger or smaller of the two. */
function* otherObject(node: Node, context: Context): Generator<Proposal> {
  const object = part(node, 'object')
  if (object === null || !isValue(node) || node.role === 'callee' || node.role === 'object') return
  const own = object.kind === 'self' ? 'this' : object.name
  if (own === '') return
  for (const [order, name] of objectsAt(node, own, context).entries()) {
    const other: Piece[] = name === 'this' ? [`this.${node.name}`] : [{ ref: name }, `.${node.name}`]
    const near = 1 - order * 0.1
    if (own === 'this' || name === 'this') yield propose(0.7 * near, replace(node, ...other))
    const bounds = mayBe(node, 'number') ? ['Math.max', 'Math.min'] : []
    for (const bound of bounds) yield propose(near, replace(node, `${bound}(`, node, ', ', ...other, ')'))
  }
}

function objectsAt(node: Node, own: string, context: Context): string[] {
  const others = namesAt(node, context).filter(({ guess: type }) => type === 'unknown' || type === 'record')
  const self = above(node, 'class') === null ? [] : ['this']
  return [...others.map(({ name }) => name), ...self].filter((name) => name !== own).slice(0, 5)
}

/** Held between bounds that a call or a field gives. */
function* clampByCall(node: Node, context: Context): Generator<Proposal> {
  if (
    !isValue(node) ||
    node.role === 'callee' ||
    node.role === 'object' ||
    !mayBe(node, 'number') ||
    node.kind === 'number'
  )
    return
  if (node.parent?.kind === 'unary' || node.role === 'test') return
  const rate = guess(node) === 'number' ? 1 : 0.6
  const own = textOf(context.file, node)
  const bounds = [
    ...callsAt(node, context)
      .filter(({ returns }) => /^number/.test(returns))
      .slice(0, 8),
    ...fieldsAt(node, context)
      .filter((field) => field.guess === 'number')
      .map(({ pieces, near }) => ({ pieces, weight: near })),
  ]
  for (const { pieces, weight } of bounds) {
    if (pieces.length === 1 && pieces[0] === own) continue
    for (const name of ['Math.min', 'Math.max'])
      yield propose(rate * weight, replace(node, `${name}(`, node, ', ', ...pieces, ')'))
  }
}

/** A value that a function in sight was to make: `31` for `monthLength(year, month)`. */
function* callForValue(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object') return
  const wanted = guess(node)
  for (const { pieces, weight, returns } of callsAt(node, context).slice(0, 16)) {
    const made = returns === '' ? 'unknown' : guessType(returns)
    if (returns === 'void' || (wanted !== 'unknown' && made !== 'unknown' && wanted !== made)) continue
    yield propose(weight * (wanted === made && made !== 'unknown' ? 1 : 0.5), replace(node, ...pieces))
  }
}

const UNITS = ['1000', '100', '60', '24']

/** A number in the wrong unit: times or by a constant of the file, or one of the usual. */
function* unit(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object' || !mayBe(node, 'number')) return
  if (node.kind === 'name' && isFactor(node, context)) return
  const rate = guess(node) === 'number' ? 1 : 0.5
  for (const text of UNITS) {
    const weight = rate * (context.numbers.includes(text) ? 1 : 0.4)
    for (const op of [' * ', ' / '])
      yield propose(weight, replace(node, ...group(node, ...operand(node), `${op}${text}`)))
  }
  for (const name of constantsAt(node)) {
    for (const op of [' * ', ' / ', ' + ', ' - '])
      yield propose(rate, replace(node, ...group(node, ...operand(node), op, { ref: name })))
  }
}

/** The product it is part of can be changed as a whole. */
function isFactor({ parent }: Node, { profile }: Context): boolean {
  if (parent?.kind !== 'binary' || parent.op === '+' || parent.op === '-') return false
  return !profile.comparisons.includes(parent.op)
}

/** Numbers with a name of their own, declared for the whole file. */
function constantsAt(node: Node): string[] {
  const found = visible(node).filter(({ is, name, node: at }) => {
    const declarator = at?.parent
    const isOfFile = declarator?.parent?.role === 'statement' && declarator.parent.parent?.kind !== 'block'
    return (
      is === 'constant' && isOfFile && name !== node.name && guess(part(declarator, 'value')) === 'number'
    )
  })
  return found.slice(0, 4).map(({ name }) => name)
}

/** `at(column, rows - 1 - row)` for `at(rows - 1 - column, row)`: the sum belongs to the other argument. */
function* exchangeSums(node: Node, context: Context): Generator<Proposal> {
  const args = parts(node, 'arg')
  for (const [at, a] of args.entries()) {
    const b = args[at + 1]
    if (b === undefined) continue
    for (const [bare, sum] of [
      [a, b],
      [b, a],
    ] as const) {
      if (bare.kind !== 'name' || sum.kind !== 'binary') continue
      yield* exchanged(bare, sum, context)
    }
  }
}

function* exchanged(bare: Node, sum: Node, context: Context): Generator<Proposal> {
  const names = leavesOf(sum)
  const numbers = namesAt(bare, context)
    .filter(({ guess: type, name }) => (type === 'number' || type === 'unknown') && name !== bare.name)
    .slice(0, 6)
  for (const inner of names) {
    const swap = (weight: number, ...pieces: Piece[]) =>
      propose(weight, replace(bare, ...pieces), replace(sum, inner))
    yield swap(1, ...withOthers(sum, new Map([[inner, [bare]]])))
    for (const other of names.filter((found) => found !== inner)) {
      for (const value of numbers.filter(({ name }) => name !== other.name))
        yield swap(
          0.7,
          ...withOthers(
            sum,
            new Map<Node, readonly Piece[]>([
              [inner, [bare]],
              [other, value.pieces],
            ]),
          ),
        )
    }
  }
}

/** A piece of code with some of its nodes written anew. */
function withOthers(node: Node, others: ReadonlyMap<Node, readonly Piece[]>): Piece[] {
  const pieces: Piece[] = []
  let from = node.start
  for (const [found, written] of [...others].toSorted(([a], [b]) => a.start - b.start)) {
    pieces.push({ start: from, end: found.start }, ...written)
    from = found.end
  }
  return [...pieces, { start: from, end: node.end }]
}

function leavesOf(node: Node): Node[] {
  if (node.kind === 'name') return [node]
  return node.kind === 'binary' ? node.children.flatMap(leavesOf) : []
}

/** `max(min(a, b), c)` for `min(max(a, b), c)`, and the same with the outer and an inner argument exchanged. */
function* exchangeCalls(node: Node, context: Context): Generator<Proposal> {
  const callee = part(node, 'callee')
  const args = parts(node, 'arg')
  for (const arg of args) {
    const inner = arg.kind === 'call' ? part(arg, 'callee') : null
    if (callee === null || inner === null) continue
    if (textOf(context.file, callee) !== textOf(context.file, inner))
      yield propose(1, replace(callee, inner), replace(inner, callee))
    const pairs = args
      .filter((own) => own !== arg)
      .flatMap((own) => parts(arg, 'arg').map((other) => [own, other] as const))
    for (const [own, other] of pairs) yield propose(0.6, replace(own, other), replace(other, own))
  }
}

/** A jump that was to be something done: `continue` for `delete all[key]`. */
function* insteadOfJump(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node)) return
  for (const { pieces, weight } of statementsAt(node, context).slice(0, 60))
    yield propose(weight, replace(node, ...pieces))
}

/** The sign before a value. */
function* sign(node: Node): Generator<Proposal> {
  const inner = part(node, 'value')
  if (inner === null || !['-', '+', '~'].includes(node.op)) return
  for (const op of ['-', '+', '~'])
    if (op !== node.op) yield propose(op === '~' ? 0.4 : 1, replace(node, op, inner))
  if (node.op === '~') yield propose(1, replace(node, inner))
}

const NUMBERS: Operator['on'] = ['name', 'member', 'call', 'binary', 'index']

export const more: readonly Operator[] = [
  {
    id: 'name-for-literal',
    family: 'name',
    trust: 'token',
    prior: 0.35,
    on: ['string', 'boolean', 'nothing', 'list', 'record'],
    make: nameForLiteral,
  },
  { id: 'other-object', family: 'clamp', trust: 'token', prior: 0.3, on: ['member'], make: otherObject },
  { id: 'clamp-by-call', family: 'clamp', trust: 'other', prior: 0.12, on: NUMBERS, make: clampByCall },
  {
    id: 'call-for-value',
    family: 'surgery',
    trust: 'other',
    prior: 0.13,
    on: ['number', 'string', 'name', 'member', 'call', 'nothing', 'list', 'record', 'template'],
    make: callForValue,
  },
  { id: 'unit', family: 'unit', trust: 'other', prior: 0.12, on: NUMBERS, make: unit },
  {
    id: 'exchange-sums',
    family: 'argument-order',
    trust: 'other',
    prior: 0.3,
    on: ['call'],
    make: exchangeSums,
  },
  {
    id: 'exchange-calls',
    family: 'argument-order',
    trust: 'token',
    prior: 0.45,
    on: ['call'],
    make: exchangeCalls,
  },
  {
    id: 'instead-of-jump',
    family: 'missing-call',
    trust: 'other',
    prior: 0.12,
    on: ['jump'],
    make: insteadOfJump,
  },
  { id: 'sign', family: 'arithmetic', trust: 'token', prior: 0.6, on: ['unary'], make: sign },
  {
    id: 'optional-function',
    family: 'optional',
    trust: 'other',
    prior: 0.3,
    on: ['call'],
    *make(node, context) {
      const callee = part(node, 'callee')
      if (callee === null || node.optional || callee.kind === 'func') return
      yield propose(context.threwOnNothing ? 1.5 : 0.4, replace({ start: callee.end, end: callee.end }, '?.'))
    },
  },
]
