// A guard that is missing: an early return, a skipped turn, a condition around a statement.
import {
  above,
  isExpressionBody,
  isStatement,
  isValue,
  type Node,
  nodesIn,
  part,
  parts,
} from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import {
  type Context,
  group,
  insert,
  type Operator,
  type Piece,
  type Proposal,
  propose,
  replace,
  textOf,
} from './edit.ts'
import { guess } from './guess.ts'
import { synthesise } from './synthesise.ts'

const RETURNS_MAX = 8

/** Values for an early return: what the function returns elsewhere, its parameters, the empty values. */
function returnsOf(node: Node, context: Context): (readonly [readonly Piece[], number])[] {
  const func = above(node, 'func')
  if (func === null) return []
  const found: (readonly [readonly Piece[], number])[] = []
  const seen = new Set<string>()
  const add = (text: string, pieces: readonly Piece[], weight: number) => {
    if (!seen.has(text)) found.push([pieces, weight])
    seen.add(text)
  }
  const types = new Set<string>()
  for (const inner of nodesIn(func)) {
    if (inner.kind !== 'return' || above(inner, 'func') !== func) continue
    const value = part(inner, 'value')
    if (value === null) continue
    types.add(guess(value))
    const text = textOf(context.file, value)
    if (text.length < 40 && value.start < node.start) add(text, [' ', value], 1)
  }
  for (const text of emptyOf(types)) add(text, [` ${text}`], 0.8)
  for (const name of visible(node)
    .filter((declared) => declared.is === 'parameter')
    .slice(0, 3)) {
    add(name.name, [' ', { ref: name.name }], 0.5)
  }
  return found.slice(0, RETURNS_MAX)
}

function emptyOf(types: ReadonlySet<string>): string[] {
  const usual = ['undefined', 'null', 'false', 'true', '0', "''", '[]']
  const first: Readonly<Record<string, readonly string[]>> = {
    number: ['0', '-1', 'undefined', 'null'],
    string: ["''", 'undefined', 'null'],
    boolean: ['false', 'true'],
    list: ['[]', 'undefined', 'null'],
    record: ['{}', 'null', 'undefined'],
  }
  const fitting = [...types].flatMap((type) => first[type] ?? [])
  return [...new Set(fitting.length > 0 ? fitting : usual)]
}

function* earlyReturn(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement' || above(node, 'func') === null) return
  const line = lineOf(context, node)
  const first = node.parent?.children.find((child) => child.role === 'statement') === node ? 1 : 0.7
  const inLoop = above(node, 'loop', 'func')?.kind === 'loop'
  const returns = returnsOf(node, context)
  const end = /;\s*$/m.test(context.file.text) ? ';' : ''
  for (const { pieces, weight } of synthesise(node, context).slice(0, 45)) {
    for (const [value, likely] of returns) {
      yield propose(
        weight * likely * first,
        insert(node.start, 'if (', ...pieces, ') return', ...value, end, line),
      )
    }
    if (!inLoop) continue
    yield propose(weight, insert(node.start, 'if (', ...pieces, ') continue', end, line))
    yield propose(weight * 0.7, insert(node.start, 'if (', ...pieces, ') break', end, line))
  }
}

/** An error that was caught by mistake: `if (error instanceof Fatal) throw error`. */
function* throwOn(node: Node, context: Context): Generator<Proposal> {
  const caught =
    node.parent?.kind === 'block' && node.parent.parent?.kind === 'catch' ? node.parent.parent : null
  const name = caught === null ? null : part(caught, 'param')
  if (name?.kind !== 'name' || !isStatement(node)) return
  const end = /;\s*$/m.test(context.file.text) ? ';' : ''
  for (const { pieces, weight } of synthesise(node, context).slice(0, 40)) {
    yield propose(
      weight,
      insert(node.start, 'if (', ...pieces, ') throw ', { ref: name.name }, end, lineOf(context, node)),
    )
  }
}

/** A list that is to be gone through by the same function: `if (Array.isArray(x)) return x.map((item) => f(item))`. */
function* listCase(node: Node, context: Context): Generator<Proposal> {
  const func = above(node, 'func')
  if (!isStatement(node) || func === null || func.name === '' || part(func, 'body') !== node.parent) return
  const params = parts(func, 'param').map((param) =>
    param.kind === 'default' ? part(param, 'target') : param,
  )
  const [first, ...rest] = params.map((param) => param?.name ?? '')
  if (first === undefined || first === '' || rest.includes('')) return
  const call = `${func.name}(${['item', ...rest].join(', ')})`
  for (const [ends, weight] of [
    [`.map((item) => ${call})`, 1],
    [`.flatMap((item) => ${call})`, 0.4],
    [`.every((item) => ${call})`, 0.3],
    [`.some((item) => ${call})`, 0.3],
  ] as const) {
    yield propose(
      weight,
      insert(node.start, `if (Array.isArray(${first})) return ${first}${ends}`, lineOf(context, node)),
    )
  }
}

