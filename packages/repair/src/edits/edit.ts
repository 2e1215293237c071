// An edit: pieces of source, words and names that replace ranges of one file.
import type { SourceFile } from '../project/load.ts'
import type { WireEdit } from '../run/protocol.ts'
import type { Kind, Node } from '../tree/node.ts'
import type { Profile } from '../tree/profile.ts'
import { find } from '../tree/scope.ts'
import type { TextDifference } from './text-difference.ts'

interface Range {
  readonly start: number
  readonly end: number
}

/** A text, a range of the same file, or a name to be looked up where the edit stands. */
export type Piece = string | Range | { readonly ref: string }

export interface Change {
  readonly start: number
  readonly end: number
  readonly pieces: readonly Piece[]
}

/** How much a green patch of this kind is to be trusted; measured on real bugs. */
export type Trust = 'token' | 'guard' | 'other'

export interface Operator {
  readonly id: string
  readonly family: string
  readonly trust: Trust
  readonly prior: number
  readonly on: readonly Kind[]
  make(node: Node, context: Context): Iterable<Proposal>
}

export interface Proposal {
  readonly changes: readonly Change[]
  /** Within the operator, 1 is ordinary. */
  readonly weight: number
  /** Uses a value that stands only in the tests. */
  readonly special?: boolean
}

export interface Edit {
  readonly op: string
  readonly family: string
  readonly trust: Trust
  readonly file: SourceFile
  readonly site: Node
  readonly changes: readonly Change[]
  readonly score: number
  readonly special: boolean
  /** Keys of the failing tests that run the edited statement; empty where nobody knows. */
  readonly tests: readonly string[]
}

export interface Context {
  readonly file: SourceFile
  readonly profile: Profile
  /** Literals of the failing tests, as source text. */
  readonly testLiterals: readonly string[]
  /** Literals of the failing tests that are the expected side of an assertion. */
  readonly expectedLiterals: readonly string[]
  /** Property names seen in the project, by how often. */
  readonly properties: ReadonlyMap<string, number>
  /** Members of declared types that have a property of this name. */
  siblings(property: string): readonly string[]
  /** The members of a type, by the text of the type: their names and the texts of their types. */
  membersOf(type: string): ReadonlyMap<string, string>
  /** A function of the project that can be imported under this name. */
  functionNamed(name: string): Known | null
  /** Texts that stand as literals in the project's types, and the same by union. */
  readonly words: readonly string[]
  readonly unions: readonly (readonly string[])[]
  /** Numbers that stand anywhere in the project's own sources. */
  readonly numbers: readonly string[]
  /** A failing test threw on a missing value. */
  readonly threwOnNothing: boolean
  /** A failing test got what it waits for in another order; and it waits for the order of the alphabet or of numbers. */
  readonly outOfOrder: boolean
  readonly wantsSorted: boolean
  /** Texts that came and that were waited for, where both are texts. */
  readonly differences: readonly TextDifference[]
  /** Names of options, words and signs of the failing tests. */
  readonly testKeys: readonly string[]
  readonly testWords: readonly string[]
  readonly testSigns: readonly string[]
  /** A failing test got undefined. */
  readonly gotNothing: boolean
}

/** A function with its file, which says what it returns. */
export interface Known {
  readonly node: Node
  readonly file: SourceFile
}

export function replace(range: Range, ...pieces: Piece[]): Change {
  return { start: range.start, end: range.end, pieces }
}

export function insert(at: number, ...pieces: Piece[]): Change {
  return { start: at, end: at, pieces }
}

export function propose(weight: number, ...changes: Change[]): Proposal {
  return { changes, weight }
}

const LOOSE: ReadonlySet<Kind> = new Set([
  'binary',
  'logical',
  'conditional',
  'assign',
  'func',
  'await',
  'unary',
] satisfies Kind[])

/** The node as an operand: in brackets where its parts would come loose. */
export function operand(node: Node): Piece[] {
  return node.cast || (LOOSE.has(node.kind) && !node.parens) ? ['(', node, ')'] : [node]
}

/** A whole expression in place of a node, in brackets where what is around binds tighter. */
export function group(node: Node, ...pieces: Piece[]): Piece[] {
  const [only, ...rest] = pieces
  if (rest.length === 0 && typeof only === 'object' && 'kind' in only) return operand(only as Node)
  const parent = node.parent
  const tight =
    parent !== null &&
    (['binary', 'logical', 'unary', 'await', 'member', 'index'].includes(parent.kind) ||
      (parent.kind === 'call' && node.role === 'callee') ||
      (parent.kind === 'conditional' && node.role === 'test'))
  return tight && !(parent.kind === 'index' && node.role === 'arg') ? ['(', ...pieces, ')'] : pieces
}

export function textOf(file: SourceFile, range: Range): string {
  return file.text.slice(range.start, range.end)
}

export function written(file: SourceFile, pieces: readonly Piece[]): string {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else text += 'ref' in piece ? piece.ref : file.text.slice(piece.start, piece.end)
  }
  return text
}

/** The edit as text replacements in the source. */
export function sourceChanges(edit: Edit): { start: number; end: number; text: string }[] {
  return edit.changes.map(({ start, end, pieces }) => ({ start, end, text: written(edit.file, pieces) }))
}

/** The edit as replacements in the rendered text. */
export function wireEdits(edit: Edit): WireEdit[] {
  const { code, imports } = edit.file.rendered
  return edit.changes.map(({ start, end, pieces }) => {
    let text = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece
      else if (!('ref' in piece)) text += code.range(piece.start, piece.end)
      else
        text +=
          find(edit.site, piece.ref)?.is === 'import' ? (imports.get(piece.ref) ?? piece.ref) : piece.ref
    }
    const at = code.map(start, true)
    return { module: edit.file.index, at, remove: end === start ? 0 : code.map(end, false) - at, text }
  })
}

/** The same text twice is one candidate. */
export function keyOf(edit: Edit): string {
  const changes = sourceChanges(edit).map(({ start, end, text }) => `${start}-${end}:${text}`)
  return `${edit.file.index}|${changes.join('|')}`
}
