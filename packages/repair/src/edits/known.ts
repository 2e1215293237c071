// The names, fields and functions that can be seen from a place: their types and their signatures.
import { above, type Declared, type Node, nodesIn, part, parts } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import type { Context, Piece } from './edit.ts'
import { type Guess, guess, guessType } from './guess.ts'
import { likeness } from './likeness.ts'

/** A value that can be written here: a name or a field of the object at hand. */
export interface Value {
  readonly pieces: readonly Piece[]
  /** The last word of it. */
  readonly name: string
  /** The text of its type; empty where nobody says. */
  readonly type: string
  readonly guess: Guess
  /** 1 is the nearest. */
  readonly near: number
}

const VALUES_MAX = 14

/** Names in sight that hold values, nearest first. */
export function namesAt(at: Node, context: Context): Value[] {
  const found = visible(at).filter(({ is }) => is === 'parameter' || is === 'variable' || is === 'constant')
  return found.slice(0, VALUES_MAX).map((declared, order) => {
    const type = declaredType(declared, context)
    const known = type === '' ? guessDeclared(declared) : guessType(type)
    return {
      pieces: [{ ref: declared.name }],
      name: declared.name,
      type,
      guess: known,
      near: 1 - order * 0.05,
    }
  })
}

function guessDeclared(declared: Declared): Guess {
  const holder = declared.node?.parent
  const hasValue = holder?.kind === 'declarator' || holder?.kind === 'default'
  return hasValue ? guess(part(holder, 'value')) : 'unknown'
}

/** The annotation, or what a pattern's annotation, the initial value or the walked list says of it. */
function declaredType(declared: Declared, context: Context): string {
  if (declared.type !== null) return declared.type
  const node = declared.node
  if (node === null) return ''
  const value = node.parent?.kind === 'declarator' ? part(node.parent, 'value') : null
  if (value !== null) return typeOfValue(value, context)
  const loop = above(node, 'loop')
  const list = loop?.op === 'of' && isTargetOf(node, loop) ? part(loop, 'right') : null
  if (list !== null) return elementOf(typeOfValue(list, context))
  return memberOfPattern(node, context)
}

function isTargetOf(node: Node, loop: Node): boolean {
  const target = part(loop, 'init')
  return (
    target !== null &&
    node.start >= target.start &&
    node.end <= target.end &&
    node.parent?.kind === 'declarator'
  )
}

/** `({ year, month }: Day)`: what the annotated type says of `year`. */
function memberOfPattern(node: Node, context: Context): string {
  const pattern = above(node, 'pattern')
  if (pattern === null || pattern.op !== 'record') return ''
  const type = context.file.parsed.patterns.get(pattern.start)
  return type === undefined ? '' : (context.membersOf(type).get(node.name) ?? '')
}

export function elementOf(type: string): string {
  const plain = type.replace(/^readonly\s+/, '')
  const list = /^(.*)\[\]$/.exec(plain)?.[1] ?? /^(?:Readonly)?(?:Array|Set)<(.*)>$/.exec(plain)?.[1] ?? ''
  return list.replace(/^\((.*)\)$/, '$1')
}

