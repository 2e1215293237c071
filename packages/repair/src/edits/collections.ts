// Entries that nobody made: what a map, a set or a slot of an object needs before it can be used.
import { above, isStatement, type Node, nodesIn, part, parts, statementOf } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import { type Context, insert, type Operator, type Piece, type Proposal, propose, textOf } from './edit.ts'

function lineOf(context: Context, node: Node): string {
  const from = context.file.text.lastIndexOf('\n', node.start - 1) + 1
  return `\n${/^[ \t]*/.exec(context.file.text.slice(from))?.[0] ?? ''}`
}

interface Lookup {
  readonly object: Node
  readonly key: Node
}

/** `x.has(y)` and `x.get(y)` in the same function, each once. */
function askedIn(func: Node, context: Context): Lookup[] {
  const found = new Map<string, Lookup>()
  for (const node of nodesIn(func)) {
    const callee = node.kind === 'call' ? part(node, 'callee') : null
    const object = callee === null ? null : part(callee, 'object')
    const [key] = parts(node, 'arg')
    if (object === null || key === undefined || !/^(has|get|includes)$/.test(callee?.name ?? '')) continue
    found.set(`${textOf(context.file, object)}|${textOf(context.file, key)}`, { object, key })
  }
  return [...found.values()].slice(0, 4)
}

/** Puts in what was asked for: `x.add(y)`, `x.set(y, z)`, `x.push(y)`. */
function* putIn(node: Node, context: Context): Generator<Proposal> {
  const func = above(node, 'func')
  if (func === null || !isStatement(node) || node.role !== 'statement') return
  const line = lineOf(context, node)
  const isLast = node.kind === 'return' || node.kind === 'throw'
  for (const { object, key } of askedIn(func, context)) {
    for (const [pieces, weight] of puts(node, object, key)) {
      yield propose(weight, insert(node.start, ...pieces, line))
      if (!isLast) yield propose(weight, insert(node.end, line, ...pieces))
    }
  }
}

function* puts(node: Node, object: Node, key: Node): Generator<readonly [Piece[], number]> {
  yield [[object, '.add(', key, ')'], 1]
  yield [[object, '.push(', key, ')'], 0.6]
  yield [[object, '.delete(', key, ')'], 0.5]
  for (const found of visible(node).slice(0, 4)) {
    if (found.is !== 'import' && found.is !== 'function')
      yield [[object, '.set(', key, ', ', { ref: found.name }, ')'], 0.8]
  }
}

/** A slot that is read before anybody filled it: `groups[name] ??= []`. */
function* fillSlot(node: Node, context: Context): Generator<Proposal> {
  const statement = statementOf(node)
  if (!isStatement(statement) || statement.role !== 'statement' || node.role !== 'object') return
  const line = lineOf(context, statement)
  const boost = context.threwOnNothing ? 1.5 : 0.6
  // Without what the types add to it.
  const [object, key] = node.children
  if (object === undefined || key === undefined) return
  for (const empty of ['[]', '{}', 'new Set()', 'new Map()']) {
    yield propose(boost, insert(statement.start, object, '[', key, `] ??= ${empty}`, line))
  }
}

export const collections: readonly Operator[] = [
  {
    id: 'put-in',
    family: 'missing-call',
    trust: 'other',
    prior: 0.22,
    on: ['do', 'return', 'if', 'declare', 'loop'],
    make: putIn,
  },
  { id: 'fill-slot', family: 'missing-call', trust: 'other', prior: 0.35, on: ['index'], make: fillSlot },
]
