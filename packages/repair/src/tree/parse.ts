// Reads one JavaScript or TypeScript file into the small tree.
import { type ParseResult, parseSync } from 'oxc-parser'
import { convert, isSyntax, type Syntax } from './convert.ts'
import { type Annotations, declareImports, declareNames } from './declare.ts'
import type { Node } from './node.ts'

export interface Parsed {
  readonly tree: Node
  readonly program: Syntax
  readonly module: ParseResult['module']
  /** Members by the name of the interface or type that declares them. */
  readonly members: ReadonlyMap<string, readonly string[]>
  /** The same with the text of each member's type; classes have their fields and getters. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The types that functions are said to return, by the place where each begins. */
  readonly returns: ReadonlyMap<number, string>
  /** The annotations of patterns, by the place of the pattern. */
  readonly patterns: ReadonlyMap<number, string>
  /** The annotations of fields, by the place of the field. */
  readonly fields: ReadonlyMap<number, string>
  /** Texts that stand in types as literals, with their quotes: those of a union together. */
  readonly words: readonly (readonly string[])[]
  /** Every annotation, by the place of the name that carries it. */
  readonly annotations: ReadonlyMap<number, string>
  /** The obstacle that the fast path cannot render, in words; null if nothing. */
  readonly obstacle: string | null
}

export type ParseOutcome =
  | { readonly is: 'parsed'; readonly file: Parsed }
  | { readonly is: 'faulty'; readonly why: string }

export function parseSource(path: string, text: string): ParseOutcome {
  const result = parseSync(path, text, { preserveParens: true })
  const fault = result.errors.find((error) => error.severity === 'Error')
  if (fault !== undefined) return { is: 'faulty', why: fault.message }
  const program = result.program as unknown as Syntax
  const facts = new Facts(text)
  facts.visit(program)
  const tree = convert(program, 'statement', null)
  // The parser's range leaves out what stands before the first statement.
  tree.start = 0
  tree.end = text.length
  const annotations: Annotations = { at: facts.annotations }
  declareNames(tree, annotations)
  declareImports(tree, program)
  const { types, returns, patterns, fields, words, obstacle } = facts
  const members = new Map(
    [...types].filter(([name]) => !facts.classes.has(name)).map(([name, found]) => [name, [...found.keys()]]),
  )
  const known = { members, types, returns, patterns, fields, words, annotations: facts.annotations, obstacle }
  return { is: 'parsed', file: { tree, program, module: result.module, ...known } }
}

const OBSTACLES: Readonly<Record<string, string>> = {
  JSXElement: 'JSX',
  JSXFragment: 'JSX',
  Decorator: 'decorators',
  TSImportEqualsDeclaration: 'import =',
  TSExportAssignment: 'export =',
}

class Facts {
  readonly types = new Map<string, Map<string, string>>()
  readonly classes = new Set<string>()
  readonly returns = new Map<number, string>()
  readonly patterns = new Map<number, string>()
  readonly fields = new Map<number, string>()
  readonly words: string[][] = []
  readonly annotations = new Map<number, string>()
  obstacle: string | null = null
  readonly #text: string
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  visit(node: Syntax): void {
    this.#look(node)
    const opens = node.type.includes('Function') || node.type === 'PropertyDefinition'
    if (opens) this.#depth += 1
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const child of value) this.#enter(child)
      else this.#enter(value)
    }
    if (opens) this.#depth -= 1
  }

  #enter(value: unknown): void {
    if (isSyntax(value)) this.visit(value)
  }

  #look(node: Syntax): void {
    const obstacle = Object.hasOwn(OBSTACLES, node.type) ? OBSTACLES[node.type] : undefined
    if (obstacle !== undefined && node.declare !== true) this.obstacle ??= obstacle
    if (node.type === 'TSModuleDeclaration' && node.declare !== true) this.obstacle ??= 'a namespace'
    if (node.type === 'AwaitExpression' && this.#depth === 0) this.obstacle ??= 'await at the top of a module'
    if (isSyntax(node.typeAnnotation)) this.#annotation(node, node.typeAnnotation)
    if (isSyntax(node.returnType)) this.returns.set(node.start, this.#typeText(node.returnType))
    if (node.type === 'TSUnionType') this.words.push((node.types as Syntax[]).flatMap(wordOf))
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') this.#type(node)
    if (node.type === 'ClassDeclaration' && isSyntax(node.id)) this.#class(node, String(node.id.name))
  }

  #annotation({ type, start }: Syntax, annotation: Syntax): void {
    const text = this.#typeText(annotation)
    if (type === 'Identifier') this.annotations.set(start, text)
    if (type === 'ObjectPattern') this.patterns.set(start, text)
    if (type === 'PropertyDefinition') this.fields.set(start, text)
    this.words.push(wordOf(annotation))
  }

  #typeText({ start, end }: Syntax): string {
    return this.#text.slice(start, end).replace(/^:\s*/, '')
  }

  #type(node: Syntax): void {
    const found = new Map<string, string>()
    for (const member of membersOf((node.body ?? node.typeAnnotation) as Syntax)) {
      if (!isSyntax(member.key)) continue
      const type = isSyntax(member.typeAnnotation) ? this.#typeText(member.typeAnnotation) : ''
      const text = member.optional === true ? `${type} | undefined` : type
      found.set(String(member.key.name ?? member.key.value), text)
    }
    if (found.size > 0) this.types.set((node.id as Syntax).name as string, found)
  }

  #class(node: Syntax, name: string): void {
    const members = (node.body as Syntax).body as Syntax[]
    const found = members.flatMap((member) => {
      const key = isSyntax(member.key) && member.key.type === 'Identifier' ? String(member.key.name) : null
      const type = this.#fieldType(member)
      return key === null || type === null ? [] : [[key, type] as const]
    })
    this.classes.add(name)
    this.types.set(name, new Map(found))
  }

  /** The type of a member; null for what is no field and no getter. */
  #fieldType(member: Syntax): string | null {
    const getter = member.kind === 'get' && isSyntax(member.value) ? member.value.returnType : null
    if (member.type !== 'PropertyDefinition' && getter === null) return null
    const type = getter ?? member.typeAnnotation
    return isSyntax(type) ? this.#typeText(type) : ''
  }
}

function wordOf(type: Syntax): string[] {
  const literal = type.type === 'TSLiteralType' && isSyntax(type.literal) ? type.literal : null
  return typeof literal?.value === 'string' ? [String(literal.raw)] : []
}

/** The members of an object type; of a union, those of all its alternatives. */
function membersOf(type: Syntax): Syntax[] {
  const list = (type.body ?? type.members) as unknown
  if (Array.isArray(list)) return list.filter(isSyntax)
  const alternatives = Array.isArray(type.types) ? type.types.filter(isSyntax) : []
  return alternatives.flatMap(membersOf)
}