/** The text of an expression's type where a declaration says it. */
export function typeOfValue(value: Node, context: Context): string {
  if (value.kind === 'new')
    return context.file.text.slice(part(value, 'callee')?.start ?? 0, value.end).replace(/\(.*$/s, '')
  if (value.kind === 'name') {
    const declared = visible(value).find(({ name }) => name === value.name)
    return declared === undefined || declared.node === value ? '' : (declared.type ?? '')
  }
  if (value.kind === 'member') return typeOfMember(value, context)
  return value.kind === 'call' ? (callableOf(value, context)?.returns ?? '') : ''
}

function typeOfMember(member: Node, context: Context): string {
  const object = part(member, 'object')
  if (object === null) return ''
  if (object.kind === 'self')
    return fieldsAt(member, context).find(({ name }) => name === member.name)?.type ?? ''
  return context.membersOf(typeOfValue(object, context)).get(member.name) ?? ''
}

/** The fields of the class around, as `this.field`. */
export function fieldsAt(at: Node, context: Context): Value[] {
  const holder = above(at, 'class')
  const body = holder === null ? null : part(holder, 'body')
  if (body === null || isStatic(at)) return []
  return parts(body, 'statement').flatMap((member, order) => {
    const key = member.kind === 'field' ? part(member, 'key') : null
    if (key === null) return []
    const name = key.kind === 'name' ? key.name : `#${key.name}`
    const value = part(member, 'value')
    const written = context.file.parsed.fields.get(member.start) ?? ''
    const type = written === '' && value?.kind === 'new' ? typeOfValue(value, context) : written
    const known = type === '' ? guess(value) : guessType(type)
    return [{ pieces: [`this.${name}`], name, type, guess: known, near: 0.9 - order * 0.03 }]
  })
}

function isStatic(at: Node): boolean {
  const method = above(at, 'method')
  return method === null && above(at, 'field') === null
}

export interface Callable {
  readonly pieces: readonly Piece[]
  readonly name: string
  readonly params: readonly { readonly name: string; readonly type: string }[]
  readonly returns: string
}

/** Functions in sight whose parameters are known, and the methods of the class around. */
export function callablesAt(at: Node, context: Context): Callable[] {
  const own: Callable[] = visible(at).flatMap((declared) => {
    const local =
      declared.node?.kind === 'func'
        ? { node: declared.node, file: context.file }
        : arrowOf(declared, context)
    const known = local ?? (declared.is === 'import' ? context.functionNamed(declared.name) : null)
    if (known === null)
      return declared.type?.includes('=>') === true ? typed(declared.name, declared.type) : []
    return [signature([{ ref: declared.name }], declared.name, known.node, known.file.parsed)]
  })
  return [...own, ...methodsAt(at, context)]
}

function arrowOf(declared: Declared, context: Context) {
  const value = declared.node?.parent?.kind === 'declarator' ? part(declared.node.parent, 'value') : null
  return value?.kind === 'func' ? { node: value, file: context.file } : null
}

/** `keyOf: (item: T) => string` */
function typed(name: string, type: string): Callable[] {
  const found = /^\(?\(([^()]*)\)\s*=>\s*(.+?)\)?$/s.exec(type)
  if (found === null) return []
  const params = (found[1] ?? '')
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [param = '', of = ''] = text.split(':').map((word) => word.trim())
      return { name: param, type: of }
    })
  return [{ pieces: [{ ref: name }], name, params, returns: found[2] ?? '' }]
}

function methodsAt(at: Node, context: Context): Callable[] {
  const body = part(above(at, 'class') ?? at, 'body')
  if (body?.op !== 'class' || isStatic(at)) return []
  return parts(body, 'statement').flatMap((member) => {
    const key = member.kind === 'method' && member.op === 'method' ? part(member, 'key') : null
    const func = part(member, 'value')
    if (key === null || func === null) return []
    const name = key.kind === 'name' ? key.name : `#${key.name}`
    return [signature([`this.${name}`], name, func, context.file.parsed)]
  })
}

function signature(
  pieces: readonly Piece[],
  name: string,
  func: Node,
  parsed: Context['file']['parsed'],
): Callable {
  const params = parts(func, 'param').map((param) => {
    const target = param.kind === 'default' ? part(param, 'target') : param
    const type =
      target === null ? '' : (parsed.annotations.get(target.start) ?? parsed.patterns.get(target.start) ?? '')
    return {
      name: target?.name ?? '',
      type: type === '' && param.kind === 'default' ? typeByDefault(param) : type,
    }
  })
  return { pieces, name, params, returns: parsed.returns.get(func.start) ?? '' }
}

function typeByDefault(param: Node): string {
  const found = guess(part(param, 'value'))
  return found === 'number' || found === 'string' || found === 'boolean' ? found : ''
}

function callableOf(call: Node, context: Context): Callable | null {
  const callee = part(call, 'callee')
  if (callee === null) return null
  if (callee.kind === 'name') {
    const known = context.functionNamed(callee.name)
    return known === null ? null : signature([], callee.name, known.node, known.file.parsed)
  }
  if (callee.kind !== 'member' || part(callee, 'object')?.kind !== 'self') return null
  return methodsAt(call, context).find(({ name }) => name === callee.name) ?? null
}

