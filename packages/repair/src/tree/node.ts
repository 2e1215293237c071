// The small tree that edits are made on. It knows no language: about thirty kinds, ranges into the text, and roles.

export type Kind =
  | 'module'
  | 'func'
  | 'class'
  | 'method'
  | 'field'
  | 'block'
  | 'declare'
  | 'declarator'
  | 'do'
  | 'if'
  | 'loop'
  | 'switch'
  | 'case'
  | 'try'
  | 'catch'
  | 'return'
  | 'throw'
  | 'jump'
  | 'call'
  | 'new'
  | 'member'
  | 'index'
  | 'name'
  | 'self'
  | 'number'
  | 'string'
  | 'boolean'
  | 'nothing'
  | 'regex'
  | 'template'
  | 'binary'
  | 'logical'
  | 'unary'
  | 'assign'
  | 'update'
  | 'conditional'
  | 'list'
  | 'record'
  | 'pair'
  | 'spread'
  | 'await'
  | 'pattern'
  | 'default'
  | 'other'

/** The role of a node in its parent. */
export type Role =
  | 'left'
  | 'right'
  | 'test'
  | 'then'
  | 'else'
  | 'object'
  | 'property'
  | 'callee'
  | 'arg'
  | 'body'
  | 'init'
  | 'update'
  | 'value'
  | 'key'
  | 'target'
  | 'param'
  | 'element'
  | 'statement'
  | 'name'
  | 'handler'
  | 'final'
  | 'part'

export interface Declared {
  readonly name: string
  readonly is: 'variable' | 'constant' | 'parameter' | 'function' | 'class' | 'import'
  readonly at: number
  /** The annotation's text, where the language has them. */
  readonly type: string | null
  readonly node: Node | null
}

export interface Node {
  readonly kind: Kind
  readonly role: Role
  start: number
  end: number
  parent: Node | null
  readonly children: Node[]
  /** The operator, the keyword of a jump, the form of a loop or the kind of a declaration. */
  readonly op: string
  /** The name of a name, a property, a function; the text of a literal. */
  readonly name: string
  /** `a?.b`, an optional parameter. */
  readonly optional: boolean
  readonly isAsync: boolean
  /** In brackets in the text; the range includes them. */
  parens: boolean
  /** With a type after it, as in `a as B`; the range includes that. */
  cast: boolean
  /** The names declared directly in this scope; null where the node opens none. */
  names: Map<string, Declared> | null
}

export function part(node: Node, role: Role): Node | null {
  return node.children.find((child) => child.role === role) ?? null
}

export function parts(node: Node, role: Role): Node[] {
  return node.children.filter((child) => child.role === role)
}

export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of node.children) walk(child, visit)
}

const listed = new WeakMap<Node, readonly Node[]>()

/** A node and all below it, in their order; made once, since a tree is asked many times and does not change. */
export function nodesIn(node: Node): readonly Node[] {
  const known = listed.get(node)
  if (known !== undefined) return known
  const nodes: Node[] = []
  walk(node, (found) => nodes.push(found))
  listed.set(node, nodes)
  return nodes
}

/** The nearest node above, of one of these kinds. */
export function above(node: Node, ...kinds: readonly Kind[]): Node | null {
  let found = node.parent
  while (found !== null && !kinds.includes(found.kind)) found = found.parent
  return found
}

const STATEMENTS: ReadonlySet<Kind> = new Set([
  'declare',
  'do',
  'if',
  'loop',
  'switch',
  'try',
  'return',
  'throw',
  'jump',
] satisfies Kind[])

export function isStatement(node: Node): boolean {
  return STATEMENTS.has(node.kind) && (node.role === 'statement' || node.role === 'body' || isBranch(node))
}

function isBranch(node: Node): boolean {
  return (node.role === 'then' || node.role === 'else') && node.parent?.kind === 'if'
}

/** The statement a node belongs to; the body of an expression function counts as one. */
export function statementOf(node: Node): Node {
  let found = node
  while (found.parent !== null && !isStatement(found) && !isExpressionBody(found)) found = found.parent
  return found
}

export function isExpressionBody(node: Node): boolean {
  return node.role === 'body' && node.parent?.kind === 'func' && node.kind !== 'block'
}

const EXPRESSIONS: ReadonlySet<Kind> = new Set([
  'func',
  'call',
  'new',
  'member',
  'index',
  'name',
  'self',
  'number',
  'string',
  'boolean',
  'nothing',
  'regex',
  'template',
  'binary',
  'logical',
  'unary',
  'assign',
  'update',
  'conditional',
  'list',
  'record',
  'await',
] satisfies Kind[])

const NO_VALUE: ReadonlySet<Role> = new Set(['property', 'key', 'target', 'param', 'name'] satisfies Role[])

/** Stands where a value is read: not a declared name, a property's name, a shorthand or the target of an assignment. */
export function isValue(node: Node): boolean {
  if (!EXPRESSIONS.has(node.kind) || NO_VALUE.has(node.role)) return false
  return node.parent?.kind !== 'pair' || !node.parent.optional
}
