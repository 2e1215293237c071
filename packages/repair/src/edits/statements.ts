// Whole statements: missing, extra, in the wrong place or order.
import { above, isStatement, type Node, nodesIn, part, parts } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
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

/** The statements that stand in a row with this one. */
function row(node: Node): Node[] {
  return node.parent === null ? [] : parts(node.parent, 'statement').filter((found) => isStatement(found))
}

function indent(context: Context, node: Node): string {
  const line = context.file.text.lastIndexOf('\n', node.start - 1) + 1
  return `\n${/^[ \t]*/.exec(context.file.text.slice(line))?.[0] ?? ''}`
}

function semicolon(context: Context): string {
  return /;\s*$/m.test(context.file.text) ? ';' : ''
}

function* remove(node: Node): Generator<Proposal> {
  if (!isStatement(node) || node.kind === 'declare') return
  const weight = { do: 1, if: 0.8 }[node.kind as string] ?? 0.5
  if (node.role === 'statement') yield propose(weight, replace(node, ''))
  else if (node.role === 'then' || node.role === 'body') yield propose(weight, replace(node, '{}'))
}

function* swapNext(node: Node): Generator<Proposal> {
  const statements = row(node)
  const next = statements[statements.indexOf(node) + 1]
  if (next === undefined || !isStatement(node)) return
  yield propose(1, replace(node, next), replace(next, node))
}

/** Out of its block to after or before it, or into the block beside it. */
function* move(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement') return
  const block = node.parent?.kind === 'block' ? node.parent : null
  const holder = block === null ? null : block.parent
  if (holder !== null && isStatement(holder) && holder.role === 'statement') {
    const line = indent(context, holder)
    yield propose(1, replace(node, ''), insert(holder.end, line, node))
    yield propose(0.7, insert(holder.start, node, line), replace(node, ''))
  }
  const statements = row(node)
  const at = statements.indexOf(node)
  for (const [neighbour, atEnd] of [
    [statements[at - 1], true],
    [statements[at + 1], false],
  ] as const) {
    const body = neighbour === undefined ? null : (part(neighbour, 'body') ?? part(neighbour, 'then'))
    if (body?.kind !== 'block') continue
    const line = indent(context, node)
    const place = atEnd ? insert(body.end - 1, '  ', node, line) : insert(body.start + 1, `${line}  `, node)
    yield propose(0.8, replace(node, ''), place)
  }
  for (const other of statements.filter((found) => Math.abs(statements.indexOf(found) - at) > 1)) {
    yield propose(0.3, replace(node, ''), insert(other.start, node, indent(context, other)))
  }
}

/** Copies of simple statements from the same function or class, as they are or with one name changed. */
function* copyHere(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement') return
  const scope = above(node, 'class') ?? above(node, 'func')
  if (scope === null) return
  const inSight = new Set(visible(node).map((found) => found.name))
  const line = indent(context, node)
  for (const found of nodesIn(scope)) {
    if (found.kind !== 'do' || found === node || found.role !== 'statement') continue
    if (textOf(context.file, found).length > 120 || !fits(found, inSight)) continue
    yield propose(1, insert(node.start, found, line))
    if (node.kind !== 'return' && node.kind !== 'throw') yield propose(0.9, insert(node.end, line, found))
    yield* withOneName(node, found, context)
  }
}

function fits(statement: Node, inSight: ReadonlySet<string>): boolean {
  return names(statement).every((found) => inSight.has(found.name) || find(found, found.name) === null)
}

function names(node: Node): Node[] {
  return nodesIn(node).filter(
    (found) => found.kind === 'name' && found.role !== 'property' && found.role !== 'key',
  )
}

function* withOneName(node: Node, found: Node, context: Context): Generator<Proposal> {
  const line = indent(context, node)
  const candidates = visible(node)
    .filter((name) => name.is !== 'import' && name.is !== 'function')
    .slice(0, 5)
  for (const name of names(found).slice(0, 4)) {
    for (const other of candidates) {
      if (other.name === name.name) continue
      const pieces = [
        { start: found.start, end: name.start },
        { ref: other.name },
        { start: name.start + name.name.length, end: found.end },
      ]
      yield propose(0.35, insert(node.start, ...pieces, line))
    }
  }
}

