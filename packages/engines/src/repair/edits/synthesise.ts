// Conditions made of the names in sight, the likeliest first.
import { above, type Declared, type Node, nodesIn } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import { type Context, type Piece, textOf } from './edit.ts'
import { type Guess, guessType } from './guess.ts'

export interface Made {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

const NAMES_MAX = 8
const MADE_MAX = 60

export function synthesise(at: Node, context: Context): Made[] {
  const names = localNames(at).slice(0, NAMES_MAX)
  const made: Made[] = []
  for (const [order, declared] of names.entries()) {
    const near = 1 - order * 0.07
    for (const [text, weight] of testsOf(declared)) {
      made.push({ pieces: [{ ref: declared.name }, text], weight: weight * near })
    }
    made.push({ pieces: ['!', { ref: declared.name }], weight: 0.9 * near })
  }
  made.push(...pairs(names), ...fieldPairs(at, names), ...seenIn(at, context))
  return made.sort((a, b) => b.weight - a.weight).slice(0, MADE_MAX)
}

function localNames(at: Node): Declared[] {
  return visible(at).filter(
    (found) => found.is === 'parameter' || found.is === 'variable' || found.is === 'constant',
  )
}

function typeOf(declared: Declared): Guess {
  return declared.type === null ? 'unknown' : guessType(declared.type)
}

function testsOf(declared: Declared): (readonly [string, number])[] {
  const type = typeOf(declared)
  const number: (readonly [string, number])[] = [
    [' === 0', 0.9],
    [' <= 0', 0.8],
    [' < 0', 0.8],
    [' > 0', 0.8],
    [' !== 0', 0.6],
    [' >= 0', 0.5],
    [' === 1', 0.4],
    [' <= 1', 0.5],
  ]
  const sized: (readonly [string, number])[] = [
    ['.length === 0', 1],
    ['.length > 0', 0.7],
    ['.length === 1', 0.4],
    ['.length <= 1', 0.4],
  ]
  const nothing: (readonly [string, number])[] = [
    [' === undefined', 0.8],
    [' === null', 0.7],
    [' == null', 0.8],
    [' !== undefined', 0.6],
    [' !== null', 0.5],
  ]
  if (type === 'number') return number
  if (type === 'list' || type === 'string') return sized
  if (type === 'boolean' || type === 'func') return nothing.slice(0, 1)
  if (declared.type !== null) return nothing
  return [...sized, ...number.slice(0, 4), ...nothing.slice(0, 3)].map(
    ([text, weight]) => [text, weight * 0.8] as const,
  )
}

function pairs(names: readonly Declared[]): Made[] {
  const made: Made[] = []
  for (const [at, a] of names.entries()) {
    for (const b of names.slice(at + 1, at + 4)) {
      const types = [typeOf(a), typeOf(b)]
      if (types.some((type) => type === 'list' || type === 'record' || type === 'func')) continue
      if (types[0] !== types[1]) continue
      for (const op of [' === ', ' < ', ' > ', ' !== ', ' >= ', ' <= ']) {
        made.push({ pieces: [{ ref: a.name }, op, { ref: b.name }], weight: 0.4 })
      }
    }
  }
  return made
}

/** A parameter against a field of its object: `amount > this.balance`. */
function fieldPairs(at: Node, names: readonly Declared[]): Made[] {
  const holder = above(at, 'class')
  if (holder === null) return []
  const used = [...nodesIn(above(at, 'func') ?? holder)].filter(
    (node) => node.kind === 'member' && node.children[0]?.kind === 'self',
  )
  const fields = [...new Set(used.map((node) => node.name))].slice(0, 4)
  const made: Made[] = []
  for (const declared of names.filter((name) => name.is === 'parameter').slice(0, 3)) {
    for (const field of fields) {
      for (const op of [' > ', ' < ', ' >= ', ' <= ', ' === ']) {
        made.push({ pieces: [{ ref: declared.name }, `${op}this.${field}`], weight: 0.75 })
      }
    }
  }
  return made
}

/** Conditions that stand elsewhere in the same function. */
function seenIn(at: Node, context: Context): Made[] {
  const scope = above(at, 'func') ?? at
  const names = new Set(visible(at).map((found) => found.name))
  const made: Made[] = []
  for (const node of nodesIn(scope)) {
    if (
      node.role !== 'test' ||
      (node.start <= at.start && at.end <= node.end) ||
      node.parent?.kind === 'case'
    )
      continue
    if ([...nodesIn(node)].some((part) => part.kind === 'name' && isLocal(part) && !names.has(part.name)))
      continue
    const loose = node.kind === 'logical' || node.kind === 'conditional'
    if (textOf(context.file, node).length < 80)
      made.push({ pieces: loose ? ['(', node, ')'] : [node], weight: 0.6 })
  }
  return made
}

function isLocal(node: Node): boolean {
  return node.role !== 'property' && node.role !== 'key'
}
