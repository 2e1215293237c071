// Statements that nobody wrote: something put into or taken out of a collection, a field brought up to date, a call, an else.
import { above, isStatement, type Node, nodesIn, part, parts } from '../tree/node.ts'
import {
  type Context,
  insert,
  type Operator,
  type Piece,
  type Proposal,
  propose,
  replace,
  textOf,
} from './edit.ts'
import { callsAt, fieldsAt, namesAt, nearNodes, type Value } from './known.ts'
import { renamings } from './rename.ts'
import { synthesise } from './synthesise.ts'
import { unusedAt } from './unused.ts'

interface StatementDraft {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

function lineAt(context: Context, node: Node): string {
  const from = context.file.text.lastIndexOf('\n', node.start - 1) + 1
  return `\n${/^[ \t]*/.exec(context.file.text.slice(from))?.[0] ?? ''}`
}

function semicolon(context: Context): string {
  return /;\s*$/m.test(context.file.text) ? ';' : ''
}

const MADE_MAX = 110

type WeightedPieces = readonly [Piece[], number]

export function statementsAt(at: Node, context: Context): StatementDraft[] {
  const names = namesAt(at, context).slice(0, 9)
  const fields = fieldsAt(at, context)
  const unused = unusedAt(at)
  const values = names.filter(({ guess }) => guess !== 'func')
  const rate = (value: Value) => value.near * (unused.has(value.name) ? 1.5 : 1)
  const all: WeightedPieces[] = [
    ...[...names, ...fields].flatMap((holder) => [...onCollection(holder, values, rate)]),
    ...names.flatMap((holder) => [...onRecord(holder, values)]),
    ...fields.flatMap((field) => [...onField(field, values, rate)]),
    ...callsAt(at, context).map(({ pieces, weight, returns }): WeightedPieces => {
      return [[...pieces], (/^(void|this|Promise<void>|boolean|)$/.test(returns) ? 0.8 : 0.25) * weight]
    }),
  ]
  const made = all.map(([pieces, weight]) => ({ pieces, weight: weight * orderRate(pieces, context) }))
  return made.sort((a, b) => b.weight - a.weight).slice(0, MADE_MAX)
}

/** Sorting is likely where only the order is wrong. */
function orderRate(pieces: readonly Piece[], context: Context): number {
  if (!context.outOfOrder || !/^\.(sort|reverse)\(\)$/.test(String(pieces.at(-1)))) return 1
  return context.wantsSorted ? 8 : 3
}

function onCollection(
  holder: Value,
  values: readonly Value[],
  rate: (value: Value) => number,
): Iterable<WeightedPieces> {
  const own = values.filter((value) => value.name !== holder.name).slice(0, 6)
  const kind = collectionOf(holder)
  if (kind === 'list') return onList(holder, own, rate)
  if (kind === 'set') return onSet(holder, own, rate)
  return kind === 'map' ? onMap(holder, own, rate) : []
}

function* onList(
  { pieces, near }: Value,
  values: readonly Value[],
  rate: (value: Value) => number,
): Generator<WeightedPieces> {
  yield [[...pieces, '.sort()'], 0.55 * near]
  yield [[...pieces, '.reverse()'], 0.4 * near]
  yield [[...pieces, '.pop()'], 0.25 * near]
  yield [[...pieces, '.shift()'], 0.25 * near]
  for (const value of values) {
    yield [[...pieces, '.push(', ...value.pieces, ')'], 0.8 * near * rate(value)]
    if (value.guess === 'list') yield [[...pieces, '.push(...', ...value.pieces, ')'], 0.5 * near]
  }
}

function* onSet(
  { pieces, near }: Value,
  values: readonly Value[],
  rate: (value: Value) => number,
): Generator<WeightedPieces> {
  yield [[...pieces, '.clear()'], 0.3 * near]
  for (const value of values) {
    yield [[...pieces, '.add(', ...value.pieces, ')'], 0.8 * near * rate(value)]
    yield [[...pieces, '.delete(', ...value.pieces, ')'], 0.6 * near * rate(value)]
  }
}

function* onMap(
  { pieces, near }: Value,
  values: readonly Value[],
  rate: (value: Value) => number,
): Generator<WeightedPieces> {
  yield [[...pieces, '.clear()'], 0.3 * near]
  for (const key of values) {
    yield [[...pieces, '.delete(', ...key.pieces, ')'], 0.6 * near * key.near]
    for (const value of values.filter((found) => found !== key)) {
      const weight = 0.6 * near * key.near ** 2 * rate(value)
      yield [[...pieces, '.set(', ...key.pieces, ', ', ...value.pieces, ')'], weight]
    }
  }
}

/** A slot of an object that is not a list. */
function* onRecord(holder: Value, values: readonly Value[]): Generator<readonly [Piece[], number]> {
  if (holder.guess !== 'record' && !(holder.guess === 'unknown' && /^[A-Z]|^\{ \[/.test(holder.type))) return
  if (collectionOf(holder) !== null) return
  const own = values.filter((value) => value.name !== holder.name).slice(0, 4)
  for (const key of own.filter(({ guess }) => guess === 'string' || guess === 'unknown')) {
    yield [['delete ', ...holder.pieces, '[', ...key.pieces, ']'], 0.4 * key.near]
    for (const value of own)
      if (value !== key)
        yield [[...holder.pieces, '[', ...key.pieces, '] = ', ...value.pieces], 0.35 * key.near * value.near]
  }
}

function collectionOf({ type, guess }: Value): 'list' | 'set' | 'map' | null {
  if (/^(new )?(Readonly)?Set\b/.test(type)) return 'set'
  if (/^(new )?(Readonly)?Map\b/.test(type)) return 'map'
  return guess === 'list' || /\[\]$/.test(type) ? 'list' : null
}

/** A field that is brought up to date with a value at hand. */
function* onField(
  field: Value,
  values: readonly Value[],
  rate: (value: Value) => number,
): Generator<readonly [Piece[], number]> {
  const alike = values.filter(
    ({ guess }) => guess === field.guess || guess === 'unknown' || field.guess === 'unknown',
  )
  const numeric = field.guess === 'number' || /number/.test(field.type)
  for (const value of alike.slice(0, 5)) {
    yield [[...field.pieces, ' = ', ...value.pieces], 0.6 * rate(value)]
    if (!numeric) continue
    for (const op of [' += ', ' -= ']) yield [[...field.pieces, op, ...value.pieces], 0.65 * rate(value)]
  }
  if (numeric) for (const text of [' += 1', ' -= 1', ' = 0']) yield [[...field.pieces, text], 0.5]
  if (/\|\s*null\b/.test(field.type)) yield [[...field.pieces, ' = null'], 0.5]
  if (field.guess === 'boolean')
    for (const text of [' = true', ' = false']) yield [[...field.pieces, text], 0.55]
  if (field.guess === 'list') yield [[...field.pieces, ' = []'], 0.35]
}

/** Before this statement, and after it where it does not leave. */
function* addStatement(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement' || above(node, 'func') === null) return
  const line = lineAt(context, node)
  const end = semicolon(context)
  const leaves = node.kind === 'return' || node.kind === 'throw' || node.kind === 'jump'
  const row = node.parent === null ? [] : parts(node.parent, 'statement')
  for (const { pieces, weight } of statementsAt(node, context)) {
    yield propose(weight, insert(node.start, ...pieces, end, line))
    if (!leaves && row.at(-1) === node) yield propose(weight, insert(node.end, line, ...pieces, end))
  }
}

/** The same under a condition, only where both are likely. */
function* addUnder(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement' || above(node, 'func') === null) return
  const line = lineAt(context, node)
  const end = semicolon(context)
  const tests = synthesise(node, context).slice(0, 10)
  for (const { pieces, weight } of statementsAt(node, context).slice(0, 8)) {
    for (const test of tests) {
      yield propose(
        weight * test.weight,
        insert(node.start, 'if (', ...test.pieces, ') ', ...pieces, end, line),
      )
    }
  }
}

const BRANCHES: ReadonlySet<Node['kind']> = new Set(['if'])
const SIMPLE: ReadonlySet<Node['kind']> = new Set(['do', 'if', 'return', 'throw'])
const COPY_MAX = 140

/** Simple statements and guards from anywhere in the file, with names that are in sight here. */
function* borrow(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement' || above(node, 'func') === null) return
  const line = lineAt(context, node)
  const leaves = node.kind === 'return' || node.kind === 'throw' || node.kind === 'jump'
  for (const [found, near] of nearNodes(node, context, SIMPLE)) {
    if (found.kind === 'return' || found.kind === 'throw' || !canLend(found, node, context)) continue
    for (const { pieces, weight } of renamings(found, node, context)) {
      const rate = near * weight * (found.kind === 'if' ? 0.9 : 1)
      yield propose(rate, insert(node.start, ...pieces, line))
      if (!leaves) yield propose(0.8 * rate, insert(node.end, line, ...pieces))
    }
  }
}

/** A short statement that is not around this place. */
function canLend(found: Node, node: Node, context: Context): boolean {
  if (!isStatement(found) || found.role !== 'statement' || contains(found, node)) return false
  const text = textOf(context.file, found)
  return text.length <= COPY_MAX && text.split('\n').length <= 4
}

function contains(outer: Node, inner: Node): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** An `if` that lacks its other branch: what other branches do, and the mirror of its own assignment. */
function* addElse(node: Node, context: Context): Generator<Proposal> {
  const then = part(node, 'then')
  if (then === null || part(node, 'else') !== null || !isStatement(node)) return
  const line = lineAt(context, node)
  const end = semicolon(context)
  const put = (weight: number, ...pieces: Piece[]) =>
    propose(weight, insert(node.end, `${line}else `, ...pieces))
  for (const [found, near] of nearNodes(node, context, BRANCHES)) {
    const branch = part(found, 'else')
    if (branch === null || branch.kind === 'if' || textOf(context.file, branch).length > COPY_MAX) continue
    for (const { pieces, weight } of renamings(branch, node, context)) yield put(near * weight, ...pieces)
  }
  const assigned = nodesIn(then).find((found) => found.kind === 'assign')
  const value = assigned === undefined ? null : part(assigned, 'value')
  const targets = [...fieldsAt(node, context), ...namesAt(node, context)].slice(0, 8)
  if (value !== null)
    for (const target of targets) yield put(0.8 * target.near, ...target.pieces, ' = ', value, end)
  for (const { pieces, weight } of statementsAt(node, context).slice(0, 20))
    yield put(0.35 * weight, ...pieces, end)
}

/** A block with nothing in it. */
function* fillBlock(node: Node, context: Context): Generator<Proposal> {
  if (node.children.length > 0 || node.op === 'class' || above(node, 'func') === null) return
  const close = lineAt(context, node)
  const end = semicolon(context)
  const put = (weight: number, ...pieces: Piece[]) =>
    propose(weight, replace(node, `{${close}  `, ...pieces, `${close}}`))
  for (const { pieces, weight } of statementsAt(node, context)) yield put(weight, ...pieces, end)
  for (const [found, near] of nearNodes(node, context, SIMPLE)) {
    if (!canLend(found, node, context)) continue
    for (const { pieces, weight } of renamings(found, node, context)) yield put(near * weight, ...pieces)
  }
  for (const { pieces, weight } of leavings(node, context)) yield put(weight, ...pieces, end)
}

/** Ways to leave a block that has nothing else to do. */
function leavings(node: Node, context: Context): StatementDraft[] {
  const inLoop = above(node, 'loop', 'func')?.kind === 'loop'
  const jumps = inLoop ? ['return', 'continue', 'break'] : ['return']
  const words = node.parent?.kind === 'func' ? [] : jumps
  const values = [...namesAt(node, context), ...fieldsAt(node, context)].slice(0, 8)
  return [
    ...words.map((word) => ({ pieces: [word], weight: 0.6 })),
    ...values.map(({ pieces, near }) => ({ pieces: ['return ', ...pieces], weight: 0.7 * near })),
    ...callsAt(node, context)
      .slice(0, 12)
      .map(({ pieces, weight }) => ({ pieces: ['return ', ...pieces], weight: 0.5 * weight })),
    ...['true', 'false', 'null', '0', 'undefined', 'this'].map((text) => ({
      pieces: [`return ${text}`],
      weight: 0.5,
    })),
  ]
}

export const madeStatements: readonly Operator[] = [
  {
    id: 'add-statement',
    family: 'missing-call',
    trust: 'other',
    prior: 0.13,
    on: ['do', 'return', 'if', 'declare', 'loop', 'try', 'throw'],
    make: addStatement,
  },
  {
    id: 'add-statement-if',
    family: 'missing-call',
    trust: 'guard',
    prior: 0.06,
    on: ['do', 'return', 'if', 'declare', 'loop', 'try'],
    make: addUnder,
  },
  {
    id: 'borrow-statement',
    family: 'copy-statement',
    trust: 'other',
    prior: 0.13,
    on: ['do', 'return', 'if', 'declare', 'loop', 'try', 'throw'],
    make: borrow,
  },
  { id: 'add-else', family: 'branches', trust: 'other', prior: 0.2, on: ['if'], make: addElse },
  { id: 'fill-block', family: 'fill', trust: 'other', prior: 0.4, on: ['block'], make: fillBlock },
]
