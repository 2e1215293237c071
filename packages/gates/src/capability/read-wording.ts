// Texts in a script that name the runner of its tests, or what is reached by a name.
import { field, nameOf, type Syntax } from '../integrity/source.ts'
import { type Around, parentOf, type ScriptReader } from './script-reader.ts'
import { keyText, plain } from './script-syntax.ts'
import { RUNNER_VARIABLE, RUNNER_WORD } from './script-tables.ts'

const reaching =
  /^(constructor|__proto__|stack|callee|caller|prepareStackTrace|captureStackTrace|getBuiltinModule|globalThis|asymmetricMatch)$/

export function readWording(reader: ScriptReader, node: Syntax, around: Around): void {
  const pattern = (node.regex as { pattern?: string } | undefined)?.pattern
  const text = pattern ?? wordsOf(node)
  const parent = parentOf(around)
  if (text === null || parent === null) return
  if (/^(Import|Export|TSExternal|JSXAttr)/.test(parent.type) || parent.type === 'ExpressionStatement') return
  if (RUNNER_VARIABLE.test(text) && text !== 'vitest') reader.add('asks for the runner', text, node.start)
  const isKey = /^(Property|MemberExpression|BinaryExpression|MethodDefinition|PropertyDefinition)$/
  if (reaching.test(text) && !isKey.test(parent.type)) reader.add('computed name', `'${text}'`, node.start)
  if (!RUNNER_WORD.test(text) || isRequired(parent)) return
  const looks = pattern !== undefined || isComparing(parent)
  reader.add('test runner', `${looks ? 'looks for' : 'names'} ${text.slice(0, 40)}`, node.start)
}

function wordsOf({ value }: Syntax): string | null {
  if (typeof value === 'string') return value
  const raw = (value as { raw?: unknown } | null | undefined)?.raw
  return typeof raw === 'string' ? raw : null
}

function isRequired(parent: Syntax): boolean {
  return parent.type === 'CallExpression' && nameOf(field(parent, 'callee')) === 'require'
}

const comparing =
  /^(includes|indexOf|lastIndexOf|startsWith|endsWith|match|matchAll|search|test|exec|has|get|split|some|find|hasOwn|hasOwnProperty)$/

function isComparing(parent: Syntax): boolean {
  if (parent.type === 'BinaryExpression') return /^([!=]==?|in)$/.test(String(parent.operator))
  if (parent.type === 'ArrayExpression' || parent.type === 'SwitchCase') return true
  const callee = parent.type === 'CallExpression' ? field(parent, 'callee') : null
  return callee !== null && comparing.test(keyText(plain(callee)) ?? '')
}
