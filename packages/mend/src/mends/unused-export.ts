// An export that nothing uses is taken away with its declaration, if that leaves nothing behind and does nothing when it
// is loaded.

import type { CodeFile } from '@treadle/survey/code-file'
import { isSyntax, type Syntax, walk } from '@treadle/survey/syntax'
import { cannot, type Mend, type Planned } from '../mend.ts'

const SURVEY = 'unused-export'

export const unusedExportMend: Mend = {
  survey: SURVEY,
  plan: async (project, key) => {
    const rest = key.slice(SURVEY.length + 1)
    const at = rest.lastIndexOf(':')
    const [path, name] = [rest.slice(0, at), rest.slice(at + 1)]
    const file = (await project.code()).get(path)
    return file === undefined ? cannot(`${path} cannot be read as code`) : planIn(file, name)
  },
}

function planIn(file: CodeFile, name: string): Planned {
  const statements = bodyOf(file.program)
  const statement = statements.find((each) => exportsName(each, name))
  if (statement === undefined) return cannot(`no statement of ${file.path} exports ${name} by itself`)
  if (!isSyntax(statement.declaration)) return withoutSpecifier(file, { statement, name })
  const why = whyKept(statement.declaration, name)
  if (why !== null) return cannot(`${file.path}: ${why}`)
  const range = withComments(file, statement)
  const left = leftBehind(file, { statements, statement, range })
  if (left.is === 'cannot') return cannot(`${file.path}: ${left.why}`)
  const text = without(file.text, [range, ...left.ranges])
  const what = `took ${name} out of ${file.path}, where nothing used it`
  return { is: 'edits', edits: new Map([[file.path, text]]), what }
}

interface Range {
  readonly start: number
  readonly end: number
}

function bodyOf(program: Syntax): readonly Syntax[] {
  return listOf(program.body)
}

function listOf(value: unknown): Syntax[] {
  return Array.isArray(value) ? value.filter(isSyntax) : []
}

function nameOf(node: unknown): string | null {
  if (!isSyntax(node)) return null
  const name = node.name ?? node.value
  return typeof name === 'string' ? name : null
}

function exportsName(statement: Syntax, name: string): boolean {
  if (statement.type !== 'ExportNamedDeclaration' || isSyntax(statement.source)) return false
  if (isSyntax(statement.declaration)) return declaredBy(statement.declaration).includes(name)
  return listOf(statement.specifiers).some(({ exported }) => nameOf(exported) === name)
}

function declaredBy(declaration: Syntax): string[] {
  const names =
    declaration.type === 'VariableDeclaration'
      ? listOf(declaration.declarations).map(({ id }) => nameOf(id))
      : [nameOf(declaration.id)]
  return names.filter((each) => each !== null)
}

const HARMLESS =
  /^(?:FunctionDeclaration|TSDeclareFunction|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration)$/

/** Why a declaration does more than being there; null: nothing happens when it is loaded. */
function whyKept(declaration: Syntax, name: string): string | null {
  if (HARMLESS.test(declaration.type)) return null
  if (declaration.type === 'ClassDeclaration')
    return isPlainClass(declaration) ? null : `the class ${name} does something when it is loaded`
  if (declaration.type !== 'VariableDeclaration') return `${name} is declared in a way that no program knows`
  const [only, ...others] = listOf(declaration.declarations)
  if (only === undefined || others.length > 0) return `${name} is declared together with others`
  return isPlain(only.init) ? null : `what ${name} is set to may do something when it is loaded`
}

/** Values that come to be without anything being called. */
function isPlain(value: unknown): boolean {
  if (!isSyntax(value)) return value === null || value === undefined
  switch (value.type) {
    case 'Literal':
    case 'Identifier':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true
    case 'TemplateLiteral':
      return listOf(value.expressions).length === 0
    case 'UnaryExpression':
      return value.operator !== 'delete' && isPlain(value.argument)
    case 'ArrayExpression':
      return Array.isArray(value.elements) && value.elements.every(isPlain)
    case 'ObjectExpression':
      return listOf(value.properties).every(
        (each) => each.type === 'Property' && each.computed !== true && isPlain(each.value),
      )
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return isPlain(value.expression)
    default:
      return false
  }
}

function isPlainClass({ superClass, decorators, body }: Syntax): boolean {
  if (isSyntax(superClass) || listOf(decorators).length > 0 || !isSyntax(body)) return false
  return listOf(body.body).every(
    (each) =>
      each.type !== 'StaticBlock' &&
      each.computed !== true &&
      listOf(each.decorators).length === 0 &&
      (each.static !== true || each.type === 'MethodDefinition' || isPlain(each.value)),
  )
}

/** `export { it }`: only the name goes, and the declaration has to be of use without it. */
function withoutSpecifier(file: CodeFile, { statement, name }: { statement: Syntax; name: string }): Planned {
  const specifiers = listOf(statement.specifiers)
  const own = specifiers.find(({ exported }) => nameOf(exported) === name)
  const local = nameOf(own?.local)
  if (own === undefined || local === null) return cannot(`${name} is exported in a way that no program knows`)
  if (countIn(file, local, [own]) < 2) return cannot(`${local} would be left without any use in ${file.path}`)
  const at = specifiers.indexOf(own)
  const [before, next] = [specifiers[at - 1], specifiers[at + 1]]
  let range: Range = statement
  if (before !== undefined) range = { start: before.end, end: own.end }
  else if (next !== undefined) range = { start: own.start, end: next.start }
  const text = without(file.text, [range])
  const what = `${file.path} no longer exports ${name}, which nothing used`
  return { is: 'edits', edits: new Map([[file.path, text]]), what }
}

