// What the members that a script asks for give to it.
import { field, nameOf, type Syntax } from '../integrity/source.ts'
import { type Around, parentOf, type ScriptReader } from './script-reader.ts'
import { isPutTogether, keyText, plain } from './script-syntax.ts'
import {
  ASKED_OF_PROTOTYPES,
  GLOBALS,
  LANGUAGE,
  MEMBERS,
  REFLECTING,
  RUNNER_VARIABLE,
} from './script-tables.ts'

export function readMember(reader: ScriptReader, node: Syntax, around: Around): void {
  const object = plain(field(node, 'object') ?? node)
  named(reader, node, object)
  if (node.computed === true && keyText(node) === null) computed(reader, node, around)
  ofPrototype(reader, node, around)
  const binding = object.type === 'Identifier' ? reader.bindingOf(nameOf(object), around) : null
  if (reader.isGlobal(object, around)) ofGlobal(reader, node, around)
  else if (binding?.is === 'imported' && binding.part === null && !/^[./#]/.test(binding.from))
    ofModule(reader, node, { from: binding.from, around })
}

/** Members that give something away by their name, whatever they are asked of. */
function named(reader: ScriptReader, node: Syntax, object: Syntax): void {
  const key = keyText(node)
  if (key === null) return
  const rule = MEMBERS.get(key)
  if (rule !== undefined) reader.add(rule, `.${key}`, node.start)
  if (RUNNER_VARIABLE.test(key)) reader.add('asks for the runner', key, node.start)
  const isGlobalName = GLOBALS.has(key) || LANGUAGE.has(key)
  if (!reader.isModule && object.type === 'ThisExpression' && isGlobalName)
    reader.add('globals', `this.${key}`, node.start)
  const isOwn = key === 'constructor' && object.type === 'ThisExpression'
  const isReflecting = REFLECTING.has(key) && nameOf(object) !== 'Reflect'
  if (isReflecting || ((key === '__proto__' || key === 'constructor') && !isOwn))
    reader.add('reflection', `.${key}`, node.start)
}

function computed(reader: ScriptReader, node: Syntax, around: Around): void {
  const object = plain(field(node, 'object') ?? node)
  const property = field(node, 'property')
  if (property !== null && isPutTogether(property))
    reader.add('computed name', 'a member put together from text', node.start)
  const isKnown = LANGUAGE.has(nameOf(object)) || GLOBALS.has(nameOf(object))
  if (isKnown && reader.isGlobal(object, around))
    reader.add('computed name', `${nameOf(object)}[…]`, node.start)
  else if (keyText(object) === 'prototype' && reader.originOf(object, around) === 'global')
    reader.add('computed name', 'prototype[…]', node.start)
}

function ofPrototype(reader: ScriptReader, node: Syntax, around: Around): void {
  const object = plain(field(node, 'object') ?? node)
  if (keyText(node) !== 'prototype' || !reader.isGlobal(object, around) || !LANGUAGE.has(nameOf(object)))
    return
  const parent = parentOf(around)
  const next = parent === null ? null : parentOf({ ...around, parents: before(around, parent) })
  const isAsked =
    parent?.type === 'MemberExpression' &&
    (ASKED_OF_PROTOTYPES.has(keyText(parent) ?? '') ||
      (next?.type === 'MemberExpression' && /^(call|apply|bind)$/.test(keyText(next) ?? '')))
  if (!isAsked) reader.add('reflection', `${nameOf(object)}.prototype`, node.start)
}

function before({ parents }: Around, parent: Syntax): Syntax[] {
  return parents.slice(0, parents.lastIndexOf(parent))
}

function ofGlobal(reader: ScriptReader, node: Syntax, around: Around): void {
  const name = nameOf(plain(field(node, 'object') ?? node))
  if (name === 'process') ofProcess(reader, node, around)
  else reader.useMember(name, keyText(node), node.start)
}

/** A variable of the environment is told by its name. */
function ofProcess(reader: ScriptReader, node: Syntax, around: Around): void {
  const key = keyText(node)
  const parent = parentOf(around)
  if (key === 'env' && parent?.type === 'MemberExpression')
    reader.add('environment', `process.env.${keyText(parent) ?? '?'}`, node.start)
  else reader.useMember('process', key, node.start)
}

function ofModule(
  reader: ScriptReader,
  node: Syntax,
  { from, around }: { from: string; around: Around },
): void {
  const id = from.replace(/^node:/, '')
  if (id === 'process') ofProcess(reader, node, around)
  else reader.useModule(from, node.start, keyText(node) ?? '?')
}
