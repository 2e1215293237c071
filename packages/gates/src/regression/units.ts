// A source file as a tree of functions, each with a hash of its own text. What a function nested in it says is
// left out, so that a change belongs to the innermost function that holds it, or to the module.
import { createHash } from 'node:crypto'
import { parseSync } from 'oxc-parser'

interface Unit {
  readonly hash: string
  /** Functions directly inside it, by their place in `units`. */
  readonly inner: readonly number[]
}

export interface Units {
  /** The text outside of all functions. */
  readonly module: string
  readonly top: readonly number[]
  readonly units: readonly Unit[]
}

/** Where a function lies in the text, for as long as the text is at hand. */
export interface FunctionRange {
  /** Where a declaration that gives it its name begins, else where it begins itself. */
  readonly from: number
  readonly bodyStart: number
  readonly end: number
  readonly name: string
}

export interface Parsed extends Units {
  readonly places: readonly FunctionRange[]
}

export const codeFile = /\.[cm]?[jt]sx?$/

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Draft {
  readonly node: Node
  readonly from: number
  readonly name: string
  readonly inner: number[]
}

/** Null if the text is no JavaScript or TypeScript that can be read. */
export function parseUnits(path: string, text: string): Parsed | null {
  if (!codeFile.test(path) || /\.d\.[cm]?ts$/.test(path)) return null
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) return null
  const drafts: Draft[] = []
  const top: number[] = []
  if (!isNode(program)) return null
  visit(program, null, { drafts, inner: top })
  const own = (node: Node, inner: readonly number[]) => hashOf(ownText(text, node, inner, drafts))
  return {
    module: own({ type: 'Program', start: 0, end: text.length }, top),
    top,
    units: drafts.map((draft) => ({ hash: own(draft.node, draft.inner), inner: draft.inner })),
    places: drafts.map(placeOf),
  }
}

export function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function visit(node: Node, parent: Node | null, into: { drafts: Draft[]; inner: number[] }): void {
  let within = into
  const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
  if (isFunction && isNode(node.body)) {
    const draft: Draft = { node, ...namedBy(node, parent), inner: [] }
    into.inner.push(into.drafts.length)
    into.drafts.push(draft)
    within = { drafts: into.drafts, inner: draft.inner }
  }
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each, node, within)
  }
}

function namedBy(node: Node, parent: Node | null): { from: number; name: string } {
  const own = nameIn(node.id)
  const by = { from: parent?.start ?? node.start, name: own }
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.init === node ? { ...by, name: own || nameIn(parent.id) } : { ...by, from: node.start }
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === node ? { ...by, name: own || nameIn(parent.key) } : { ...by, from: node.start }
    case 'AssignmentExpression':
      return parent.right === node ? { ...by, name: own || nameIn(parent.left) } : { ...by, from: node.start }
    default:
      return { from: node.start, name: own }
  }
}

function nameIn(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'MemberExpression') return nameIn(value.property)
  return typeof value.name === 'string' ? value.name : ''
}

function placeOf({ node, from, name }: Draft): FunctionRange {
  const bodyStart = isNode(node.body) ? node.body.start : node.end
  return { from, bodyStart, end: node.end, name }
}

function ownText(text: string, node: Node, inner: readonly number[], drafts: readonly Draft[]): string {
  let at = node.start
  let own = ''
  for (const index of inner) {
    const nested = drafts[index]?.node
    if (!nested) continue
    own += text.slice(at, nested.start) + faceOf(nested, text)
    at = nested.end
  }
  return own + text.slice(at, node.end)
}

/** What the surroundings can see of a function without calling it. */
function faceOf(node: Node, text: string): string {
  const params: Node[] = Array.isArray(node.params) ? node.params.filter(isNode) : []
  const first = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement')
  const length = first < 0 ? params.length : first
  // Decorators of parameters run when the class is made.
  const decorators = params.map(({ start, end }) => text.slice(start, end)).filter((param) => /@/.test(param))
  return `\u0000${[node.type, node.async, node.generator, nameIn(node.id), length, ...decorators].join()}\u0000`
}

export interface Compared {
  /** Whether code outside of functions changed: then everyone who loads the file is concerned. */
  readonly module: boolean
  /** Functions of the old text that changed. */
  readonly changed: ReadonlySet<number>
  /** From the old text's functions to the new ones, as far as they can be told. */
  readonly now: ReadonlyMap<number, number>
}

export function compareUnits(before: Units, after: Units): Compared {
  const changed = new Set<number>()
  const now = new Map<number, number>()
  const pair = (old: readonly number[], fresh: readonly number[]): void => {
    for (const [place, index] of old.entries()) {
      const other = fresh[place]
      const [from, to] = [before.units[index], other === undefined ? undefined : after.units[other]]
      if (other === undefined || from === undefined || to === undefined) continue
      now.set(index, other)
      // What lies inside a changed function runs only if that function ran.
      if (from.hash === to.hash) pair(from.inner, to.inner)
      else changed.add(index)
    }
  }
  const module = before.module !== after.module
  if (!module) pair(before.top, after.top)
  return { module, changed, now }
}

/** A function and all that lie inside it. */
export function withInner(units: Units, index: number): number[] {
  const found = [index]
  for (const each of found) found.push(...(units.units[each]?.inner ?? []))
  return found
}
