// Edits for where there is nothing: a default, an optional step, an await.
import { above, isValue, type Node, part } from '../tree/node.ts'
import {
  type Context,
  group,
  insert,
  type Operator,
  operand,
  type Piece,
  type Proposal,
  propose,
  replace,
} from './edit.ts'
import { type Guess, guess } from './guess.ts'

const DEFAULTS: Readonly<Record<Guess, readonly string[]>> = {
  number: ['0', '1'],
  string: ["''"],
  boolean: ['false', 'true'],
  list: ['[]'],
  record: ['{}', 'new Map()'],
  func: [],
  nothing: [],
  unknown: ['0', "''", '[]', '{}', 'false', 'true', 'null', '1'],
}

function isReadable(node: Node): boolean {
  return isValue(node) && node.role !== 'callee'
}

/** Literals that could stand in: of the guessed type, and those the failing tests expect. */
function standIns(node: Node, context: Context): (readonly [string, number])[] {
  const fitting = fittingFor(node, context)
  const usual = DEFAULTS[guess(node)].map(
    (text) => [text, fitting === null || fitting === text ? 1 : 0.7] as const,
  )
  const pieces = context.expectedLiterals.map((text) => [text, 0.5] as const)
  return [...usual, ...pieces]
}

const LISTS =
  /^(map|filter|reduce|forEach|some|every|find|findIndex|join|slice|concat|push|flat|flatMap|sort)$/
const TEXTS =
  /^(trim|split|replace|replaceAll|toLowerCase|toUpperCase|startsWith|endsWith|charAt|padStart|padEnd)$/

/** The empty value that suits what is done with this one; null: nothing tells. */
function fittingFor(node: Node, context: Context): string | null {
  const { parent, role } = node
  if (parent === null) return null
  if (parent.kind === 'member' && role === 'object') {
    if (LISTS.test(parent.name)) return '[]'
    return TEXTS.test(parent.name) ? "''" : null
  }
  if (parent.kind === 'spread') return parent.parent?.kind === 'record' ? '{}' : '[]'
  const callee = parent.kind === 'call' && role === 'arg' ? part(parent, 'callee') : null
  const called = callee === null ? '' : context.file.text.slice(callee.start, callee.end)
  if (/^Object\.(keys|values|entries|assign|getOwnPropertyNames)$/.test(called)) return '{}'
  return /^(Array\.from|Promise\.all\w*|new (Set|Map))$/.test(called) ? '[]' : null
}

function* addDefault(node: Node, context: Context): Generator<Proposal> {
  if (!isReadable(node) || node.role === 'object' || node.kind === 'binary') return
  if (node.parent?.kind === 'logical' && node.parent.op === '??') return
  const boost = context.threwOnNothing && (node.kind === 'name' || node.kind === 'member') ? 1.6 : 1
  for (const [text, weight] of standIns(node, context)) {
    yield propose(weight * boost, replace(node, ...group(node, ...operand(node), ' ?? ', text)))
    if (weight >= 0.7)
      yield propose(0.5 * weight, replace(node, ...group(node, ...operand(node), ' || ', text)))
  }
}

/** Every step of `a.b.c` made optional. */
function optionalPath(node: Node): Piece[] {
  const object = part(node, 'object')
  const property = part(node, 'property')
  if (node.kind !== 'member' || object === null || property === null) return [node]
  return [...(object.kind === 'member' ? optionalPath(object) : [object]), '?.', property]
}

/** The last step, made optional. */
function optionalStep(node: Node): Piece[] | null {
  const object = part(node, 'object')
  const property = part(node, node.kind === 'index' ? 'arg' : 'property')
  if (object === null || property === null || node.optional || object.kind === 'self') return null
  return node.kind === 'index' ? [object, '?.[', property, ']'] : [object, '?.', property]
}