/** Two or three statements of a sibling function, before this one. */
function* copyRun(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement') return
  const scope = above(node, 'class')
  if (scope === null) return
  const inSight = new Set(visible(node).map((found) => found.name))
  const line = indent(context, node)
  for (const block of nodesIn(scope)) {
    if (block.kind !== 'block' || block.op === 'class') continue
    const statements = parts(block, 'statement')
    for (let at = 0; at + 1 < statements.length; at += 1) {
      const pair = statements.slice(at, at + 2)
      if (!pair.every((found) => found.kind === 'do' && fits(found, inSight)) || pair.includes(node)) continue
      yield propose(1, insert(node.start, ...pair.flatMap((found) => [found, line])))
    }
  }
}

/** `x = y` or `x += 1` that nobody wrote. */
function* addAssignment(node: Node, context: Context): Generator<Proposal> {
  if (!isStatement(node) || node.role !== 'statement') return
  const line = indent(context, node)
  const end = semicolon(context)
  const isLast = node.kind === 'return' || node.kind === 'throw'
  for (const [pieces, weight] of assignments(node)) {
    yield propose(weight, insert(node.start, ...pieces, end, line))
    if (!isLast) yield propose(weight, insert(node.end, line, ...pieces, end))
  }
}

function* assignments(node: Node): Generator<readonly [Piece[], number]> {
  const found = visible(node)
  const targets = found.filter((name) => name.is === 'variable' || name.is === 'parameter').slice(0, 5)
  const values = found.filter((name) => !['import', 'function', 'class'].includes(name.is)).slice(0, 6)
  for (const target of targets) {
    const left = { ref: target.name }
    yield [[left, ' += 1'], 0.6]
    yield [[left, ' -= 1'], 0.6]
    for (const value of values) if (value !== target) yield [[left, ' = ', { ref: value.name }], 1]
  }
}

function* addReturn(node: Node, context: Context): Generator<Proposal> {
  if (node.kind !== 'do' || !isStatement(node)) return
  const value = part(node, 'value')
  if (value !== null && value.kind !== 'assign' && value.kind !== 'update')
    yield propose(1, insert(node.start, 'return '))
  // Nobody returns what an assignment gives, unless the function is to give something back.
  if (value?.kind === 'assign') yield propose(context.gotNothing ? 0.5 : 0.08, insert(node.start, 'return '))
  const statements = row(node)
  if (statements.at(-1) === node) yield* returnAfter(node, context)
}

/** The function ends without saying what it made. */
function* returnAfter(node: Node, context: Context): Generator<Proposal> {
  const func = node.parent?.parent
  if (func?.kind !== 'func') return
  const boost = context.gotNothing ? 1 : 0.3
  const line = indent(context, node)
  const end = semicolon(context)
  for (const [order, found] of visible(node).slice(0, 8).entries()) {
    if (found.is === 'import' || found.is === 'function') continue
    yield propose(boost * (1 - order * 0.08), insert(node.end, line, 'return ', { ref: found.name }, end))
  }
  for (const text of ['this', ...literalReturns(func)]) {
    yield propose(0.6 * boost, insert(node.end, line, `return ${text}`, end))
  }
}

/** Literals of the type that the function returns elsewhere. */
function literalReturns(func: Node): string[] {
  const found = nodesIn(func).filter((node) => node.kind === 'return' && above(node, 'func') === func)
  const kinds = new Set(found.map((node) => part(node, 'value')?.kind))
  if (kinds.has('boolean')) return ['true', 'false']
  return found.length === 0 || kinds.has('nothing') ? ['true', 'false', 'null', '0'] : []
}

/** A field of the class that the constructor, or a setter, was to take over. */
function* assignField(node: Node, context: Context): Generator<Proposal> {
  const isBody = node.kind === 'block'
  const func = isBody ? node.parent : node.parent?.parent
  const holder = above(node, 'class')
  if (holder === null || func?.kind !== 'func' || (!isBody && !isStatement(node))) return
  const end = semicolon(context)
  const line = indent(context, node)
  for (const field of fieldsOf(holder)) {
    for (const declared of func.names?.values() ?? []) {
      const likely = declared.name === field.replace('#', '') ? 1 : 0.2
      const pieces: Piece[] = [`this.${field} = `, { ref: declared.name }, end]
      const at = isBody ? insert(node.start + 1, `${line}  `, ...pieces) : insert(node.start, ...pieces, line)
      yield propose(likely, at)
    }
  }
}

