// The parts of TypeScript that are more than types, written as JavaScript: enums, and parameters that are fields.
import { isSyntax, type Syntax } from '../tree/convert.ts'
import type { Splice } from './splice.ts'

export interface Lowered {
  /** The text with these parts blanked, so that only types are left to take away. */
  readonly text: string
  /** What comes in their place. */
  readonly splices: readonly Splice[]
  /** Names that are exported by it. */
  readonly exports: readonly string[]
}

export function lower(program: unknown, text: string): Lowered {
  const found = new Lowering(text)
  if (isSyntax(program)) found.visit(program, null)
  return { text: found.blanked(), splices: found.splices, exports: found.exports }
}

class Lowering {
  readonly splices: Splice[] = []
  readonly exports: string[] = []
  readonly #text: string
  readonly #blanks: { start: number; end: number }[] = []

  constructor(text: string) {
    this.#text = text
  }

  visit(node: Syntax, parent: Syntax | null): void {
    if (node.type === 'TSEnumDeclaration' && node.declare !== true) {
      this.#enum(node, parent)
      return
    }
    if (node.type === 'MethodDefinition' && node.kind === 'constructor' && isSyntax(node.value))
      this.#fields(node.value)
    for (const value of Object.values(node)) {
      const children = Array.isArray(value) ? value : [value]
      for (const child of children) if (isSyntax(child)) this.visit(child, node)
    }
  }

  blanked(): string {
    let text = this.#text
    for (const { start, end } of this.#blanks)
      text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end)
    return text
  }

  #enum(node: Syntax, parent: Syntax | null): void {
    const name = String((node.id as Syntax).name)
    const isExported = parent?.type === 'ExportNamedDeclaration'
    const { start, end } = isExported ? parent : node
    const body = membersOf(node)
      .map((member) => this.#member(name, member))
      .join('')
    const lines = this.#text.slice(start, end).replace(/[^\n]/g, '')
    const code = `var ${name};(function(${name}){let $last=-1;${body}})(${name}||(${name}={}));${lines}`
    this.#blanks.push({ start, end })
    this.splices.push({ start, end, text: code })
    if (isExported) this.exports.push(`${JSON.stringify(name)}:()=>${name}`)
  }

  /** A member that is a text has no way back. */
  #member(name: string, { id, initializer }: Syntax): string {
    const key = JSON.stringify(String((id as Syntax).name ?? (id as Syntax).value))
    if (!isSyntax(initializer)) return `${name}[${name}[${key}]=++$last]=${key};`
    const value = this.#text.slice(initializer.start, initializer.end)
    // Members before it are known by their bare names.
    const bare = value.replace(
      /(?<![\w$.'"`])([A-Za-z_$][\w$]*)(?![\w$'"`])/g,
      (word) => `(${name}[${JSON.stringify(word)}]??${word})`,
    )
    const written = /^['"`]|^-?[\d.]+$/.test(value) ? value : bare
    return `${name}[${key}]=$last=${written};if(typeof $last!=='string')${name}[$last]=${key};`
  }

  #fields(made: Syntax): void {
    const names: string[] = []
    for (const param of made.params as unknown[]) {
      if (!isSyntax(param) || param.type !== 'TSParameterProperty' || !isSyntax(param.parameter)) continue
      this.#blanks.push({ start: param.start, end: param.parameter.start })
      const target = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter
      names.push(String((target as Syntax).name))
    }
    if (names.length === 0 || !isSyntax(made.body)) return
    const at = afterSuper(made.body)
    this.splices.push({
      start: at,
      end: at,
      text: `;${names.map((name) => `this.${name}=${name};`).join('')}`,
    })
  }
}

/** A class that extends another has no `this` before. */
function afterSuper(body: Syntax): number {
  for (const statement of body.body as unknown[]) {
    if (!isSyntax(statement) || !isSyntax(statement.expression)) continue
    const { callee } = statement.expression
    if (isSyntax(callee) && callee.type === 'Super') return statement.end
  }
  return body.start + 1
}

function membersOf(node: Syntax): Syntax[] {
  const members = isSyntax(node.body) ? node.body.members : node.members
  return Array.isArray(members) ? members.filter(isSyntax) : []
}
