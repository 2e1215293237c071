// JavaScript and TypeScript as a syntax tree, and its expressions as text that layout does not change.
import { parseSync } from 'oxc-parser'

export interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Source {
  readonly path: string
  /** Comments are blanks. */
  readonly text: string
  readonly program: Syntax
}

const depthsMax = 2_000
const chainedMax = 5_000

/** Whether a text is nested so deeply that the parser, which is native code, may end the whole process. */
export function isTooDeep(text: string): boolean {
  let [depth, deepest, chained] = [0, 0, 0]
  for (const char of text) {
    if ('([{'.includes(char)) deepest = Math.max(deepest, ++depth)
    else if (')]}'.includes(char)) depth -= 1
    else if (char === '?' || char === '>') chained += 1
  }
  return deepest > depthsMax || chained > chainedMax
}

/** Null if it cannot be parsed. */
export function parseSource(path: string, text: string): Source | null {
  if (isTooDeep(text)) return null
  const result = parseSync(path, text)
  if (result.errors.some(({ severity }) => severity === 'Error')) return null
  let plain = text
  for (const { start, end } of result.comments)
    plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end)
  return { path, text: plain, program: result.program as unknown as Syntax }
}

export function lineOf(source: Source, node: Syntax): number {
  return source.text.slice(0, node.start).split('\n').length
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function field(node: Syntax, name: string): Syntax | null {
  const value = node[name]
  return isSyntax(value) ? value : null
}

export function list(node: Syntax, name: string): Syntax[] {
  const value = node[name]
  return Array.isArray(value) ? value.filter(isSyntax) : []
}

export function nameOf(node: Syntax | null): string {
  return node !== null && typeof node.name === 'string' ? node.name : ''
}

const typesOnly = new Set(['typeArguments', 'typeParameters', 'typeAnnotation', 'returnType', 'decorators'])

export function childrenOf(node: Syntax): Syntax[] {
  return Object.entries(node)
    .filter(([name]) => !typesOnly.has(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isSyntax)
    .sort((a, b) => a.start - b.start)
}

type FunctionSyntax = Syntax & {
  readonly type: 'ArrowFunctionExpression' | 'FunctionExpression' | 'FunctionDeclaration'
}

export function isFunction(node: Syntax | null): node is FunctionSyntax {
  return (
    node !== null &&
    (node.type === 'ArrowFunctionExpression' ||
      node.type === 'FunctionExpression' ||
      node.type === 'FunctionDeclaration')
  )
}

/** What a name stands for, where that is written, and the names that were known there. */
export interface Bound {
  readonly node: Syntax
  readonly names: Names
  readonly source: Source
  /** Data at the top of a file, which many tests may share. */
  readonly fixture?: boolean
}
export type Names = ReadonlyMap<string, Bound>

const wrappers: Readonly<Record<string, string>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  ParenthesizedExpression: 'expression',
  ChainExpression: 'expression',
  AwaitExpression: 'argument',
}

/** Without what means nothing to a verdict: types, parentheses, `await`. */
export function bare(node: Syntax): Syntax {
  const inner = field(node, wrappers[node.type] ?? '')
  return inner === null ? node : bare(inner)
}

const composed = new Set([
  'UnaryExpression',
  'BinaryExpression',
  'LogicalExpression',
  'ArrayExpression',
  'ObjectExpression',
  'Property',
  'TemplateLiteral',
])

/** Written out in full: literals, and what is made of nothing but literals. */
export function isWrittenOut(given: Syntax): boolean {
  const node = bare(given)
  if (node.type === 'Literal' || node.type === 'TemplateElement') return true
  if (node.type === 'Identifier') return /^(?:undefined|NaN|Infinity)$/.test(nameOf(node))
  const value = node.type === 'Property' && node.computed !== true ? field(node, 'value') : null
  if (value !== null) return isWrittenOut(value)
  return composed.has(node.type) && childrenOf(node).every(isWrittenOut)
}

const depthMax = 5

interface Rendering {
  readonly depth: number
  /** False: data at the top of the file goes by its name. */
  readonly fixtures: boolean
}
const whole: Rendering = { depth: 0, fixtures: true }
const renderedCharsMax = 4_000

/** The expression in one spelling, whatever its layout and quotes; constants are replaced by their values. */
export function render(source: Source, given: Syntax, names: Names, how = whole): string {
  const node = bare(given)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string'
        ? JSON.stringify(node.value)
        : String(node.raw ?? source.text.slice(node.start, node.end))
    case 'TemplateLiteral': {
      const [quasi] = list(node, 'quasis')
      const value = quasi?.value as { cooked?: string } | undefined
      if (list(node, 'expressions').length === 0) return JSON.stringify(value?.cooked ?? '')
      return joined(source, node, names, how)
    }
    case 'Identifier': {
      const bound = names.get(nameOf(node))
      if (bound === undefined || isFunction(bound.node) || how.depth >= depthMax) return nameOf(node)
      if (bound.fixture === true && !how.fixtures) return nameOf(node)
      return render(bound.source, bound.node, bound.names, { ...how, depth: how.depth + 1 })
    }
    case 'MemberExpression':
      return renderMember(source, node, names, how)
    case 'Property':
      return renderProperty(source, node, names, how)
    default:
      return joined(source, node, names, how)
  }
}

function renderMember(source: Source, node: Syntax, names: Names, how: Rendering): string {
  const object = field(node, 'object')
  const property = field(node, 'property')
  if (object === null || property === null || node.computed === true) return joined(source, node, names, how)
  return `${render(source, object, names, how)}.${nameOf(property)}`
}

function renderProperty(source: Source, node: Syntax, names: Names, how: Rendering): string {
  const key = field(node, 'key')
  const value = field(node, 'value')
  if (key === null || value === null || node.computed === true) return joined(source, node, names, how)
  const name = key.type === 'Identifier' ? nameOf(key) : String(key.value)
  return `${name}:${render(source, value, names, how)}`
}

function joined(source: Source, node: Syntax, names: Names, how: Rendering): string {
  let out = ''
  let at = node.start
  for (const child of childrenOf(node)) {
    if (child.start < at) continue
    out += gap(source.text.slice(at, child.start))
    out +=
      child.type === 'TemplateElement'
        ? source.text.slice(child.start, child.end)
        : render(source, child, names, how)
    at = child.end
    if (out.length > renderedCharsMax) break
  }
  return (out + gap(source.text.slice(at, node.end))).slice(0, renderedCharsMax)
}

function gap(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w$]) ?/g, '$1')
    .replace(/,(?=[\])}])/g, '')
    .replaceAll(';', '')
}

/** The strings and numbers that are written in an expression, as `render` spells them. */
export function literalsOf(rendered: string): string[] {
  return rendered.match(/"(?:[^"\\]|\\.)*"|(?<![\w$."])\d+(?:\.\d+)?/g) ?? []
}
