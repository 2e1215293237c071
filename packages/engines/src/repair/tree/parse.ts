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
  /** Every annotation, by the place of the name that carries it. */
  readonly annotations: ReadonlyMap<number, string>
  /** What the fast path cannot render, in words; null if nothing. */
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
  const { members, obstacle } = facts
  return {
    is: 'parsed',
    file: { tree, program, module: result.module, members, annotations: facts.annotations, obstacle },
  }
}

const OBSTACLES: Readonly<Record<string, string>> = {
  JSXElement: 'JSX',
  JSXFragment: 'JSX',
  Decorator: 'decorators',
  TSEnumDeclaration: 'an enum',
  TSParameterProperty: 'parameter properties',
  TSImportEqualsDeclaration: 'import =',
  TSExportAssignment: 'export =',
}

class Facts {
  readonly members = new Map<string, string[]>()
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
    if (node.type === 'Identifier' && isSyntax(node.typeAnnotation)) {
      const { start, end } = node.typeAnnotation
      this.annotations.set(node.start, this.#text.slice(start, end).replace(/^:\s*/, ''))
    }
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') this.#type(node)
  }

  #type(node: Syntax): void {
    const holder = (node.body ?? node.typeAnnotation) as Syntax
    const list = (holder.body ?? holder.members) as unknown
    if (!Array.isArray(list)) return
    const keys = list.flatMap((member) =>
      isSyntax(member) && isSyntax(member.key) ? [String(member.key.name)] : [],
    )
    const name = (node.id as Syntax).name as string
    this.members.set(name, keys)
  }
}