/** A statement with the comments right above it. */
function withComments({ text, comments }: CodeFile, { start, end }: Range): Range {
  let first = start
  for (const comment of comments.toReversed()) {
    if (comment.end > first) continue
    const between = text.slice(comment.end, first)
    const isAbove = between.trim() === '' && between.split('\n').length === 2
    const isAlone = text.slice(text.lastIndexOf('\n', comment.start) + 1, comment.start).trim() === ''
    if (!isAbove || !isAlone) break
    first = comment.start
  }
  return { start: first, end }
}

type LeftBehind =
  | { readonly is: 'ranges'; readonly ranges: readonly Range[] }
  | { readonly is: 'cannot'; readonly why: string }

interface Taken {
  readonly statements: readonly Syntax[]
  readonly statement: Syntax
  readonly range: Range
}

/** Imports that only the declaration used go with it; anything else that it leaves without a use is for somebody who reads. */
function leftBehind(file: CodeFile, { statements, statement, range }: Taken): LeftBehind {
  const used = wordsIn(statement)
  const isIdle = (name: string) => used.has(name) && countIn(file, name, [range]) < 2
  const ranges: Range[] = []
  for (const each of statements) {
    if (each === statement) continue
    if (each.type === 'ImportDeclaration') {
      const gone = importsLeft(each, isIdle)
      if (gone.is === 'cannot') return gone
      ranges.push(...gone.ranges)
      continue
    }
    const declaration = isSyntax(each.declaration) ? each.declaration : each
    const isExported = each.type.startsWith('Export')
    const idle = declaredBy(declaration).find(isIdle)
    if (idle !== undefined && !isExported)
      return { is: 'cannot', why: `${idle} would be left without any use` }
  }
  return { is: 'ranges', ranges }
}

function importsLeft(statement: Syntax, isIdle: (name: string) => boolean): LeftBehind {
  const specifiers = listOf(statement.specifiers)
  const idle = specifiers.filter(({ local }) => {
    const name = nameOf(local)
    return name !== null && isIdle(name)
  })
  if (idle.length === 0) return { is: 'ranges', ranges: [] }
  if (idle.length === specifiers.length) {
    const source = nameOf(statement.source) ?? ''
    // Whatever else is loaded may do something by being loaded.
    const isSafe = statement.importKind === 'type' || source.startsWith('node:')
    return isSafe
      ? { is: 'ranges', ranges: [statement] }
      : { is: 'cannot', why: `nothing else uses what it imports from ${source}` }
  }
  const ranges: Range[] = []
  for (const each of idle) {
    const at = specifiers.indexOf(each)
    const next = specifiers[at + 1]
    if (
      each.type !== 'ImportSpecifier' ||
      (next === undefined && specifiers[at - 1]?.type !== 'ImportSpecifier')
    )
      return { is: 'cannot', why: `nothing else uses ${nameOf(each.local)}, which it imports` }
    ranges.push(
      next === undefined
        ? { start: specifiers[at - 1]?.end ?? each.start, end: each.end }
        : { start: each.start, end: next.start },
    )
  }
  return ranges.length > 1
    ? { is: 'cannot', why: 'it is the only one to use several imports' }
    : { is: 'ranges', ranges }
}

/** The names that a statement uses. */
function wordsIn(statement: Syntax): ReadonlySet<string> {
  return new Set(namesIn(statement).map(({ name }) => name))
}

interface Named {
  readonly name: string
  readonly start: number
}

/** Every place where a name stands for something; what is only called so in an object is none. */
function namesIn(tree: Syntax): readonly Named[] {
  const names = new Map<number, Named>()
  walk(tree, (node, above) => {
    const name = /Identifier$/.test(node.type) ? nameOf(node) : null
    if (name !== null && !isKey(node, above.at(-1))) names.set(node.start, { name, start: node.start })
  })
  return [...names.values()]
}

function isKey(node: Syntax, parent: Syntax | undefined): boolean {
  if (parent === undefined || parent.computed === true) return false
  if (parent.type === 'MemberExpression') return parent.property === node
  return parent.type === 'Property' && parent.key === node && parent.shorthand !== true
}

/** How often a name stands for something in a file, without some ranges of it. */
function countIn({ program }: CodeFile, name: string, ranges: readonly Range[]): number {
  return namesIn(program).filter(
    (each) => each.name === name && !ranges.some(({ start, end }) => each.start >= start && each.start < end),
  ).length
}

/** A text without some ranges; lines that are left empty go, and so does a second empty line. */
function without(text: string, ranges: readonly Range[]): string {
  let left = text
  for (const { start, end } of ranges.toSorted((a, b) => b.start - a.start))
    left = joined(left.slice(0, start), left.slice(end))
  return left
}

function joined(before: string, behind: string): string {
  const isLineStart = before === '' || before.endsWith('\n')
  const rest = /^[ \t]*;?[ \t]*\r?\n/.exec(behind)
  if (!isLineStart || rest === null) return before + behind
  const next = behind.slice(rest[0].length)
  // One of two empty lines, or the one at an end of the file.
  const isDouble = /(?:^|\n\r?\n)$/.test(before) && /^\r?\n/.test(next)
  if (isDouble) return before + next.replace(/^\r?\n/, '')
  return next === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + next
}
