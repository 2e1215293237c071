// The calls in a test file whose arguments are written out: in place, in a constant, or in the rows of a table.
import {
  bare,
  childrenOf,
  field,
  isFunction,
  list,
  nameOf,
  parseSource,
  type Source,
  type Syntax,
} from '../integrity/source.ts'
import { type Known, writtenValue } from './written-value.ts'

export interface TestedCall {
  /** What the module is asked for by. */
  readonly from: string
  /** The name under which the function is exported; of a method, that of its class, a point and its own. */
  readonly name: string
  /** How many of the first arguments make the object whose method is called. */
  readonly made?: number
  readonly args: readonly unknown[]
}

const callsMax = 400
const rowsMax = 60

/** None in a file that cannot be parsed. */
export function testedCalls(path: string, text: string): TestedCall[] {
  const source = parseSource(path, text)
  if (source === null) return []
  const reading = new CallReading(importedNames(source), objectsOf(source.program))
  reading.visit(source.program, constantsOf(source.program))
  return reading.found
}

interface Imported {
  readonly from: string
  /** Null: the module as a whole. */
  readonly name: string | null
}

function importedNames({ program }: Source): Map<string, Imported> {
  const names = new Map<string, Imported>()
  for (const statement of list(program, 'body')) {
    if (statement.type === 'ImportDeclaration') addImports(statement, names)
    if (statement.type === 'VariableDeclaration')
      for (const each of list(statement, 'declarations')) addRequired(each, names)
  }
  return names
}

function addImports(statement: Syntax, names: Map<string, Imported>): void {
  const from = String(field(statement, 'source')?.value)
  for (const each of list(statement, 'specifiers')) {
    const local = nameOf(field(each, 'local'))
    const imported = nameOf(field(each, 'imported')) || 'default'
    names.set(local, { from, name: each.type === 'ImportNamespaceSpecifier' ? null : imported })
  }
}

/** `const { a } = require('…')`, `const a = await import('…')`, `const a = require('…').b`. */
function addRequired(declarator: Syntax, names: Map<string, Imported>): void {
  const [id, init] = [field(declarator, 'id'), field(declarator, 'init')]
  if (id === null || init === null) return
  const value = bare(init)
  const part = value.type === 'MemberExpression' ? nameOf(field(value, 'property')) : null
  const from = requestOf(part === null ? value : field(value, 'object'))
  if (from === null) return
  if (id.type === 'Identifier') names.set(nameOf(id), { from, name: part })
  if (id.type !== 'ObjectPattern' || part !== null) return
  for (const each of list(id, 'properties')) {
    const local = field(each, 'value')
    if (local?.type === 'Identifier') names.set(nameOf(local), { from, name: nameOf(field(each, 'key')) })
  }
}

function requestOf(given: Syntax | null): string | null {
  if (given === null) return null
  const node = bare(given)
  const asked = node.type === 'ImportExpression' ? field(node, 'source') : null
  const isCall = node.type === 'CallExpression' && nameOf(field(node, 'callee')) === 'require'
  const word = asked ?? (isCall ? list(node, 'arguments')[0] : null)
  return typeof word?.value === 'string' ? word.value : null
}