/** 0 where the value cannot be meant for the parameter. */
function suits(value: Value, param: { readonly name: string; readonly type: string }): number {
  const wanted = param.type === '' ? 'unknown' : guessType(param.type)
  const clash = wanted !== 'unknown' && value.guess !== 'unknown' && wanted !== value.guess
  if (clash) return 0
  const plain = (type: string) => type.replace(/\b(readonly|Readonly)\b|\s/g, '').replace(/<.*>/, '')
  const same = value.type !== '' && plain(value.type) === plain(param.type)
  const stranger =
    value.type !== '' && param.type !== '' && !same && wanted === 'unknown' && !isOpen(param.type)
  if (stranger) return 0.1
  const fits = same || (wanted !== 'unknown' && wanted === value.guess)
  return (fits ? 0.6 : 0.4) + 0.4 * likeness(value.name, param.name)
}

/** A type parameter takes anything. */
function isOpen(type: string): boolean {
  return /^[A-Z]\w?$/.test(type) || type.includes('[')
}

export interface MadeCall {
  readonly pieces: readonly Piece[]
  readonly weight: number
  readonly returns: string
  readonly name: string
}

const CALLS_MAX = 60
const ARGUMENTS_MAX = 3
const PARAMS_MAX = 3

/** Calls of what is in sight with arguments that suit, the best of each function first. */
export function callsAt(
  at: Node,
  context: Context,
  values = [...namesAt(at, context), ...fieldsAt(at, context)],
): MadeCall[] {
  const made: MadeCall[] = []
  for (const callable of callablesAt(at, context)) {
    if (callable.params.length > PARAMS_MAX) continue
    for (const { pieces, weight } of argumentsFor(callable, values)) {
      made.push({
        pieces: [...callable.pieces, '(', ...pieces, ')'],
        weight,
        returns: callable.returns,
        name: callable.name,
      })
    }
  }
  return made.sort((a, b) => b.weight - a.weight).slice(0, CALLS_MAX)
}

function argumentsFor(
  { params, name }: Callable,
  values: readonly Value[],
): { pieces: Piece[]; weight: number }[] {
  let lists: { pieces: Piece[]; weight: number; taken: readonly Value[] }[] = [
    // A call without arguments says little of why it should stand here.
    { pieces: [], weight: params.length === 0 ? 0.6 : 1, taken: [] },
  ]
  for (const [at, param] of params.entries()) {
    const fitting = values
      .filter((value) => value.name !== name)
      .map((value) => ({ value, rate: suits(value, param) * value.near }))
      .filter(({ rate }) => rate > 0.15)
      .sort((a, b) => b.rate - a.rate)
      .slice(0, ARGUMENTS_MAX + 1)
    lists = lists.flatMap((list) =>
      fitting
        .filter(({ value }) => !list.taken.includes(value))
        .map(({ value, rate }) => ({
          pieces: [...list.pieces, ...(at === 0 ? [] : [', ']), ...value.pieces],
          weight: list.weight * rate ** 0.5 * company(value, list.taken),
          taken: [...list.taken, value],
        })),
    )
  }
  return lists.sort((a, b) => b.weight - a.weight).slice(0, 12)
}

/** `toYear` goes with `toMonth`. */
function company(value: Value, others: readonly Value[]): number {
  return others.some((other) => likeness(value.name, other.name) >= 0.5) ? 1.15 : 1
}

/** Nodes of a kind in the function around, then in the class, then in the file, each once. */
export function* nearNodes(
  at: Node,
  context: Context,
  kinds: ReadonlySet<Node['kind']>,
): Generator<readonly [Node, number]> {
  const seen = new Set<Node>()
  const scopes = [
    [above(at, 'func'), 1],
    [above(at, 'class'), 0.8],
    [context.file.parsed.tree, 0.6],
  ] as const
  for (const [scope, near] of scopes) {
    if (scope === null) continue
    for (const node of nodesIn(scope)) {
      if (!kinds.has(node.kind) || seen.has(node)) continue
      seen.add(node)
      yield [node, near]
    }
  }
}
