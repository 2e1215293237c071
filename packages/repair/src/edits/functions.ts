// Functions handed to methods: a test, a key, an order, a step of a sum, made of what is known of the elements.
import { isValue, type Node, part, parts } from '../tree/node.ts'
import {
  type Context,
  type Operator,
  operand,
  type Piece,
  type Proposal,
  propose,
  replace,
  textOf,
} from './edit.ts'
import { guess } from './guess.ts'
import { callablesAt, elementOf, namesAt, nearNodes, typeOfValue, type Value } from './known.ts'
import { renamings } from './rename.ts'

const FUNCS: ReadonlySet<Node['kind']> = new Set(['func'])
const TESTS = new Set(['filter', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'])
const DONOR_MAX = 90

interface FunctionDraft {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

/** The names that a made function gives its element, one that nobody uses here. */
function freshName(at: Node, context: Context): string {
  const taken = new Set(namesAt(at, context).map(({ name }) => name))
  return ['item', 'one', 'it', 'each'].find((name) => !taken.has(name)) ?? 'element'
}

/** The keys of an element: itself, its members, and functions of one value. */
function keysOf(
  element: string,
  type: string,
  at: Node,
  context: Context,
): { text: Piece[]; type: string; weight: number }[] {
  const keys: { text: Piece[]; type: string; weight: number }[] = [{ text: [element], type, weight: 0.8 }]
  for (const [name, of] of context.membersOf(type))
    keys.push({ text: [`${element}.${name}`], type: of, weight: 1 })
  for (const callable of callablesAt(at, context)) {
    if (callable.params.length !== 1 || callable.returns === 'void') continue
    keys.push({ text: [...callable.pieces, `(${element})`], type: callable.returns, weight: 0.8 })
  }
  return keys.slice(0, 14)
}

function predicates(at: Node, context: Context, type: string): FunctionDraft[] {
  const x = freshName(at, context)
  const head = `(${x}) => `
  const made: FunctionDraft[] = []
  const values = namesAt(at, context).filter(
    ({ guess: of }) => of !== 'list' && of !== 'record' && of !== 'func',
  )
  for (const key of keysOf(x, type, at, context)) {
    if (/^(boolean|$)/.test(key.type) && key.text.join() !== x) {
      made.push(
        { pieces: [head, ...key.text], weight: key.weight },
        { pieces: [head, '!', ...key.text], weight: 0.9 * key.weight },
      )
    }
    for (const word of key.type.match(/'[^']*'/g) ?? []) {
      made.push({ pieces: [head, ...key.text, ` === ${word}`], weight: 0.8 * key.weight })
      made.push({ pieces: [head, ...key.text, ` !== ${word}`], weight: 0.7 * key.weight })
    }
    for (const value of values.slice(0, 4)) made.push(...compared(head, key, value))
  }
  made.push(...byOrder(x, type, at, context))
  return made.sort((a, b) => b.weight - a.weight).slice(0, 90)
}

function compared(
  head: string,
  key: { text: readonly Piece[]; type: string; weight: number },
  value: Value,
): FunctionDraft[] {
  const numeric = /^number/.test(key.type)
  if (value.type !== '' && key.type !== '' && numeric !== /^number/.test(value.type)) return []
  const ops = numeric ? [' > ', ' >= ', ' < ', ' <= ', ' === ', ' !== '] : [' === ', ' !== ']
  return ops.map((op) => ({
    pieces: [head, ...key.text, op, ...value.pieces],
    weight: 0.5 * key.weight * value.near,
  }))
}

/** `compare(keyOf(item), after) > 0`: an order that is in sight, against a value that is. */
function byOrder(x: string, type: string, at: Node, context: Context): FunctionDraft[] {
  const made: FunctionDraft[] = []
  const orders = callablesAt(at, context).filter(
    ({ params, returns }) => params.length === 2 && /^number/.test(returns),
  )
  const values = namesAt(at, context).filter(
    ({ guess: of }) => of !== 'list' && of !== 'record' && of !== 'func',
  )
  for (const order of orders.slice(0, 2)) {
    for (const key of keysOf(x, type, at, context).slice(0, 5)) {
      for (const value of values.slice(0, 5)) {
        for (const op of [' > 0', ' < 0', ' >= 0', ' <= 0'])
          made.push({
            pieces: [`(${x}) => `, ...order.pieces, '(', ...key.text, ', ', ...value.pieces, `)${op}`],
            weight: 0.35 * value.near * key.weight,
          })
      }
    }
  }
  return made
}

/** Orders for a sort: by a function of two, of the elements or of what a function of one makes of them; by a member. */
function orders(at: Node, context: Context, type: string): FunctionDraft[] {
  const made: FunctionDraft[] = []
  const functions = callablesAt(at, context)
  const of = (pieces: readonly Piece[], name: string): Piece[] => [...pieces, `(${name})`]
  for (const order of functions.filter(
    ({ params, returns }) => params.length === 2 && /^(number|$)/.test(returns),
  )) {
    const rate = /compare|order|sort|by/i.test(order.name) ? 1 : 0.4
    for (const [a, b] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      made.push({ pieces: [`(a, b) => `, ...order.pieces, `(${a}, ${b})`], weight: rate })
      for (const key of functions
        .filter(({ params, returns }) => params.length === 1 && returns !== 'void')
        .slice(0, 6))
        made.push({
          pieces: [`(a, b) => `, ...order.pieces, '(', ...of(key.pieces, a), ', ', ...of(key.pieces, b), ')'],
          weight: 0.6 * rate,
        })
    }
  }
  const members = [...context.membersOf(type)]
  for (const [name, typed] of members.slice(0, 8)) {
    for (const [a, b] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const text = /^string/.test(typed)
      made.push({
        pieces: [
          text
            ? `(a, b) => ${a}.${name}.localeCompare(${b}.${name})`
            : `(a, b) => ${a}.${name} - ${b}.${name}`,
        ],
        weight: 0.6,
      })
    }
  }
  return made.sort((a, b) => b.weight - a.weight).slice(0, 40)
}

function* mappers(at: Node, context: Context, type: string): Generator<FunctionDraft> {
  const x = freshName(at, context)
  for (const key of keysOf(x, type, at, context))
    yield { pieces: [`(${x}) => `, ...key.text], weight: key.weight }
  for (const value of namesAt(at, context).slice(0, 3))
    yield { pieces: [`(${x}) => ${x} + `, ...value.pieces], weight: 0.2 }
}

function* sums(at: Node, context: Context, type: string): Generator<FunctionDraft> {
  for (const key of keysOf('item', type, at, context))
    for (const op of [' + ', ' * '])
      yield { pieces: ['(sum, item) => sum', op, ...key.text], weight: op === ' + ' ? key.weight : 0.3 }
}

/** The type of the elements of what the method is called on. */
function elementType(call: Node, context: Context): string {
  const callee = part(call, 'callee')
  const object = callee === null ? null : part(callee, 'object')
  if (object === null) return ''
  const type = elementOf(typeOfValue(object, context))
  const inner = object.kind === 'call' ? part(object, 'callee') : null
  // A filtered or sorted list has the same elements.
  return type === '' && inner !== null && /^(filter|sort|toSorted|slice|reverse|toReversed)$/.test(inner.name)
    ? elementType(object, context)
    : type
}

/** A function that does nothing with what it is given: `() => undefined`, `(one) => false`. */
function* fillFunction(node: Node, context: Context): Generator<Proposal> {
  const call = node.parent
  const callee = call?.kind === 'call' && node.role === 'arg' ? part(call, 'callee') : null
  const body = part(node, 'body')
  if (body === null || !saysNothing(body) || !isValue(node)) return
  for (const [found, near] of nearNodes(node, context, FUNCS)) {
    if (!canLend(found, node, context)) continue
    const rate = callee !== null && sameUse(found, callee.name) ? 1 : 0.5
    for (const { pieces, weight } of renamings(found, node, context))
      yield propose(rate * near * weight, replace(node, ...pieces))
    yield* withOtherText(node, found, context)
  }
  if (call === null || callee === null) return
  const type = elementType(call, context)
  for (const { pieces, weight } of madeFor(callee.name, node, context, type))
    yield propose(weight, replace(node, ...pieces))
}

function madeFor(method: string, node: Node, context: Context, type: string): Iterable<FunctionDraft> {
  if (TESTS.has(method)) return predicates(node, context, type)
  if (/^(sort|toSorted)$/.test(method)) return orders(node, context, type)
  if (/^(map|flatMap)$/.test(method)) return mappers(node, context, type)
  return /^reduce/.test(method) ? sums(node, context, type) : []
}

function saysNothing(body: Node): boolean {
  return (
    body.kind === 'nothing' ||
    body.kind === 'boolean' ||
    (body.kind === 'block' && body.children.length === 0)
  )
}

/** A short function that stands somewhere as a value, not around this place. */
function canLend(found: Node, node: Node, context: Context): boolean {
  if (found === node || found.role === 'statement' || found.parent?.kind === 'method') return false
  const isAround = found.start <= node.start && node.end <= found.end
  return isValue(found) && !isAround && textOf(context.file, found).length <= DONOR_MAX
}

function sameUse(found: Node, name: string): boolean {
  const callee = found.parent?.kind === 'call' ? part(found.parent, 'callee') : null
  return callee?.name === name || (TESTS.has(name) && TESTS.has(callee?.name ?? ''))
}

function* withOtherText(node: Node, found: Node, context: Context): Generator<Proposal> {
  const body = part(found, 'body')
  const text = body?.kind === 'binary' ? body.children.find(({ kind }) => kind === 'string') : undefined
  if (text === undefined) return
  for (const word of context.words.slice(0, 8)) {
    if (word !== text.name)
      yield propose(
        0.5,
        replace(node, { start: found.start, end: text.start }, word, { start: text.end, end: found.end }),
      )
  }
}

/** A list that was to be filtered or put in order. */
function* narrow(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object') return
  const type = typeOfValue(node, context)
  if (guess(node) !== 'list' && !/\[\]$|Array</.test(type)) return
  if (node.kind === 'list') {
    yield* sorted(node, context)
    return
  }
  if (node.parent?.kind === 'spread') return
  for (const { pieces, weight } of predicates(node, context, elementOf(type)))
    yield propose(weight, replace(node, ...operand(node), '.filter(', ...pieces, ')'))
  for (const { pieces, weight } of orders(node, context, elementOf(type)))
    yield propose(0.8 * weight, replace(node, ...operand(node), '.toSorted(', ...pieces, ')'))
}

/** `[...all]`: a fresh copy may be put in order in its place. */
function* sorted(node: Node, context: Context): Generator<Proposal> {
  const [only, ...more] = node.children
  const list = only?.kind === 'spread' && more.length === 0 ? part(only, 'value') : null
  if (list === null) return
  const rate = context.outOfOrder ? 4 : 1
  for (const { pieces, weight } of orders(node, context, elementOf(typeOfValue(list, context))))
    yield propose(rate * weight, replace(node, node, '.sort(', ...pieces, ')'))
}

/** `sort()` compares as text: an order that is in sight. */
function* orderFor(node: Node, context: Context): Generator<Proposal> {
  const callee = part(node, 'callee')
  const args = parts(node, 'arg')
  if (!/^(sort|toSorted)$/.test(callee?.name ?? '') || args.length > 1) return
  const place = args[0] ?? { start: node.end - 1, end: node.end - 1 }
  const rate = args.length === 0 ? 1 : 0.4
  for (const { pieces, weight } of orders(node, context, elementType(node, context))) {
    yield propose(rate * weight, replace(place, ...pieces))
    const outer =
      node.parent?.kind === 'member' && /^(reverse|toReversed)$/.test(node.parent.name)
        ? node.parent.parent
        : null
    if (outer?.kind === 'call')
      yield propose(rate * weight, replace({ start: place.start, end: outer.end }, ...pieces, ')'))
  }
}

export const functions: readonly Operator[] = [
  { id: 'fill-function', family: 'fill', trust: 'other', prior: 0.35, on: ['func'], make: fillFunction },
  {
    id: 'narrow',
    family: 'surgery',
    trust: 'other',
    prior: 0.06,
    on: ['name', 'member', 'call', 'list'],
    make: narrow,
  },
  { id: 'order-for', family: 'method', trust: 'other', prior: 0.4, on: ['call'], make: orderFor },
]
