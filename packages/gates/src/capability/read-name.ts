// What the global names that a script uses give to it.
import { field, list, nameOf, type Syntax } from '../integrity/source.ts'
import { type Around, parentOf, type ScriptReader } from './script-reader.ts'
import { type Binding, keyText, plain } from './script-syntax.ts'
import { GLOBALS, LANGUAGE, PASSED_ON, PLAIN, REFLECTING, RUNNER_GLOBALS } from './script-tables.ts'

const noUse =
  /^(LabeledStatement|BreakStatement|ContinueStatement|ExportSpecifier|Import\w*Specifier|ImportAttribute|MetaProperty|TSEnumMember|TSQualifiedName|TSModuleDeclaration|TSClassImplements|TSIndexSignature|TSExternalModuleReference)$/

export function readName(reader: ScriptReader, node: Syntax, around: Around): void {
  const direct = around.parents.at(-1)
  if (direct === undefined || noUse.test(direct.type) || isPlainKey(node, direct)) return
  const name = nameOf(node)
  const binding = reader.bindingOf(name, around)
  if (binding?.is === 'imported') handedOn(reader, node, { binding, direct })
  if (binding !== null) return
  if (GLOBALS.has(name)) ofGlobal(reader, node, around)
  else if (RUNNER_GLOBALS.has(name)) reader.add('test runner', name, node.start)
  else if (LANGUAGE.has(name)) ofLanguage(reader, node, around)
  else if (name === 'module' || name === 'require') ofModuleSystem(reader, node, around)
  else if (!PLAIN.has(name)) reader.add('globals', `unknown name ${name}`, node.start)
}

/** A name that is no use of a variable: `.name`, `name: 1`. */
function isPlainKey(node: Syntax, direct: Syntax): boolean {
  if (direct.computed === true) return false
  return (
    field(direct, 'property') === node || (field(direct, 'key') === node && field(direct, 'value') !== node)
  )
}

type Imported = Extract<Binding, { is: 'imported' }>

/** A module that is told by its parts, handed on as a whole. */
function handedOn(
  reader: ScriptReader,
  node: Syntax,
  { binding, direct }: { binding: Imported; direct: Syntax },
): void {
  if (binding.part !== null || !/^(node:)?(util|path|os|process)$/.test(binding.from)) return
  const isDeclared = /Pattern$|Specifier$/.test(direct.type) || field(direct, 'id') === node
  const isMember = direct.type === 'MemberExpression' && field(direct, 'object') === node
  if (!isMember && !isDeclared) reader.useModule(binding.from, node.start, 'as a value')
}

function ofGlobal(reader: ScriptReader, node: Syntax, around: Around): void {
  const name = nameOf(node)
  const rule = GLOBALS.get(name)
  const parent = parentOf(around)
  if (rule === undefined || parent === null) return
  // `x instanceof Function` asks about a value.
  if (name === 'Function' && parent.type === 'BinaryExpression') return
  const isMember = parent.type === 'MemberExpression' && plain(field(parent, 'object') ?? parent) === node
  const key = isMember && rule !== 'timers' ? `.${keyText(parent) ?? '?'}` : ''
  reader.add(rule, `${name}${key}`, node.start)
}

function ofLanguage(reader: ScriptReader, node: Syntax, around: Around): void {
  const name = nameOf(node)
  const parent = parentOf(around)
  if (parent === null || isUsed(node, parent)) return
  if (parent.type === 'VariableDeclarator' && field(parent, 'id')?.type === 'ObjectPattern') {
    takenApart(reader, name, parent)
    return
  }
  const holds =
    /^(ArrayExpression|Property|ReturnStatement|ConditionalExpression|LogicalExpression|SwitchCase|ArrowFunctionExpression|AssignmentPattern|CallExpression|NewExpression)$/
  if (PASSED_ON.has(name) && holds.test(parent.type)) return
  reader.add('globals', `${name} as a value`, node.start)
}

function isUsed(node: Syntax, parent: Syntax): boolean {
  const object = field(parent, 'object') ?? field(parent, 'callee') ?? field(parent, 'tag')
  if (object !== null && plain(object) === node) return true
  return /^(BinaryExpression|UnaryExpression|Class(Declaration|Expression))$/.test(parent.type)
}

/** `const { env } = process`. */
function takenApart(reader: ScriptReader, name: string, declarator: Syntax): void {
  for (const each of list(field(declarator, 'id') ?? declarator, 'properties')) {
    const key = keyText(each)
    if (key === null || key === 'prototype' || each.type === 'RestElement')
      reader.add('globals', `${name} as a value`, each.start)
    else if (REFLECTING.has(key)) reader.add('reflection', `.${key}`, each.start)
    else reader.useMember(name, key, each.start)
  }
}

function ofModuleSystem(reader: ScriptReader, node: Syntax, around: Around): void {
  const parent = parentOf(around)
  if (parent === null || parent.type === 'UnaryExpression' || isUsed(node, parent)) return
  reader.add('module system', `${nameOf(node)} as a value`, node.start)
}
