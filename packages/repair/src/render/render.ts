// Makes one module ready to be run many times: no types, CommonJS, and fuel taken at every loop and function.
import { isSyntax, type Syntax } from '../tree/convert.ts'
import { type Node, part, walk } from '../tree/node.ts'
import type { Parsed } from '../tree/parse.ts'
import { find } from '../tree/scope.ts'
import type { Lowered } from './lower.ts'
import { type Splice, Spliced } from './splice.ts'

/** Taken from the tank at every turn of a loop and at every call. */
const FUEL = 'if($fuel.left--<0)$fuel.out();'

export interface Rendered {
  readonly code: Spliced
  readonly isModule: boolean
  /** Modules that this one asks for by name, in order. */
  readonly requests: readonly string[]
  /** How a name that is imported is written in the rendered text. */
  readonly imports: ReadonlyMap<string, string>
}

interface Bindings {
  readonly imports: Map<string, string>
  readonly requests: string[]
  /** Statements that run before the text. */
  readonly prelude: string[]
  readonly exports: string[]
  readonly splices: Splice[]
}

const NOT_LOWERED: Pick<Lowered, 'splices' | 'exports'> = { splices: [], exports: [] }

export function render(parsed: Parsed, stripped: string, lowered = NOT_LOWERED): Rendered {
  const isModule = parsed.module.hasModuleSyntax
  const bindings: Bindings = {
    imports: new Map(),
    requests: [],
    prelude: [],
    exports: [...lowered.exports],
    splices: [...lowered.splices],
  }
  if (isModule) {
    for (const statement of parsed.program.body as unknown[]) {
      if (isSyntax(statement)) renderStatement(statement, stripped, bindings)
    }
  }
  walk(parsed.tree, (node) => renderNode(node, stripped, bindings))
  renderDynamic(parsed, bindings)
  const getters = bindings.exports.join(',')
  const head = isModule ? `"use strict";$export(exports,{${getters}});${bindings.prelude.join('')}` : ''
  const splices = [{ start: 0, end: 0, text: head }, ...bindings.splices]
  const requests = [...bindings.requests, ...requiredIn(parsed.tree)]
  return { code: new Spliced(stripped, splices), isModule, requests, imports: bindings.imports }
}

function renderStatement(statement: Syntax, text: string, bindings: Bindings): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      renderImport(statement, text, bindings)
      return
    case 'ExportAllDeclaration':
      renderStar(statement, text, bindings)
      return
    case 'ExportDefaultDeclaration':
      renderDefault(statement, bindings)
      return
    case 'ExportNamedDeclaration':
      renderNamed(statement, text, bindings)
  }
}

function renderImport(statement: Syntax, text: string, bindings: Bindings): void {
  bindings.splices.push(blank(statement, text))
  if (statement.importKind === 'type') return
  const specifiers = (statement.specifiers as Syntax[]).filter((found) => found.importKind !== 'type')
  // As the type stripper has it: an import whose every name is a type still loads the module.
  const variable = require(statement.source as Syntax, bindings)
  for (const specifier of specifiers) {
    const local = String((specifier.local as Syntax).name)
    bindings.imports.set(local, `${variable}${accessOf(specifier)}`)
  }
}

function accessOf(specifier: Syntax): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return ''
  if (specifier.type === 'ImportDefaultSpecifier') return '.default'
  return access(specifier.imported as Syntax)
}

function access(name: Syntax): string {
  return name.type === 'Identifier' ? `.${String(name.name)}` : `[${JSON.stringify(name.value)}]`
}

function keyOf(name: Syntax): string {
  return JSON.stringify(name.type === 'Identifier' ? name.name : name.value)
}

function require(source: Syntax, bindings: Bindings): string {
  const request = String(source.value)
  bindings.requests.push(request)
  const variable = `$m${bindings.requests.length}`
  bindings.prelude.push(`const ${variable}=$import(${JSON.stringify(request)});`)
  return variable
}

function renderStar(statement: Syntax, text: string, bindings: Bindings): void {
  bindings.splices.push(blank(statement, text))
  if (statement.exportKind === 'type') return
  const variable = require(statement.source as Syntax, bindings)
  if (isSyntax(statement.exported)) bindings.exports.push(`${keyOf(statement.exported)}:()=>${variable}`)
  else bindings.prelude.push(`$star(exports,${variable});`)
}

function renderDefault(statement: Syntax, bindings: Bindings): void {
  const declaration = statement.declaration as Syntax
  // A value with a type after it (`x as T`, `x satisfies T`, `x!`) is a value.
  if (/^TS\w*(Declaration|DeclareFunction)$/.test(declaration.type)) return
  const name = isSyntax(declaration.id) ? String(declaration.id.name) : null
  const text = name === null ? 'const $default=' : ''
  bindings.splices.push({ start: statement.start, end: declaration.start, text })
  bindings.exports.push(`"default":()=>${name ?? '$default'}`)
}

