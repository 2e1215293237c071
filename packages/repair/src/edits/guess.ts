// A guess at the type of an expression, from literals, annotations and well-known methods.
import { type Node, part } from '../tree/node.ts'
import { find } from '../tree/scope.ts'

export type Guess = 'number' | 'string' | 'boolean' | 'list' | 'record' | 'func' | 'nothing' | 'unknown'

/** A map, because a method can be called hasOwnProperty or valueOf. */
const BY_METHOD: ReadonlyMap<string, Guess> = new Map(
  Object.entries({
    number:
      'indexOf lastIndexOf findIndex findLastIndex charCodeAt codePointAt getTime getFullYear getMonth getDate getHours getMinutes getDay push unshift localeCompare floor ceil round trunc abs max min pow sqrt sign parseInt parseFloat Number now',
    string:
      'toUpperCase toLowerCase trim trimStart trimEnd padStart padEnd repeat replace replaceAll join toString toFixed charAt substring substr String stringify toISOString normalize',
    boolean:
      'includes startsWith endsWith some every has test isArray isInteger isNaN isFinite hasOwn Boolean',
    list: 'map filter flatMap flat split sort reverse toSorted toReversed keys values entries from match',
    record: 'fromEntries assign',
  }).flatMap(([guess, names]) => names.split(' ').map((name) => [name, guess as Guess])),
)
const BY_KIND: Readonly<Partial<Record<Node['kind'], Guess>>> = {
  number: 'number',
  string: 'string',
  template: 'string',
  boolean: 'boolean',
  list: 'list',
  record: 'record',
  func: 'func',
  update: 'number',
  nothing: 'nothing',
}
const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=', '===', '!==', 'in', 'instanceof'])
const DEPTH_MAX = 6

export function guess(node: Node | null, depth = 0): Guess {
  if (node === null || depth > DEPTH_MAX) return 'unknown'
  const known = BY_KIND[node.kind]
  if (known !== undefined) return known
  switch (node.kind) {
    case 'binary':
      return guessBinary(node, depth)
    case 'logical':
    case 'conditional':
      return guessEither(node, depth)
    case 'unary':
      return guessUnary(node.op)
    case 'member':
      return node.name === 'length' || node.name === 'size' ? 'number' : 'unknown'
    case 'call':
      return BY_METHOD.get(part(node, 'callee')?.name ?? '') ?? 'unknown'
    case 'name':
      return guessName(node, depth)
    default:
      return 'unknown'
  }
}

function guessBinary(node: Node, depth: number): Guess {
  if (COMPARISONS.has(node.op)) return 'boolean'
  if (node.op !== '+') return 'number'
  const left = guess(part(node, 'left'), depth + 1)
  const right = guess(part(node, 'right'), depth + 1)
  if (left === 'string' || right === 'string') return 'string'
  return left === 'number' || right === 'number' ? 'number' : 'unknown'
}

function guessEither(node: Node, depth: number): Guess {
  const sides = node.children.filter((child) => child.role !== 'test').map((child) => guess(child, depth + 1))
  return sides.find((side) => side !== 'unknown' && side !== 'nothing') ?? 'unknown'
}

function guessUnary(op: string): Guess {
  if (op === '!') return 'boolean'
  return op === 'typeof' ? 'string' : 'number'
}

function guessName(node: Node, depth: number): Guess {
  const declared = find(node, node.name)
  if (declared === null) return 'unknown'
  if (declared.type !== null) return guessType(declared.type)
  if (declared.is === 'function') return 'func'
  const declarator = declared.node?.parent
  const hasValue = declarator?.kind === 'declarator' || declarator?.kind === 'default'
  return declarator && hasValue ? guess(part(declarator, 'value'), depth + 1) : 'unknown'
}

export function guessType(type: string): Guess {
  if (/^(number|bigint)\b(?!\[)/.test(type)) return 'number'
  if (/^string\b(?!\[)/.test(type)) return 'string'
  if (/^boolean\b(?!\[)/.test(type)) return 'boolean'
  if (/\[\]$|^(readonly )?(Readonly)?Array</.test(type)) return 'list'
  if (/=>/.test(type)) return 'func'
  return /^(Record|Map|Set)</.test(type) ? 'record' : 'unknown'
}

/** Could be this type as far as anybody knows. */
export function mayBe(node: Node | null, ...types: readonly Guess[]): boolean {
  const found = guess(node)
  return found === 'unknown' || types.includes(found)
}
