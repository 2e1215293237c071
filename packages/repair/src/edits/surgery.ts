// Expressions and calls taken from elsewhere in the file, where the names they use are in sight.
import { above, isValue, type Node, nodesIn, part, parts } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
import { type Context, group, type Operator, type Proposal, propose, replace, textOf } from './edit.ts'
import { guess } from './guess.ts'

const POOL_MAX = 40
const TEXT_MAX = 60
const TAKEN: ReadonlySet<Node['kind']> = new Set([
  'binary',
  'call',
  'member',
  'index',
  'logical',
  'template',
  'list',
])

function* donors(node: Node, context: Context): Generator<Node> {
  const inSight = new Set(visible(node).map((found) => found.name))
  const own = textOf(context.file, node)
  const seen = new Set<string>([own])
  const func = above(node, 'func')
  const near = func === null ? [] : nodesIn(func)
  let count = 0
  for (const found of [...near, ...nodesIn(context.file.parsed.tree)]) {
    if (!TAKEN.has(found.kind) || !isValue(found) || count >= POOL_MAX) continue
    const text = textOf(context.file, found)
    if (text.length > TEXT_MAX || seen.has(text) || !usable(found, inSight)) continue
    seen.add(text)
    count += 1
    yield found
  }
}

function usable(found: Node, inSight: ReadonlySet<string>): boolean {
  for (const node of nodesIn(found)) {
    if (node.kind === 'func' || node.kind === 'await') return false
    if (node.kind !== 'name' || node.role === 'property' || node.role === 'key') continue
    if (!inSight.has(node.name) && find(node, node.name) !== null) return false
  }
  return true
}

function* transplant(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object') return
  const type = guess(node)
  for (const found of donors(node, context)) {
    const other = guess(found)
    if (type !== 'unknown' && other !== 'unknown' && type !== other) continue
    yield propose(type === other && type !== 'unknown' ? 1 : 0.6, replace(node, ...group(node, found)))
  }
}

/** Functions of the project that take one value, around a value: `normalise(name)` for `name`. */
function* callAround(node: Node): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'test') return
  const outer = node.parent?.kind === 'call' ? part(node.parent, 'callee')?.name : undefined
  const own = above(node, 'func')
  for (const declared of visible(node)) {
    const takesOne = declared.node?.kind === 'func' && parts(declared.node, 'param').length === 1
    const imported = declared.is === 'import' && /^[a-z]/.test(declared.name)
    if ((!takesOne && !imported) || declared.name === outer || own === declared.node) continue
    yield propose(takesOne ? 1 : 0.6, replace(node, { ref: declared.name }, '(', node, ')'))
  }
}

/** The slice, the offset or the chain that the same value has elsewhere: `items` for `items.slice(1)`. */
function* graft(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.kind !== 'name' || node.role === 'object' || node.role === 'callee') return
  for (const found of donors(node, context)) {
    const root = rootOf(found)
    if (root?.kind !== 'name' || root === node || found.kind === 'binary') continue
    const rest = { start: root.end, end: found.end }
    if (context.file.text.slice(rest.start, rest.end).length < 30)
      yield propose(0.8, replace(node, node, rest))
  }
}

function rootOf(node: Node): Node | null {
  const inner = part(node, 'object') ?? part(node, 'callee')
  if (inner !== null) return rootOf(inner)
  return node.kind === 'name' ? node : null
}

const VALUES: Operator['on'] = [
  'name',
  'member',
  'index',
  'call',
  'binary',
  'number',
  'string',
  'boolean',
  'nothing',
  'list',
]

export const surgery: readonly Operator[] = [
  { id: 'transplant', family: 'surgery', trust: 'other', prior: 0.13, on: VALUES, make: transplant },
  {
    id: 'call-around',
    family: 'surgery',
    trust: 'other',
    prior: 0.16,
    on: ['name', 'member', 'index', 'call', 'binary'],
    make: callAround,
  },
  { id: 'graft', family: 'surgery', trust: 'other', prior: 0.1, on: ['name'], make: graft },
]
