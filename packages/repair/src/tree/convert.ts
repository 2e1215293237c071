// Turns the parser's syntax tree into ours, by a table with one row per syntax node.
import type { Kind, Node, Role } from './node.ts'

/** A node as the parser gives it. */
export interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

type Field = readonly [field: string, role: Role]
interface Row {
  readonly kind: Kind
  readonly fields: readonly Field[]
  /** Where the operator, the keyword or the form is found; a text that begins with = is taken as it is. */
  readonly op?: string
  readonly name?: string
}

const stmt = (kind: Kind, fields: readonly Field[], op?: string): Row => ({
  kind,
  fields,
  ...(op === undefined ? {} : { op }),
})
const FUNC: Row = {
  kind: 'func',
  name: 'id',
  fields: [
    ['id', 'name'],
    ['params', 'param'],
    ['body', 'body'],
  ],
}
const CLASS: Row = {
  kind: 'class',
  name: 'id',
  fields: [
    ['id', 'name'],
    ['superClass', 'part'],
    ['body', 'body'],
  ],
}
const forIn = (op: string): Row =>
  stmt(
    'loop',
    [
      ['left', 'init'],
      ['right', 'right'],
      ['body', 'body'],
    ],
    op,
  )

const ROWS: Readonly<Record<string, Row>> = {
  Program: stmt('module', [['body', 'statement']]),
  FunctionDeclaration: FUNC,
  FunctionExpression: FUNC,
  ArrowFunctionExpression: FUNC,
  ClassDeclaration: CLASS,
  ClassExpression: CLASS,
  ClassBody: stmt('block', [['body', 'statement']], '=class'),
  MethodDefinition: stmt(
    'method',
    [
      ['key', 'key'],
      ['value', 'value'],
    ],
    'kind',
  ),
  PropertyDefinition: stmt('field', [
    ['key', 'key'],
    ['value', 'value'],
  ]),
  StaticBlock: stmt('block', [['body', 'statement']]),
  BlockStatement: stmt('block', [['body', 'statement']]),
  ExportNamedDeclaration: stmt('other', [['declaration', 'statement']], '=export'),
  ExportDefaultDeclaration: stmt('other', [['declaration', 'value']], '=export'),
  VariableDeclaration: stmt('declare', [['declarations', 'part']], 'kind'),
  VariableDeclarator: stmt('declarator', [
    ['id', 'target'],
    ['init', 'value'],
  ]),
  ExpressionStatement: stmt('do', [['expression', 'value']]),
  IfStatement: stmt('if', [
    ['test', 'test'],
    ['consequent', 'then'],
    ['alternate', 'else'],
  ]),
  ForStatement: stmt(
    'loop',
    [
      ['init', 'init'],
      ['test', 'test'],
      ['update', 'update'],
      ['body', 'body'],
    ],
    '=for',
  ),
  WhileStatement: stmt(
    'loop',
    [
      ['test', 'test'],
      ['body', 'body'],
    ],
    '=while',
  ),
  DoWhileStatement: stmt(
    'loop',
    [
      ['body', 'body'],
      ['test', 'test'],
    ],
    '=do',
  ),
  ForOfStatement: forIn('=of'),
  ForInStatement: forIn('=in'),
  SwitchStatement: stmt('switch', [
    ['discriminant', 'value'],
    ['cases', 'part'],
  ]),
  SwitchCase: stmt('case', [
    ['test', 'test'],
    ['consequent', 'statement'],
  ]),
  TryStatement: stmt('try', [
    ['block', 'body'],
    ['handler', 'handler'],
    ['finalizer', 'final'],
  ]),
  CatchClause: stmt('catch', [
    ['param', 'param'],
    ['body', 'body'],
  ]),
  ReturnStatement: stmt('return', [['argument', 'value']]),
  ThrowStatement: stmt('throw', [['argument', 'value']]),
  BreakStatement: stmt('jump', [], '=break'),
  ContinueStatement: stmt('jump', [], '=continue'),
  CallExpression: stmt('call', [
    ['callee', 'callee'],
    ['arguments', 'arg'],
  ]),
  NewExpression: stmt('new', [
    ['callee', 'callee'],
    ['arguments', 'arg'],
  ]),
  Identifier: { kind: 'name', fields: [], name: 'name' },
  PrivateIdentifier: { kind: 'other', fields: [], name: 'name' },
  ThisExpression: stmt('self', []),
  TemplateLiteral: stmt('template', [['expressions', 'part']]),
  BinaryExpression: stmt(
    'binary',
    [
      ['left', 'left'],
      ['right', 'right'],
    ],
    'operator',
  ),
  LogicalExpression: stmt(
    'logical',
    [
      ['left', 'left'],
      ['right', 'right'],
    ],
    'operator',
  ),
  UnaryExpression: stmt('unary', [['argument', 'value']], 'operator'),
  AssignmentExpression: stmt(
    'assign',
    [
      ['left', 'target'],
      ['right', 'value'],
    ],
    'operator',
  ),
  UpdateExpression: stmt('update', [['argument', 'target']], 'operator'),
  ConditionalExpression: stmt('conditional', [
    ['test', 'test'],
    ['consequent', 'then'],
    ['alternate', 'else'],
  ]),
  ArrayExpression: stmt('list', [['elements', 'element']]),
  ObjectExpression: stmt('record', [['properties', 'element']]),
  Property: stmt('pair', [
    ['key', 'key'],
    ['value', 'value'],
  ]),
  SpreadElement: stmt('spread', [['argument', 'value']]),
  RestElement: stmt('pattern', [['argument', 'target']], '=rest'),
  AwaitExpression: stmt('await', [['argument', 'value']]),
  YieldExpression: stmt('other', [['argument', 'value']], '=yield'),
  ArrayPattern: stmt('pattern', [['elements', 'target']], '=list'),
  ObjectPattern: stmt('pattern', [['properties', 'target']], '=record'),
  AssignmentPattern: stmt('default', [
    ['left', 'target'],
    ['right', 'value'],
  ]),
  SequenceExpression: stmt('other', [['expressions', 'part']], '=sequence'),
  TaggedTemplateExpression: stmt('other', [['tag', 'part']], '=tagged'),
  LabeledStatement: stmt('other', [['body', 'body']], '=label'),
}