function* optional(node: Node, context: Context): Generator<Proposal> {
  const step = optionalStep(node)
  if (step === null || node.role === 'target' || isNamespace(node)) return
  const boost = context.threwOnNothing ? 2 : 0.5
  yield propose(boost, replace(node, ...step))
  if (!isReadable(node) || node.parent?.kind === 'member') return
  const path = optionalPath(node)
  if (node.kind === 'member') yield propose(0.6 * boost, replace(node, ...path))
  for (const [text, weight] of standIns(node, context)) {
    yield propose(0.6 * weight * boost, replace(node, ...group(node, ...step, ' ?? ', text)))
    yield propose(0.5 * weight * boost, replace(node, ...group(node, ...path, ' ?? ', text)))
  }
}

/** `a.b(c)` for `a.b?.(c)`: a chain whose call may give nothing. */
function* optionalCall(node: Node, context: Context): Generator<Proposal> {
  const callee = part(node, 'callee')
  const step = callee === null ? null : optionalStep(callee)
  if (callee === null || step === null || isNamespace(callee)) return
  const boost = context.threwOnNothing ? 2 : 0.5
  const rest = { start: callee.end, end: node.end }
  for (const [text, weight] of standIns(node, context)) {
    yield propose(0.5 * weight * boost, replace(node, ...group(node, ...step, rest, ' ?? ', text)))
  }
}

function isNamespace(node: Node): boolean {
  const object = part(node, 'object')
  return object?.kind === 'name' && /^[A-Z]/.test(object.name)
}

function* parameterDefault(node: Node, context: Context): Generator<Proposal> {
  for (const param of node.children.filter((child) => child.role === 'param' && child.kind === 'name')) {
    const name = { start: param.start, end: param.start + param.name.length }
    // An annotation stands between the name and its default.
    const at = param.end
    const isOptional = context.file.text[name.end] === '?'
    for (const text of DEFAULTS.unknown.slice(0, 7)) {
      const drop = isOptional ? [replace({ start: name.end, end: name.end + 1 }, '')] : []
      yield propose(1, insert(at, ` = ${text}`), ...drop)
    }
  }
}

function isAwaitable(node: Node): boolean {
  const func = above(node, 'func')
  return func?.isAsync === true && isValue(node) && node.parent?.kind !== 'await'
}

export const defaults: readonly Operator[] = [
  {
    id: 'default',
    family: 'default',
    trust: 'other',
    prior: 0.22,
    on: ['name', 'member', 'index', 'call'],
    make: addDefault,
  },
  {
    id: 'optional-step',
    family: 'optional',
    trust: 'other',
    prior: 0.35,
    on: ['member', 'index'],
    make: optional,
  },
  { id: 'optional-call', family: 'optional', trust: 'other', prior: 0.3, on: ['call'], make: optionalCall },
  {
    id: 'parameter-default',
    family: 'default',
    trust: 'other',
    prior: 0.14,
    on: ['func'],
    make: parameterDefault,
  },
  {
    id: 'default-value',
    family: 'default',
    trust: 'token',
    prior: 0.3,
    on: ['logical', 'default'],
    *make(node, context) {
      const value = part(node, node.kind === 'default' ? 'value' : 'right')
      if (value === null || (node.kind === 'logical' && node.op === '&&')) return
      for (const text of DEFAULTS.unknown) {
        if (text !== context.file.text.slice(value.start, value.end)) yield propose(0.7, replace(value, text))
      }
    },
  },
  {
    id: 'await',
    family: 'await',
    trust: 'token',
    prior: 0.75,
    on: ['call', 'name', 'member', 'new'],
    *make(node) {
      if (!isAwaitable(node) || node.role === 'callee') return
      const isCall = node.kind === 'call'
      yield propose(isCall ? 1 : 0.3, replace(node, ...group(node, 'await ', node)))
    },
  },
  {
    id: 'drop-await',
    family: 'await',
    trust: 'token',
    prior: 0.3,
    on: ['await'],
    *make(node) {
      const inner = part(node, 'value')
      if (inner !== null) yield propose(1, replace(node, inner))
    },
  },
  {
    id: 'await-all',
    family: 'await',
    trust: 'token',
    prior: 0.5,
    on: ['call'],
    *make(node) {
      if (guess(node) !== 'list' || !isAwaitable(node) || node.role === 'object') return
      yield propose(1, replace(node, ...group(node, 'await Promise.all(', node, ')')))
    },
  },
]