function fieldsOf(holder: Node): string[] {
  return nodesIn(holder).flatMap((node) => {
    const key = node.kind === 'field' ? part(node, 'key') : null
    if (key === null) return []
    return [key.kind === 'name' ? key.name : `#${key.name}`]
  })
}

export const statements: readonly Operator[] = [
  { id: 'missing-return', family: 'return', trust: 'token', prior: 0.85, on: ['do'], make: addReturn },
  {
    id: 'assign-field',
    family: 'assignment',
    trust: 'other',
    prior: 0.3,
    on: ['block', 'do', 'if'],
    make: assignField,
  },
  {
    id: 'missing-return-after',
    family: 'return',
    trust: 'token',
    prior: 0.5,
    on: ['if', 'loop', 'switch', 'try', 'declare'],
    *make(node, context) {
      if (isStatement(node) && row(node).at(-1) === node) yield* returnAfter(node, context)
    },
  },
  {
    id: 'add-break',
    family: 'jump',
    trust: 'token',
    prior: 0.7,
    on: ['do', 'if', 'declare'],
    *make(node, context) {
      if (node.parent?.kind === 'case' && parts(node.parent, 'statement').at(-1) === node) {
        yield propose(1, insert(node.end, indent(context, node), 'break', semicolon(context)))
      }
      const loop = above(node, 'loop', 'func')
      if (loop?.kind !== 'loop' || node.kind !== 'do') return
      yield propose(0.3, insert(node.end, indent(context, node), 'break', semicolon(context)))
    },
  },
  {
    id: 'other-jump',
    family: 'jump',
    trust: 'token',
    prior: 0.6,
    on: ['jump', 'return'],
    *make(node, context) {
      const loop = above(node, 'loop', 'func')?.kind === 'loop'
      if (node.kind === 'jump' && loop) {
        yield propose(1, replace(node, (node.op === 'break' ? 'continue' : 'break') + semicolon(context)))
      }
      if (node.kind === 'return' && loop) {
        yield propose(0.4, replace(node, `continue${semicolon(context)}`))
        yield propose(0.3, replace(node, `break${semicolon(context)}`))
      }
    },
  },
  {
    id: 'throw-return',
    family: 'return',
    trust: 'token',
    prior: 0.4,
    on: ['throw', 'return', 'do'],
    *make(node) {
      const value = part(node, 'value')
      if (value === null || !isStatement(node)) return
      if (node.kind === 'throw') yield propose(0.6, replace(node, 'return ', value))
      else if (value.kind === 'new' && /Error$/.test(part(value, 'callee')?.name ?? ''))
        yield propose(1, replace(node, 'throw ', value))
    },
  },
  {
    id: 'delete-statement',
    family: 'delete',
    trust: 'guard',
    prior: 0.25,
    on: ['do', 'if', 'loop', 'return', 'throw', 'jump'],
    make: remove,
  },
  {
    id: 'swap-statements',
    family: 'move',
    trust: 'other',
    prior: 0.4,
    on: ['do', 'if', 'declare', 'loop', 'return'],
    make: swapNext,
  },
  { id: 'move-statement', family: 'move', trust: 'other', prior: 0.25, on: ['do', 'return'], make: move },
  {
    id: 'copy-statement',
    family: 'copy-statement',
    trust: 'other',
    prior: 0.14,
    on: ['do', 'return', 'if', 'declare', 'loop'],
    make: copyHere,
  },
  {
    id: 'copy-run',
    family: 'copy-statement',
    trust: 'other',
    prior: 0.1,
    on: ['do', 'return', 'if', 'declare'],
    make: copyRun,
  },
  {
    id: 'add-assignment',
    family: 'assignment',
    trust: 'other',
    prior: 0.07,
    on: ['do', 'return', 'if', 'loop'],
    make: addAssignment,
  },
]