/** Names that are declared once in the file, with `const` and a value that is written out. */
function constantsOf(program: Syntax): Known {
  const found = new Map<string, unknown>()
  const twice = new Set<string>()
  const visit = (node: Syntax): void => {
    if (node.type === 'VariableDeclarator') {
      const name = nameOf(field(node, 'id'))
      const read = writtenValue(field(node, 'init'), found)
      if (found.has(name) || twice.has(name)) twice.add(name)
      else if (read !== null && name !== '') found.set(name, read.value)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  for (const name of twice) found.delete(name)
  return found
}

/** Names that are declared once in the file, with an object that is made there. */
function objectsOf(program: Syntax): ReadonlyMap<string, Syntax> {
  const declared = new Map<string, (Syntax | null)[]>()
  const visit = (node: Syntax): void => {
    const name = node.type === 'VariableDeclarator' ? nameOf(field(node, 'id')) : ''
    if (name !== '') declared.set(name, [...(declared.get(name) ?? []), field(node, 'init')])
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  const once = [...declared].flatMap(([name, [made, ...more]]) =>
    more.length === 0 && made ? [[name, bare(made)] as const] : [],
  )
  return new Map(once.filter(([, made]) => made.type === 'NewExpression'))
}

type Called = Pick<TestedCall, 'from' | 'name'> & { readonly object?: Syntax }

class CallReading {
  readonly found: TestedCall[] = []
  readonly #imported: ReadonlyMap<string, Imported>
  readonly #objects: ReadonlyMap<string, Syntax>

  constructor(imported: ReadonlyMap<string, Imported>, objects: ReadonlyMap<string, Syntax>) {
    this.#imported = imported
    this.#objects = objects
  }

  visit(node: Syntax, known: Known): void {
    if (this.found.length >= callsMax) return
    const rows = rowsIn(node, known)
    if (rows !== null) {
      for (const row of rows.values.slice(0, rowsMax)) this.visit(rows.body, named(known, rows, row))
      return
    }
    if (node.type === 'CallExpression') this.#call(node, known)
    for (const child of childrenOf(node)) this.visit(child, known)
  }

  #call(node: Syntax, known: Known): void {
    const called = this.#calledBy(field(node, 'callee'))
    if (called === null) return
    const { object, ...named } = called
    const made = object === undefined ? [] : list(object, 'arguments')
    const args = [...made, ...list(node, 'arguments')].map((each) => writtenValue(each, known))
    const values = args.flatMap((each) => (each === null ? [] : [each.value]))
    if (args.length === 0 || values.length < args.length) return
    this.found.push({ ...named, ...(object === undefined ? {} : { made: made.length }), args: values })
  }

  #calledBy(given: Syntax | null): Called | null {
    if (given === null) return null
    const callee = bare(given)
    if (callee.type === 'MemberExpression') return callee.computed === true ? null : this.#member(callee)
    const own = callee.type === 'Identifier' ? this.#imported.get(nameOf(callee)) : undefined
    return own === undefined ? null : { from: own.from, name: own.name ?? 'default' }
  }

  /** `module.half`, `Box.half`, `new Box(2).half`, `box.half`. */
  #member(callee: Syntax): Called | null {
    const given = field(callee, 'object')
    const name = nameOf(field(callee, 'property'))
    if (given === null || name === '') return null
    const holder = bare(given)
    const object = holder.type === 'NewExpression' ? holder : this.#objects.get(nameOf(holder))
    if (object !== undefined) {
      const made = this.#calledBy(field(object, 'callee'))
      const isClass = made !== null && made.object === undefined && !made.name.includes('.')
      return isClass ? { from: made.from, name: `${made.name}.${name}`, object } : null
    }
    const module = this.#imported.get(nameOf(holder))
    if (module === undefined) return null
    const isWhole = module.name === null || module.name === 'default'
    return { from: module.from, name: isWhole ? name : `${module.name}.${name}` }
  }
}

interface Rows {
  readonly values: readonly unknown[]
  /** Names of a row: one, a list of them, or those of an object. */
  readonly patterns: readonly Syntax[]
  readonly body: Syntax
}

/** `test.each(rows)(title, act)`, `rows.forEach(act)`, `for (const row of rows)`. */
function rowsIn(node: Syntax, known: Known): Rows | null {
  if (node.type === 'ForOfStatement') {
    const left = field(node, 'left')
    const pattern = left === null ? null : field(list(left, 'declarations')[0] ?? left, 'id')
    return rowsOf(field(node, 'right'), known, {
      patterns: pattern === null ? [] : [pattern],
      body: field(node, 'body'),
    })
  }
  if (node.type !== 'CallExpression') return null
  const callee = field(node, 'callee')
  const act = list(node, 'arguments').findLast((each) => isFunction(each))
  if (callee === null || act === undefined) return null
  const how = { patterns: list(act, 'params'), body: field(act, 'body') }
  if (callee.type === 'CallExpression' && /^(?:each|for)$/.test(lastName(callee)))
    return rowsOf(list(callee, 'arguments')[0] ?? null, known, how)
  return lastName(node) === 'forEach' ? rowsOf(field(callee, 'object'), known, how) : null
}

function lastName(call: Syntax): string {
  const callee = field(call, 'callee')
  return callee === null ? '' : nameOf(field(callee, 'property'))
}

function rowsOf(
  given: Syntax | null,
  known: Known,
  { patterns, body }: { patterns: readonly Syntax[]; body: Syntax | null },
): Rows | null {
  const values = writtenValue(given, known)?.value
  return Array.isArray(values) && body !== null && patterns.length > 0 ? { values, patterns, body } : null
}

function named(known: Known, { patterns }: Rows, row: unknown): Known {
  const names = new Map(known)
  const [first] = patterns
  // A row that is a list fills several parameters.
  if (patterns.length > 1 && Array.isArray(row))
    for (const [at, pattern] of patterns.entries()) bind(pattern, row[at], names)
  else if (first !== undefined)
    bind(first, Array.isArray(row) && row.length === 1 && first.type === 'Identifier' ? row[0] : row, names)
  return names
}

function bind(pattern: Syntax, value: unknown, names: Map<string, unknown>): void {
  if (pattern.type === 'Identifier') names.set(nameOf(pattern), value)
  if (pattern.type === 'ArrayPattern' && Array.isArray(value))
    for (const [at, each] of list(pattern, 'elements').entries()) bind(each, value[at], names)
  if (pattern.type === 'ObjectPattern' && typeof value === 'object' && value !== null)
    for (const each of list(pattern, 'properties')) {
      const local = field(each, 'value')
      const key = nameOf(field(each, 'key'))
      if (local !== null && Object.hasOwn(value, key))
        bind(local, (value as Record<string, unknown>)[key], names)
    }
}
