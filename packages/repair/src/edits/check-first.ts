// A check that people put before a condition: that there is something, that it is of a type; and `else if` for `else`.
import { isExpressionBody, isValue, type Node, nodesIn, part } from '../tree/node.ts'
import { find } from '../tree/scope.ts'
import { type Context, insert, type Operator, operand, type Proposal, propose, replace } from './edit.ts'
import { guess } from './guess.ts'
import { synthesise } from './synthesise.ts'

const SUBJECTS_MAX = 5
const TYPES = ['object', 'string', 'function', 'number'] as const

/** Stands where only yes or no counts, or where a value is taken only if there is one. */
function mayBeChecked(node: Node): boolean {
  if (!isValue(node)) return false
  const { parent, role } = node
  if (role === 'test') return parent?.kind !== 'case'
  if (parent?.kind === 'logical') return true
  const isAnswer = isExpressionBody(node) || parent?.kind === 'return' || parent?.kind === 'declarator'
  return isAnswer && guess(node) === 'boolean'
}

/** What the condition reads something of: `a` and `a.b` in `a.b.c`, `a` in `typeof a`, the arguments of a call. */
function subjectsOf(node: Node, context: Context): Node[] {
  const found = new Map<string, Node>()
  for (const inner of nodesIn(node)) {
    const isRead =
      inner.role === 'object' ||
      inner.role === 'arg' ||
      (inner.parent?.kind === 'unary' && inner.parent.op === 'typeof') ||
      inner.parent?.kind === 'binary'
    if (!isRead || !isPath(inner) || isNamespace(inner)) continue
    const text = context.file.text.slice(inner.start, inner.end)
    if (!found.has(text)) found.set(text, inner)
  }
  return [...found.values()].slice(0, SUBJECTS_MAX)
}

function isPath(node: Node): boolean {
  if (node.kind === 'name') return true
  const object = node.kind === 'member' || node.kind === 'index' ? part(node, 'object') : null
  return object !== null && (object.kind === 'self' || isPath(object))
}

function isNamespace(node: Node): boolean {
  if (node.kind !== 'name') return false
  return /^[A-Z]/.test(node.name) || find(node, node.name) === null
}

function* checkFirst(node: Node, context: Context): Generator<Proposal> {
  if (!mayBeChecked(node)) return
  const boost = context.threwOnNothing ? 2 : 1
  const inner = operandOf(node)
  for (const [order, subject] of subjectsOf(node, context).entries()) {
    const near = boost * (1 - order * 0.12)
    yield propose(near, replace(node, subject, ' && ', ...inner))
    yield propose(0.8 * near, replace(node, '!', ...operand(subject), ' || ', ...inner))
    yield propose(0.5 * near, replace(node, subject, ' != null && ', ...inner))
    for (const type of TYPES) {
      yield propose(0.35 * near, replace(node, `typeof `, subject, ` === '${type}' && `, ...inner))
      yield propose(0.25 * near, replace(node, `typeof `, subject, ` !== '${type}' || `, ...inner))
    }
  }
}

/** What is joined by the same words already needs no brackets, but what is chosen or assigned does. */
function operandOf(node: Node) {
  return node.kind === 'binary' || node.kind === 'unary' ? [node] : operand(node)
}

const CONDITIONS_MAX = 40

/** `else` becomes `else if`, for what was meant by only some of the rest. */
function* elseIf(node: Node, context: Context): Generator<Proposal> {
  const other = part(node, 'else')
  if (other === null || other.kind === 'if') return
  for (const { pieces, weight } of synthesise(other, context).slice(0, CONDITIONS_MAX))
    yield propose(weight, insert(other.start, 'if (', ...pieces, ') '))
}

export const checks: readonly Operator[] = [
  {
    id: 'check-first',
    family: 'condition',
    trust: 'guard',
    prior: 0.3,
    on: ['binary', 'logical', 'call', 'name', 'member', 'index', 'unary'],
    make: checkFirst,
  },
  { id: 'else-if', family: 'condition', trust: 'guard', prior: 0.14, on: ['if'], make: elseIf },
]
