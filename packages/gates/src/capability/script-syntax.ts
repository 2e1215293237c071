// Small questions about nodes of a syntax tree, and the names that are known at each of them.
import { field, isFunction, list, nameOf, type Syntax } from '../integrity/source.ts'

const wrapping: Readonly<Record<string, string>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  ParenthesizedExpression: 'expression',
  ChainExpression: 'expression',
  AwaitExpression: 'argument',
}

export function isWrapper({ type }: Syntax): boolean {
  return type in wrapping
}

/** An expression without parentheses, types and `await`, and of a sequence its value. */
export function plain(node: Syntax): Syntax {
  const inner = field(node, wrapping[node.type] ?? '') ?? last(node)
  return inner === null ? node : plain(inner)
}

function last(node: Syntax): Syntax | null {
  return node.type === 'SequenceExpression' ? (list(node, 'expressions').at(-1) ?? null) : null
}

/** The text of a string that is written out; null for everything else. */
export function textOf(given: Syntax | null): string | null {
  if (given === null) return null
  const node = plain(given)
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || list(node, 'expressions').length > 0) return null
  const [quasi] = list(node, 'quasis')
  return (quasi?.value as { cooked?: string } | undefined)?.cooked ?? null
}

/** The name by which a member or a property is reached; null if it is computed from more than a text. */
export function keyText(node: Syntax): string | null {
  const key = field(node, 'property') ?? field(node, 'key')
  if (key === null) return null
  if (node.computed === true) return textOf(key)
  return key.type === 'Literal' ? String(key.value) : nameOf(key)
}

/** Whether an expression puts a name together from texts: `'a' + 'b'`, `['a', 'b'].join('')`, decoded text. */
export function isPutTogether(given: Syntax): boolean {
  const node = plain(given)
  switch (node.type) {
    case 'BinaryExpression':
      return node.operator === '+' && ['left', 'right'].every((side) => isTextual(field(node, side)))
    case 'TemplateLiteral': {
      const parts = list(node, 'expressions')
      return parts.length > 0 && parts.every(isTextual)
    }
    case 'CallExpression': {
      const callee = field(node, 'callee')
      if (callee === null) return false
      const called = plain(callee)
      if (called.type === 'Identifier') return /^(atob|decodeURIComponent|unescape)$/.test(nameOf(called))
      const object = field(called, 'object')
      const makes =
        /^(join|concat|replace|replaceAll|fromCharCode|fromCodePoint|reverse|slice|substring|from|repeat)$/
      return makes.test(keyText(called) ?? '') && object !== null && isMaterial(plain(object))
    }
    default:
      return false
  }
}

function isTextual(node: Syntax | null): boolean {
  if (node === null) return false
  const { type } = plain(node)
  return type === 'Literal' || isPutTogether(node) || textOf(node) !== null
}

function isMaterial(node: Syntax): boolean {
  if (node.type === 'ArrayExpression' || node.type === 'Literal') return true
  return /^(String|Buffer)$/.test(nameOf(node)) || isPutTogether(node)
}

/** What a name stands for: something of the file's own, or what a module gives (`part` null: all of it). */
export type Binding =
  | { readonly is: 'own' }
  | { readonly is: 'imported'; readonly from: string; readonly part: string | null }
export type NameScope = ReadonlyMap<string, Binding>

const own: Binding = { is: 'own' }

/** The names that a node declares for what is inside it; null if it opens no scope. */
export function scopeOf(node: Syntax): NameScope | null {
  const scope = new Map<string, Binding>()
  switch (node.type) {
    case 'Program':
    case 'TSModuleBlock':
    case 'StaticBlock':
      hoisted(node, scope)
      lexical(list(node, 'body'), scope)
      return scope
    case 'BlockStatement':
      lexical(list(node, 'body'), scope)
      return scope
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      lexical(
        [field(node, 'init') ?? field(node, 'left')].flatMap((each) => each ?? []),
        scope,
      )
      return scope
    case 'SwitchStatement':
      lexical(
        list(node, 'cases').flatMap((each) => list(each, 'consequent')),
        scope,
      )
      return scope
    case 'CatchClause':
      bind(field(node, 'param'), own, scope)
      return scope
    case 'ClassDeclaration':
    case 'ClassExpression':
      bind(field(node, 'id'), own, scope)
      return scope
    default:
      return isFunction(node) ? functionScope(node, scope) : null
  }
}

function functionScope(node: Syntax, scope: Map<string, Binding>): NameScope {
  if (node.type === 'FunctionExpression') bind(field(node, 'id'), own, scope)
  for (const param of list(node, 'params')) bind(param, own, scope)
  const body = field(node, 'body')
  if (body !== null) hoisted(body, scope)
  return scope
}

