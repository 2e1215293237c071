// What a script defines, calls and writes to, where that reaches beyond itself.
import { field, list, nameOf, type Syntax } from '../integrity/source.ts'
import { type Around, parentOf, type ScriptReader } from './script-reader.ts'
import { isPutTogether, keyText, plain, targetsIn, textOf } from './script-syntax.ts'
import { MEMBERS, PROTOCOL, RUNNER_VARIABLE, WRAPPED } from './script-tables.ts'

export function readProperty(reader: ScriptReader, node: Syntax, around: Around): void {
  const key = keyText(node)
  const keyNode = field(node, 'key')
  const { start } = node
  if (node.computed === true && key === null && keyNode !== null && isPutTogether(keyNode))
    reader.add('computed name', 'a key put together from text', start)
  if (parentOf(around)?.type === 'ObjectPattern') {
    takenOut(reader, key, start)
    return
  }
  if (node.kind === 'get' || node.kind === 'set')
    reader.add('reflection', node.kind === 'get' ? 'a getter' : 'a setter', start)
  const symbol = symbolIn(keyNode)
  if (node.computed === true && symbol !== null) reader.add('protocol', `Symbol.${symbol}`, start)
  const isConstructor = key === 'constructor' && node.type === 'MethodDefinition'
  const isConsulted = key !== null && (PROTOCOL.has(key) || key.startsWith('@@'))
  if (isConsulted && !isConstructor) reader.add('protocol', `defines ${key}`, start)
}

/** `const { stack } = error` asks for what `error.stack` asks for. */
function takenOut(reader: ScriptReader, key: string | null, start: number): void {
  if (key === null) return
  const rule = MEMBERS.get(key)
  if (rule !== undefined) reader.add(rule, `.${key}`, start)
  if (key === 'constructor' || key === '__proto__') reader.add('reflection', `.${key}`, start)
  if (RUNNER_VARIABLE.test(key)) reader.add('asks for the runner', key, start)
}

export function readClass(reader: ScriptReader, node: Syntax, around: Around): void {
  const parent = field(node, 'superClass')
  const base = parent === null ? null : plain(parent)
  if (reader.isGlobal(base, around) && WRAPPED.has(nameOf(base)))
    reader.add('protocol', `extends ${nameOf(base)}`, node.start)
}

export function readCall(reader: ScriptReader, node: Syntax, around: Around): void {
  const callee = plain(field(node, 'callee') ?? node)
  const [first = null] = list(node, 'arguments')
  if (reader.isGlobal(callee, around)) calledGlobal(reader, node, { name: nameOf(callee), first })
  const object = callee.type === 'MemberExpression' ? plain(field(callee, 'object') ?? callee) : null
  const changes = /^(assign|defineProperty|defineProperties|setPrototypeOf|freeze|seal|preventExtensions)$/
  const isChange = changes.test(keyText(callee) ?? '') && nameOf(object) === 'Object'
  if (isChange && reader.isGlobal(object, around) && reader.originOf(first, around) !== null)
    reader.add('patch', `Object.${keyText(callee)} on what is not its own`, node.start)
}

function calledGlobal(
  reader: ScriptReader,
  node: Syntax,
  { name, first }: { name: string; first: Syntax | null },
): void {
  const isNew = node.type === 'NewExpression'
  if (name === 'require' && !isNew) readLoading(reader, first, node)
  const isNow = !isNew || first === null || first.type === 'SpreadElement'
  if (name === 'Date' && isNow) reader.add('clock', isNew ? 'new Date()' : 'Date()', node.start)
  if (name === 'Symbol') reader.add('protocol', 'Symbol()', node.start)
  if (isNew && /^(Number|String|Boolean|Object)$/.test(name))
    reader.add('protocol', `new ${name}`, node.start)
}

/** `require(…)` and `import(…)`, which may load what a variable says. */
export function readLoading(reader: ScriptReader, name: Syntax | null, { type, start }: Syntax): void {
  const from = textOf(name)
  const how = type === 'ImportExpression' ? 'import()' : 'require()'
  if (from === null) reader.add('module system', `${how} of a computed name`, start)
  else reader.useModule(from, start)
  if (from !== null && how === 'import()') reader.add('module system', `import(${from})`, start)
}

export function readAssignment(reader: ScriptReader, node: Syntax, around: Around): void {
  const left = field(node, 'left') ?? field(node, 'argument')
  if (left === null || left.type === 'VariableDeclaration') return
  for (const target of targetsIn(left)) written(reader, target, around)
}

export function readDeletion(reader: ScriptReader, node: Syntax, around: Around): void {
  if (node.operator === 'delete' && reader.originOf(field(node, 'argument'), around) !== null)
    reader.add('patch', 'delete on what is not its own', node.start)
}

function written(reader: ScriptReader, target: Syntax, around: Around): void {
  if (target.type !== 'MemberExpression') {
    if (reader.isGlobal(target, around) && !/^(exports|module)$/.test(nameOf(target)))
      reader.add('patch', `assigns the undeclared ${nameOf(target)}`, target.start)
    return
  }
  const key = keyText(target)
  const source = reader.sourceOf(target)
  const isExport = /^(module\.exports|exports\.|process\.exitCode)/.test(source)
  const isForeign = reader.originOf(target, around) !== null || isPrototypeOfNothing(target)
  if (isForeign && !isExport) reader.add('patch', `writes ${source}`, target.start)
  if (key !== null && PROTOCOL.has(key) && !isExport) reader.add('protocol', `sets ${key}`, target.start)
  const symbol = symbolIn(field(target, 'property'))
  if (target.computed === true && symbol !== null) reader.add('protocol', `Symbol.${symbol}`, target.start)
}

/** The prototype of a class with a name in the file is its own; that of `[].constructor` and the like is not. */
function isPrototypeOfNothing(target: Syntax): boolean {
  const object = plain(field(target, 'object') ?? target)
  if (object.type !== 'MemberExpression' || keyText(object) !== 'prototype') return false
  let owner = plain(field(object, 'object') ?? object)
  while (owner.type === 'MemberExpression') owner = plain(field(owner, 'object') ?? owner)
  return owner.type !== 'Identifier' && owner.type !== 'ThisExpression'
}

function symbolIn(key: Syntax | null): string | null {
  if (key === null) return null
  const node = plain(key)
  const isSymbol = node.type === 'MemberExpression' && nameOf(field(node, 'object')) === 'Symbol'
  return isSymbol ? (keyText(node) ?? '?') : null
}
