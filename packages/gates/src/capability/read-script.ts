// The capabilities of one JavaScript or TypeScript file, from its syntax tree, with the scopes of its names.
import { parseSync } from 'oxc-parser'
import { field, isTooDeep, list, nameOf, type Syntax } from '../integrity/source.ts'
import type { CapabilityReading } from './capability.ts'
import { readMember } from './read-member.ts'
import { readName } from './read-name.ts'
import { readWording } from './read-wording.ts'
import {
  readAssignment,
  readCall,
  readClass,
  readDeletion,
  readLoading,
  readProperty,
} from './read-writing.ts'
import { type Around, parentOf, ScriptReader } from './script-reader.ts'
import { keyText, partsOf, scopeOf, textOf } from './script-syntax.ts'
import { DIRECTIVE } from './script-tables.ts'

export function readScript(path: string, text: string): CapabilityReading {
  const code = /\.(vue|svelte)$/.test(path) ? scriptsIn(text) : text
  if (isTooDeep(code)) return { is: 'unreadable', why: 'it is nested too deeply, or too long' }
  const parsed = parse(path, code)
  if (parsed === null) return { is: 'unreadable', why: 'it does not parse' }
  const reader = new ScriptReader(code, parsed.module.hasModuleSyntax)
  for (const { value, start } of parsed.comments)
    if (DIRECTIVE.test(value)) reader.add('directive', value.trim().slice(0, 60), start)
  try {
    visit(reader, parsed.program as unknown as Syntax, { parents: [], scopes: [] })
  } catch (error) {
    if (error instanceof RangeError) return { is: 'unreadable', why: 'it is nested too deeply' }
    throw error
  }
  return { is: 'read', capabilities: reader.found, imports: reader.imports }
}

/** What has no ending of TypeScript may be written with types all the same. */
function parse(path: string, text: string) {
  const [ending] = /\.[cm]?tsx?$/.exec(path) ?? []
  const own = ending?.endsWith('x') ? (['tsx'] as const) : (['ts'] as const)
  const langs = ending === undefined ? (['jsx', 'tsx', 'ts'] as const) : own
  for (const lang of langs) {
    const parsed = parseSync(path, text, { lang })
    if (!parsed.errors.some(({ severity }) => severity === 'Error')) return parsed
  }
  return null
}

/** The scripts of a component, at the lines where they stand. */
function scriptsIn(text: string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)) {
    const start = match.index + match[0].indexOf('>') + 1
    const body = match[1] ?? ''
    out += `${text.slice(at, start).replace(/[^\n]/g, ' ')}${body}\n`
    at = start + body.length
  }
  return out
}

function visit(reader: ScriptReader, node: Syntax, around: Around): void {
  const scope = scopeOf(node)
  const scopes = scope === null ? around.scopes : [...around.scopes, scope]
  looks.get(node.type)?.(reader, node, { ...around, scopes })
  const inside = { parents: [...around.parents, node], scopes }
  for (const part of partsOf(node)) visit(reader, part, inside)
}

type Look = (reader: ScriptReader, node: Syntax, around: Around) => void

const looks: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['ImportDeclaration', readImport],
  ['ExportNamedDeclaration', readImport],
  ['ExportAllDeclaration', readImport],
  ['ImportExpression', (reader, node) => readLoading(reader, field(node, 'source'), node)],
  [
    'TSExternalModuleReference',
    (reader, node) => reader.useModule(textOf(field(node, 'expression')) ?? '', node.start),
  ],
  ['MetaProperty', readMeta],
  ['Literal', readWording],
  ['TemplateElement', readWording],
  ['WithStatement', (reader, { start }) => reader.add('reflection', 'with', start)],
  ['ThisExpression', readThis],
  ['Property', readProperty],
  ['MethodDefinition', readProperty],
  ['PropertyDefinition', readProperty],
  ['AccessorProperty', readProperty],
  ['ClassDeclaration', readClass],
  ['ClassExpression', readClass],
  ['NewExpression', readCall],
  ['CallExpression', readCall],
  ['UnaryExpression', readDeletion],
  ['AssignmentExpression', readAssignment],
  ['UpdateExpression', readAssignment],
  ['ForInStatement', readAssignment],
  ['ForOfStatement', readAssignment],
  ['MemberExpression', readMember],
  ['Identifier', readName],
])

function readImport(reader: ScriptReader, node: Syntax): void {
  const from = textOf(field(node, 'source'))
  if (from === null || node.importKind === 'type' || node.exportKind === 'type') return
  reader.useModule(from, node.start)
  for (const each of list(node, 'specifiers')) {
    const name = field(each, node.type === 'ImportDeclaration' ? 'imported' : 'local')
    const part = name === null ? '' : nameOf(name) || String(name.value)
    if (each.importKind !== 'type' && part !== '' && part !== 'default')
      reader.useModule(from, each.start, part)
  }
}

function readMeta(reader: ScriptReader, node: Syntax, around: Around): void {
  if (nameOf(field(node, 'meta')) !== 'import') return
  const parent = parentOf(around)
  const name = parent?.type === 'MemberExpression' ? keyText(parent) : null
  const isPath = /^(url|dirname|filename|resolve)$/.test(name ?? '')
  reader.add(isPath ? 'path' : 'environment', `import.meta.${name ?? '?'}`, node.start)
}

/** `this` of a file or of a function that is called by itself may be the global object. */
function readThis(reader: ScriptReader, node: Syntax, around: Around): void {
  const { parents } = around
  const owns = /^(Function(Expression|Declaration)|Class|PropertyDefinition|StaticBlock)/
  const owner = parents.findLast(({ type }) => owns.test(type))
  const caller = owner === undefined ? undefined : parents[parents.indexOf(owner) - 1]
  const isCalled = caller?.type === 'CallExpression' || caller?.type === 'ParenthesizedExpression'
  const isBare = owner?.type === 'FunctionExpression' && isCalled
  const isSloppy = !reader.isModule && (owner === undefined || isValueOf(node, { owner, around }))
  const isInvoked = isBare && (field(caller, 'callee') === owner || caller.type === 'ParenthesizedExpression')
  if (isInvoked || isSloppy) reader.add('globals', 'this of a bare call', node.start)
}

/** `this` itself, and not a part of it, in a function that is no constructor and no method. */
function isValueOf(node: Syntax, { owner, around }: { owner: Syntax; around: Around }): boolean {
  const parent = parentOf(around)
  if (parent === null || (parent.type === 'MemberExpression' && field(parent, 'object') === node))
    return false
  return owner.type === 'FunctionDeclaration' && /^[a-z]/.test(nameOf(field(owner, 'id')))
}