/** `var` belongs to the whole function, wherever it stands in it. */
function hoisted(node: Syntax, scope: Map<string, Binding>): void {
  for (const child of partsOf(node)) {
    if (isFunction(child) || /^Class/.test(child.type)) continue
    if (child.type === 'VariableDeclaration' && child.kind === 'var') declared(child, scope)
    hoisted(child, scope)
  }
}

function lexical(statements: readonly Syntax[], scope: Map<string, Binding>): void {
  for (const statement of statements) {
    const node = /^Export/.test(statement.type) ? (field(statement, 'declaration') ?? statement) : statement
    // What is only declared to the type checker is still the global of that name.
    if (node.declare === true || node.importKind === 'type') continue
    if (node.type === 'VariableDeclaration') declared(node, scope)
    else if (node.type === 'ImportDeclaration') imported(node, scope)
    else if (node.type === 'TSImportEqualsDeclaration') equalled(node, scope)
    else if (/^(FunctionDeclaration|ClassDeclaration|TSEnumDeclaration|TSModuleDeclaration)$/.test(node.type))
      bind(field(node, 'id'), own, scope)
  }
}

function declared(node: Syntax, scope: Map<string, Binding>): void {
  for (const each of list(node, 'declarations')) {
    const init = field(each, 'init')
    const from = init === null ? null : requiredIn(plain(init))
    bind(field(each, 'id'), from ?? own, scope)
  }
}

function imported(node: Syntax, scope: Map<string, Binding>): void {
  const from = textOf(field(node, 'source')) ?? ''
  for (const each of list(node, 'specifiers')) {
    if (each.importKind === 'type') continue
    const name = field(each, 'imported')
    const part = name === null ? null : nameOf(name) || String(name.value)
    bind(field(each, 'local'), { is: 'imported', from, part: part === 'default' ? null : part }, scope)
  }
}

function equalled(node: Syntax, scope: Map<string, Binding>): void {
  const reference = field(node, 'moduleReference')
  const from = reference === null ? null : textOf(field(reference, 'expression'))
  bind(field(node, 'id'), from === null ? own : { is: 'imported', from, part: null }, scope)
}

/** `require('x')` and `require('x').part`. */
function requiredIn(node: Syntax): Binding | null {
  if (node.type === 'MemberExpression') {
    const object = field(node, 'object')
    const inner = object === null ? null : requiredIn(plain(object))
    return inner?.is === 'imported' && inner.part === null ? { ...inner, part: keyText(node) } : inner
  }
  const callee = node.type === 'CallExpression' ? field(node, 'callee') : null
  const [first] = list(node, 'arguments')
  const from = nameOf(callee) === 'require' ? textOf(first ?? null) : null
  return from === null ? null : { is: 'imported', from, part: null }
}

function bind(pattern: Syntax | null, to: Binding, scope: Map<string, Binding>): void {
  if (pattern === null) return
  switch (pattern.type) {
    case 'Identifier':
      scope.set(nameOf(pattern), to)
      return
    case 'ObjectPattern':
      for (const each of list(pattern, 'properties')) {
        const whole = to.is === 'imported' && to.part === null && each.type === 'Property'
        bind(
          field(each, 'value') ?? field(each, 'argument'),
          whole ? { ...to, part: keyText(each) } : to,
          scope,
        )
      }
      return
    case 'ArrayPattern':
      for (const each of list(pattern, 'elements')) bind(each, own, scope)
      return
    default:
      bind(field(pattern, 'left') ?? field(pattern, 'argument') ?? field(pattern, 'parameter'), to, scope)
  }
}

const typesOnly = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'implements',
])

/** The parts of a node that are run; types are not. */
export function partsOf(node: Syntax): Syntax[] {
  const found: Syntax[] = []
  for (const name of Object.keys(node)) {
    if (typesOnly.has(name)) continue
    const value = node[name]
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) found.push(each)
  }
  return found
}

function isNode(value: unknown): value is Syntax {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('start' in value)) return false
  const { type, declare } = value as unknown as Syntax
  return (
    !/^TS((TypeAlias|Interface)Declaration|DeclareFunction|EmptyBodyFunctionExpression|Abstract\w+)$/.test(
      type,
    ) && declare !== true
  )
}

/** What an assignment writes to, in patterns too. */
export function targetsIn(given: Syntax | null): Syntax[] {
  if (given === null) return []
  const node = plain(given)
  switch (node.type) {
    case 'ObjectPattern':
      return list(node, 'properties').flatMap((each) =>
        targetsIn(field(each, 'value') ?? field(each, 'argument')),
      )
    case 'ArrayPattern':
      return list(node, 'elements').flatMap(targetsIn)
    case 'AssignmentPattern':
      return targetsIn(field(node, 'left'))
    case 'RestElement':
      return targetsIn(field(node, 'argument'))
    default:
      return [node]
  }
}