const WRAPPERS: Readonly<Record<string, true>> = {
  ParenthesizedExpression: true,
  TSAsExpression: true,
  TSSatisfiesExpression: true,
  TSNonNullExpression: true,
  TSTypeAssertion: true,
  TSInstantiationExpression: true,
  ChainExpression: true,
}

/** Casts: an operand after them would belong to the type. */
const CASTS: ReadonlySet<string> = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'])

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string'
}

export function convert(syntax: Syntax, role: Role, parent: Node | null): Node {
  if (Object.hasOwn(WRAPPERS, syntax.type) && isSyntax(syntax.expression)) {
    const inner = convert(syntax.expression, role, parent)
    inner.start = syntax.start
    inner.end = syntax.end
    if (syntax.type === 'ParenthesizedExpression') inner.parens = true
    inner.cast = CASTS.has(syntax.type) || (inner.cast && syntax.type !== 'ParenthesizedExpression')
    return inner
  }
  // `constructor(private readonly name: string)`
  if (syntax.type === 'TSParameterProperty' && isSyntax(syntax.parameter))
    return convert(syntax.parameter, role, parent)
  if (syntax.type === 'MemberExpression') return convertMember(syntax, role, parent)
  if (syntax.type === 'Literal') return make(literalKind(syntax), syntax, role, { parent, name: raw(syntax) })
  const row = Object.hasOwn(ROWS, syntax.type) ? ROWS[syntax.type] : undefined
  if (row === undefined) return make('other', syntax, role, { parent, op: syntax.type })
  if (syntax.type === 'Identifier' && (syntax.name === 'undefined' || syntax.name === 'NaN')) {
    return make('nothing', syntax, role, { parent, name: syntax.name })
  }
  const node = make(row.kind, syntax, role, { parent, op: opOf(row, syntax), name: nameOf(row, syntax) })
  addChildren(node, syntax, row.fields)
  return node
}

function convertMember(syntax: Syntax, role: Role, parent: Node | null): Node {
  const property = syntax.property as Syntax
  const hash = property.type === 'PrivateIdentifier' ? '#' : ''
  const name = syntax.computed === true ? '' : `${hash}${String(property.name)}`
  const node = make(syntax.computed === true ? 'index' : 'member', syntax, role, { parent, name })
  addChildren(node, syntax, [
    ['object', 'object'],
    ['property', syntax.computed === true ? 'arg' : 'property'],
  ])
  return node
}

function addChildren(node: Node, syntax: Syntax, fields: readonly Field[]): void {
  for (const [field, role] of fields) {
    const value = syntax[field]
    const found = Array.isArray(value) ? value : [value]
    for (const child of found) if (isSyntax(child)) node.children.push(convert(child, role, node))
  }
}

interface More {
  readonly parent: Node | null
  readonly op?: string
  readonly name?: string
}

function make(kind: Kind, syntax: Syntax, role: Role, more: More): Node {
  return {
    kind,
    role,
    start: syntax.start,
    end: syntax.end,
    parent: more.parent,
    children: [],
    op: more.op ?? '',
    name: more.name ?? '',
    optional: syntax.optional === true || syntax.shorthand === true,
    isAsync: syntax.async === true,
    parens: false,
    cast: false,
    names: null,
  }
}

function opOf(row: Row, syntax: Syntax): string {
  if (row.op === undefined) return ''
  return row.op.startsWith('=') ? row.op.slice(1) : String(syntax[row.op])
}

function nameOf(row: Row, syntax: Syntax): string {
  if (row.name === undefined) return ''
  const value = syntax[row.name]
  return isSyntax(value) ? String(value.name) : String(value ?? '')
}

function raw(syntax: Syntax): string {
  return String(syntax.raw ?? '')
}

function literalKind(syntax: Syntax): Kind {
  if (isRecord(syntax.regex)) return 'regex'
  const value = syntax.value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof syntax.bigint === 'string')
    return 'number'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'nothing'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
