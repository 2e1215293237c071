// Whether two texts are the same program once layout, comments, quotes, brackets and types are set aside.
import { parseSource } from '@treadle/repair/tree/parse'

type Tree = Readonly<Record<string, unknown>>

/** A text to compare by; null if it cannot be parsed. */
export function programOf(path: string, text: string): string | null {
  const parsed = parseSource(path, text)
  if (parsed.is === 'faulty') return null
  return JSON.stringify(normal(parsed.file.program))
}

const LEFT_OUT = new Set([
  'start',
  'end',
  'range',
  'loc',
  'raw',
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'superTypeParameters',
  'hashbang',
])
const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
])
const WITHOUT_EFFECT = new Set(['EmptyStatement', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'])
// Names declared in a block end with it.
const DECLARING = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'])

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isWithoutEffect(item)).map(normal)
  if (typeof value === 'bigint' || value instanceof RegExp) return String(value)
  if (typeof value !== 'object' || value === null) return value
  const tree = value as Tree
  if (typeof tree.type === 'string' && WRAPPERS.has(tree.type)) return normal(tree.expression)
  const only = onlyStatement(tree)
  if (only !== null) return normal(only)
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, child]) => [key, normal(child)]),
  )
}

function isWithoutEffect(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { type, importKind } = item as Tree
  return WITHOUT_EFFECT.has(String(type)) || (type === 'ImportDeclaration' && importKind === 'type')
}

function onlyStatement(tree: Tree): Tree | null {
  if (tree.type !== 'BlockStatement' || !Array.isArray(tree.body)) return null
  const body = tree.body.filter((item) => !isWithoutEffect(item)) as Tree[]
  const [only] = body
  return body.length === 1 && only !== undefined && !DECLARING.has(String(only.type)) ? only : null
}