/** `x instanceof Error ? x.message : String(x)`, and a sum that holds only under a condition. */
function* valueUnless(node: Node, context: Context): Generator<Proposal> {
  const arg = node.kind === 'call' ? part(node, 'arg') : null
  if (arg?.kind === 'name' && part(node, 'callee')?.name === 'String') {
    yield propose(3, replace(node, ...group(node, arg, ' instanceof Error ? ', arg, '.message : ', node)))
  }
  const left =
    node.kind === 'binary' && context.profile.arithmetic.includes(node.op) ? part(node, 'left') : null
  if (left === null || !isValue(node) || node.parent?.kind === 'binary' || node.role === 'update') return
  for (const { pieces, weight } of synthesise(node, context).slice(0, 24))
    yield propose(weight, replace(node, ...group(node, ...pieces, ' ? ', left, ' : ', node)))
}

/** Errors that the file throws elsewhere, or with the words the test waits for, under a new condition. */
function* earlyThrow(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement') return
  const func = above(node, 'func')
  if (func === null || part(func, 'body')?.children[0] !== node) return
  const line = lineOf(context, node)
  for (const thrown of throwsOf(context)) {
    for (const { pieces, weight } of synthesise(node, context).slice(0, 36)) {
      yield propose(weight, insert(node.start, 'if (', ...pieces, ') ', thrown, line))
    }
  }
}

function throwsOf(context: Context): Piece[] {
  const seen = new Map<string, Piece>()
  for (const found of nodesIn(context.file.parsed.tree)) {
    if (found.kind === 'throw' && seen.size < 4) seen.set(textOf(context.file, found), found)
  }
  const wanted = context.testLiterals.filter((text) => /^['"]/.test(text) && text.length > 5).slice(0, 2)
  for (const text of wanted) seen.set(text, `throw new Error(${text})`)
  return [...seen.values()]
}

function lineOf(context: Context, node: Node): string {
  const from = context.file.text.lastIndexOf('\n', node.start - 1) + 1
  return `\n${/^[ \t]*/.exec(context.file.text.slice(from))?.[0] ?? ''}`
}

function* aroundStatement(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.kind === 'declare') return
  for (const { pieces, weight } of synthesise(node, context).slice(0, 36)) {
    yield propose(weight, insert(node.start, 'if (', ...pieces, ') '))
  }
}

/** `cond ? empty : value` for an expression function, or in a return. */
function* aroundValue(node: Node, context: Context): Generator<Proposal> {
  if (!isExpressionBody(node) && node.parent?.kind !== 'return') return
  if (node.kind === 'func' || node.kind === 'record') return
  const type = guess(node)
  for (const { pieces, weight } of synthesise(node, context).slice(0, 12)) {
    for (const empty of emptyOf(new Set([type])).slice(0, 4)) {
      yield propose(weight, replace(node, ...pieces, ' ? ', empty, ' : ', node))
    }
  }
}

function* dropGuard(node: Node): Generator<Proposal> {
  const then = part(node, 'then')
  if (then === null || part(node, 'else') !== null || !isStatement(node)) return
  yield propose(1, replace(node, then))
}

const BEFORE: Operator['on'] = ['do', 'if', 'declare', 'loop', 'return', 'switch', 'try']

export const guards: readonly Operator[] = [
  { id: 'early-return', family: 'guard', trust: 'guard', prior: 0.18, on: BEFORE, make: earlyReturn },
  { id: 'early-throw', family: 'guard', trust: 'guard', prior: 0.16, on: BEFORE, make: earlyThrow },
  { id: 'throw-on', family: 'guard', trust: 'guard', prior: 0.3, on: BEFORE, make: throwOn },
  { id: 'list-case', family: 'guard', trust: 'other', prior: 0.12, on: BEFORE, make: listCase },
  {
    id: 'value-unless',
    family: 'condition',
    trust: 'guard',
    prior: 0.08,
    on: ['binary', 'call'],
    make: valueUnless,
  },
  {
    id: 'wrap-in-if',
    family: 'guard',
    trust: 'guard',
    prior: 0.12,
    on: ['do', 'return', 'jump', 'throw'],
    make: aroundStatement,
  },
  {
    id: 'value-or-empty',
    family: 'guard',
    trust: 'guard',
    prior: 0.1,
    on: ['call', 'binary', 'member', 'index', 'name', 'template', 'list'],
    make: aroundValue,
  },
  { id: 'drop-guard', family: 'drop-condition', trust: 'guard', prior: 0.3, on: ['if'], make: dropGuard },
]
