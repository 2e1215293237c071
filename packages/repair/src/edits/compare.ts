// Comparisons: their boundary, direction and the value they compare with.
import { part } from '../tree/node.ts'
import { group, type Operator, operand, propose, replace } from './edit.ts'
import { mayBe } from './guess.ts'

/** The strict one first: it is what most code says. */
const DIRECTION: Readonly<Record<string, readonly string[]>> = {
  '<': ['>', '>='],
  '<=': ['>', '>='],
  '>': ['<', '<='],
  '>=': ['<', '<='],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!=', '==='],
  '!=': ['==', '!=='],
}
const RELATED: Readonly<Record<string, readonly string[]>> = {
  '<': ['!==', '==='],
  '<=': ['===', '!=='],
  '>': ['!==', '==='],
  '>=': ['===', '!=='],
  '===': ['>=', '<=', '>', '<', '=='],
  '!==': ['<', '>', '>=', '<=', '!='],
  '==': ['>=', '<='],
  '!=': ['<', '>'],
}

function operatorRange(node: Parameters<Operator['make']>[0]) {
  const left = part(node, 'left')
  const right = part(node, 'right')
  return left === null || right === null ? null : { start: left.end, end: right.start, left, right }
}

function* swapOperator(node: Parameters<Operator['make']>[0], ops: readonly string[], text: string) {
  const range = operatorRange(node)
  if (range === null) return
  for (const [at, op] of ops.entries()) {
    const between = text.slice(range.start, range.end).replace(node.op, () => op)
    yield propose(1 - at * 0.12, replace(range, between))
  }
}

export const comparisons: readonly Operator[] = [
  {
    id: 'compare-boundary',
    family: 'comparison',
    trust: 'token',
    prior: 1,
    on: ['binary'],
    make(node, { file, profile }) {
      const op = profile.boundary[node.op]
      return op === undefined ? [] : swapOperator(node, [op], file.text)
    },
  },
  {
    id: 'compare-direction',
    family: 'comparison',
    trust: 'token',
    prior: 0.8,
    on: ['binary'],
    make: (node, { file }) => swapOperator(node, DIRECTION[node.op] ?? [], file.text),
  },
  {
    id: 'compare-other',
    family: 'comparison',
    trust: 'token',
    prior: 0.35,
    on: ['binary'],
    make: (node, { file }) => swapOperator(node, RELATED[node.op] ?? [], file.text),
  },
  {
    id: 'compare-off-by-one',
    family: 'off-by-one',
    trust: 'token',
    prior: 0.5,
    on: ['binary'],
    *make(node, { profile }) {
      const range = operatorRange(node)
      if (range === null || !profile.comparisons.includes(node.op)) return
      for (const side of [range.right, range.left]) {
        if (side.kind === 'number' || !mayBe(side, 'number')) continue
        for (const by of [' - 1', ' + 1'])
          yield propose(side === range.right ? 1 : 0.8, replace(side, ...operand(side), by))
      }
    },
  },
]

/** `a - b` for `b - a`, and the like, where the order matters. */
const ORDERED = new Set(['-', '/', '%', '**', '<<', '>>', '>>>', '+'])
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-', '*'],
  '-': ['+', '*', '/'],
  '*': ['/', '+', '**', '-'],
  '/': ['*', '%', '-'],
  '%': ['/', '*'],
  '**': ['*', '%'],
  '&': ['|', '^', '&&'],
  '|': ['&', '^', '||'],
  '^': ['&', '|', '**'],
  '<<': ['>>', '>>>'],
  '>>': ['<<', '>>>'],
  '>>>': ['>>', '<<'],
}

export const arithmetic: readonly Operator[] = [
  {
    id: 'arithmetic-operator',
    family: 'arithmetic',
    trust: 'token',
    prior: 0.85,
    on: ['binary'],
    make: (node, { file }) => swapOperator(node, OPERATORS[node.op] ?? [], file.text),
  },
  {
    id: 'arithmetic-order',
    family: 'operand-order',
    trust: 'token',
    prior: 0.65,
    on: ['binary'],
    *make(node) {
      const range = operatorRange(node)
      if (range === null || !ORDERED.has(node.op)) return
      yield propose(
        node.op === '+' ? 0.6 : 1,
        replace(range.left, range.right),
        replace(range.right, range.left),
      )
    },
  },
  {
    id: 'arithmetic-drop',
    family: 'drop-operand',
    trust: 'token',
    prior: 0.35,
    on: ['binary'],
    *make(node, { profile }) {
      const range = operatorRange(node)
      if (range === null || !profile.arithmetic.includes(node.op)) return
      yield propose(1, replace(node, range.left))
      yield propose(0.8, replace(node, range.right))
    },
  },
  {
    id: 'out-of-call',
    family: 'precedence',
    trust: 'token',
    prior: 0.35,
    on: ['call'],
    *make(node, { profile }) {
      const arg = node.children.length === 2 ? part(node, 'arg') : null
      const range = arg?.kind === 'binary' ? operatorRange(arg) : null
      if (arg === null || range === null || !profile.arithmetic.includes(arg.op)) return
      const head = { start: node.start, end: arg.start }
      yield propose(
        1,
        replace(
          node,
          ...group(node, head, range.left, ')', { start: range.start, end: range.end }, range.right),
        ),
      )
    },
  },
  {
    id: 'into-call',
    family: 'precedence',
    trust: 'token',
    prior: 0.35,
    on: ['binary'],
    *make(node, { profile }) {
      const range = operatorRange(node)
      if (range === null || !profile.arithmetic.includes(node.op)) return
      const { left, right } = range
      const between = { start: range.start, end: range.end }
      const [leftArg, rightArg] = [part(left, 'arg'), part(right, 'arg')]
      if (left.kind === 'call' && left.children.length === 2 && leftArg !== null) {
        yield propose(
          1,
          replace(node, { start: left.start, end: leftArg.end }, between, ...operand(right), ')'),
        )
      }
      if (right.kind === 'call' && right.children.length === 2 && rightArg !== null) {
        yield propose(
          0.8,
          replace(
            node,
            { start: right.start, end: rightArg.start },
            ...operand(left),
            between,
            rightArg,
            ')',
          ),
        )
      }
    },
  },
  {
    id: 'arithmetic-regroup',
    family: 'precedence',
    trust: 'token',
    prior: 0.55,
    on: ['binary'],
    *make(node, { file }) {
      const range = operatorRange(node)
      if (range === null) return
      const { left, right } = range
      const op = file.text.slice(left.end, right.start)
      const inner = (side: typeof left) => ({ a: part(side, 'left'), b: part(side, 'right') })
      if (right.kind === 'binary') {
        const { a, b } = inner(right)
        if (a !== null && b !== null)
          yield propose(
            1,
            replace(node, ...group(node, '(', left, op, a, ')', { start: a.end, end: b.start }, b)),
          )
      }
      if (left.kind === 'binary') {
        const { a, b } = inner(left)
        if (a !== null && b !== null)
          yield propose(
            1,
            replace(node, ...group(node, a, { start: a.end, end: b.start }, '(', b, op, right, ')')),
          )
      }
    },
  },
]
