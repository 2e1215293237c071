// What a JavaScript or TypeScript file offers to others, and whether a comment says what it is.
import { parseSync } from 'oxc-parser'
import { field, list, nameOf, type Syntax } from '../integrity/source.ts'

export interface PublicName {
  readonly name: string
  readonly kind: 'function' | 'class' | 'type'
  readonly line: number
  readonly documented: boolean
}

interface Comment {
  readonly type: string
  readonly value: string
  readonly start: number
  readonly end: number
}

interface File {
  readonly text: string
  readonly comments: readonly Comment[]
  /** What is declared at the top, by name; several where a function has overloads. */
  readonly declared: ReadonlyMap<string, readonly Declared[]>
}

interface Declared {
  readonly kind: PublicName['kind']
  /** The statement: what a comment stands before. */
  readonly at: Syntax
}

/** Functions, classes and types; plain values and what is only handed on are left out. Null: it cannot be parsed. */
export function publicNames(path: string, text: string): PublicName[] | null {
  const parsed = parseSync(path, text)
  if (parsed.errors.some(({ severity }) => severity === 'Error')) return null
  const body = list(parsed.program as unknown as Syntax, 'body')
  const file: File = { text, comments: parsed.comments, declared: declaredIn(body) }
  const found = body.flatMap((statement) => exportedBy(statement, file))
  const byName = Map.groupBy(found, ({ name }) => name)
  // An overload that is documented speaks for all.
  return [...byName.values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, documented: same.some(({ documented }) => documented) }]
  })
}

function declaredIn(body: readonly Syntax[]): Map<string, Declared[]> {
  const declared = new Map<string, Declared[]>()
  for (const at of body) {
    const statement = at.type.startsWith('Export') ? (field(at, 'declaration') ?? at) : at
    for (const [name, kind] of namesOf(statement)) {
      declared.set(name, [...(declared.get(name) ?? []), { kind, at }])
    }
  }
  return declared
}

function namesOf(node: Syntax): [string, PublicName['kind']][] {
  if (node.type === 'VariableDeclaration') {
    return list(node, 'declarations').flatMap((each): [string, PublicName['kind']][] => {
      const kind = kindOfValue(field(each, 'init'))
      return kind === null ? [] : [[nameOf(field(each, 'id')), kind]]
    })
  }
  const kind = kindOf(node)
  return kind === null ? [] : [[nameOf(field(node, 'id')), kind]]
}

function kindOf({ type }: Syntax): PublicName['kind'] | null {
  switch (type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return 'function'
    case 'ClassDeclaration':
      return 'class'
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return 'type'
    default:
      return null
  }
}

function kindOfValue(node: Syntax | null): PublicName['kind'] | null {
  switch (node?.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'function'
    case 'ClassExpression':
      return 'class'
    default:
      return null
  }
}

function exportedBy(statement: Syntax, file: File): PublicName[] {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      return named(statement, file)
    case 'ExportDefaultDeclaration':
      return byDefault(statement, file)
    case 'ExpressionStatement':
      return assigned(field(statement, 'expression'), statement, file)
    default:
      return []
  }
}

function named(statement: Syntax, file: File): PublicName[] {
  if (field(statement, 'source') !== null) return []
  const declaration = field(statement, 'declaration')
  if (declaration !== null)
    return namesOf(declaration).map(([name, kind]) => made(file, name, { kind, at: statement }))
  return list(statement, 'specifiers').flatMap((each) => {
    const exported = field(each, 'exported')
    const name = nameOf(exported) || String(exported?.value ?? '')
    return local(file, nameOf(field(each, 'local')), name)
  })
}

function byDefault(statement: Syntax, file: File): PublicName[] {
  const declaration = field(statement, 'declaration')
  if (declaration === null) return []
  if (declaration.type === 'Identifier') return local(file, nameOf(declaration), 'default')
  const kind = kindOf(declaration) ?? kindOfValue(declaration)
  return kind === null ? [] : [made(file, 'default', { kind, at: statement })]
}

/** `exports.a = …`, `module.exports.a = …`, `module.exports = { a }`. */
function assigned(expression: Syntax | null, statement: Syntax, file: File): PublicName[] {
  if (expression?.type !== 'AssignmentExpression') return []
  const [left, right] = [field(expression, 'left'), field(expression, 'right')]
  if (left === null || right === null) return []
  const target = file.text.slice(left.start, left.end)
  const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1]
  if (name !== undefined) return fromValue(file, name, { value: right, at: statement })
  if (target !== 'module.exports') return []
  if (right.type !== 'ObjectExpression') return fromValue(file, 'default', { value: right, at: statement })
  return list(right, 'properties').flatMap((property) => {
    const value = field(property, 'value')
    const key = nameOf(field(property, 'key'))
    return value === null || key === '' ? [] : fromValue(file, key, { value, at: property })
  })
}

function fromValue(file: File, name: string, { value, at }: { value: Syntax; at: Syntax }): PublicName[] {
  if (value.type === 'Identifier') return local(file, nameOf(value), name)
  const kind = kindOfValue(value)
  return kind === null ? [] : [made(file, name, { kind, at })]
}

function local(file: File, name: string, exported: string): PublicName[] {
  return (file.declared.get(name) ?? []).map((declared) => made(file, exported, declared))
}

function made(file: File, name: string, { kind, at }: Declared): PublicName {
  const line = file.text.slice(0, at.start).split('\n').length
  return { name, kind, line, documented: isDocumented(file, at) }
}

const statementWord = /;|\b(?:function|class|const|let|var|import|export|interface|type|enum|return)\b/

/** A comment of `/**` that says something stands right before it; decorators may lie between. */
function isDocumented({ text, comments }: File, { start }: Syntax): boolean {
  const comment = comments.findLast(
    ({ end, type, value }) => end <= start && type === 'Block' && value.startsWith('*'),
  )
  if (comment === undefined || !/[\p{L}\d]/u.test(comment.value)) return false
  const between = comments
    .filter((each) => each.start >= comment.end && each.end <= start)
    .reduceRight(
      (rest, each) => {
        const [from, to] = [each.start - comment.end, each.end - comment.end]
        return rest.slice(0, from) + rest.slice(to)
      },
      text.slice(comment.end, start),
    )
  const rest = between.trim()
  return rest === '' || (rest.startsWith('@') && !statementWord.test(rest))
}