function renderNamed(statement: Syntax, text: string, bindings: Bindings): void {
  const declaration = statement.declaration
  if (isSyntax(declaration)) {
    if (declaration.type.startsWith('TS') || declaration.declare === true) return
    bindings.splices.push({ start: statement.start, end: declaration.start, text: '' })
    for (const name of declaredBy(declaration)) bindings.exports.push(`${JSON.stringify(name)}:()=>${name}`)
    return
  }
  bindings.splices.push(blank(statement, text))
  if (statement.exportKind === 'type') return
  const variable = isSyntax(statement.source) ? require(statement.source, bindings) : null
  for (const specifier of statement.specifiers as Syntax[]) {
    if (specifier.exportKind === 'type') continue
    const local = specifier.local as Syntax
    const value = variable === null ? `$local(${String(local.name)})` : `${variable}${access(local)}`
    bindings.exports.push(`${keyOf(specifier.exported as Syntax)}:()=>${localValue(value, bindings)}`)
  }
}

/** An import may be exported again; imports come first in all but odd files, so it is known by now. */
function localValue(value: string, bindings: Bindings): string {
  const name = /^\$local\((.*)\)$/.exec(value)?.[1]
  return name === undefined ? value : (bindings.imports.get(name) ?? name)
}

function declaredBy(declaration: Syntax): string[] {
  if (isSyntax(declaration.id)) return [String(declaration.id.name)]
  const names: string[] = []
  for (const declarator of declaration.declarations as Syntax[]) collectNames(declarator.id as Syntax, names)
  return names
}

function collectNames(pattern: Syntax, names: string[]): void {
  if (pattern.type === 'Identifier') names.push(String(pattern.name))
  const inner = [pattern.left, pattern.argument, pattern.type === 'Property' ? pattern.value : null]
  const list = (pattern.properties ?? pattern.elements ?? []) as unknown[]
  for (const found of [...inner, ...list]) if (isSyntax(found)) collectNames(found, names)
}

/** Keeps the lines, so that places in stacks are those of the source. */
function blank(statement: Syntax, text: string): Splice {
  const { start, end } = statement
  return { start, end, text: `;${text.slice(start, end).replace(/[^\n]/g, '')}` }
}

function renderNode(node: Node, text: string, bindings: Bindings): void {
  if (node.kind === 'name') renderReference(node, text, bindings)
  const body = node.kind === 'func' || node.kind === 'loop' ? part(node, 'body') : null
  if (body === null) return
  if (body.kind === 'block') bindings.splices.push({ start: body.start + 1, end: body.start + 1, text: FUEL })
  else if (node.kind === 'loop') {
    bindings.splices.push({ start: body.start, end: body.start, text: `{${FUEL}` })
    bindings.splices.push({ start: body.end, end: body.end, text: '}' })
  }
}

function renderReference(node: Node, text: string, bindings: Bindings): void {
  const written = bindings.imports.get(node.name)
  if (written === undefined || !isReference(node)) return
  if (find(node, node.name)?.is !== 'import') return
  const { parent } = node
  // Brackets and casts around the name belong to its range.
  const start = Math.max(node.start, text.indexOf(node.name, node.start))
  const end = start + node.name.length
  const isShorthand = parent?.kind === 'pair' && parent.optional
  // Called through a comma, so that the namespace is not the callee's `this`.
  const called = node.role === 'callee' ? `(0,${written})` : written
  // Apart from the name itself, so that an edit of the name leaves it where it is.
  if (node.role === 'callee' && start === node.start && opensStatement(node))
    bindings.splices.push({ start, end: start, text: ';' })
  bindings.splices.push({ start, end, text: isShorthand ? `${node.name}:${written}` : called })
}

/** Where a bracket would go on with the line before, if that has no semicolon. */
function opensStatement(node: Node): boolean {
  for (let at = node.parent; at !== null && at.start === node.start; at = at.parent) {
    if (at.kind === 'do') return at.role === 'statement'
  }
  return false
}

function isReference(node: Node): boolean {
  if (node.parens && node.role !== 'callee') return true
  if (node.parent?.kind === 'pair' && node.parent.optional) return node.role === 'value'
  if (node.role === 'key') return false
  return node.role !== 'property' && node.role !== 'name' && node.role !== 'param'
}

function renderDynamic(parsed: Parsed, bindings: Bindings): void {
  for (const found of parsed.module.dynamicImports) {
    bindings.splices.push({ start: found.start, end: found.start + 'import'.length, text: '$dynamic' })
  }
  for (const found of parsed.module.importMetas) {
    bindings.splices.push({ start: found.start, end: found.end, text: '$meta' })
  }
}

/** Requests by `require('…')`, for CommonJS sources. */
function requiredIn(tree: Node): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    const [callee, arg] = node.children
    if (node.kind !== 'call' || callee?.name !== 'require' || arg?.kind !== 'string') return
    found.push(arg.name.slice(1, -1))
  })
  return found
}
