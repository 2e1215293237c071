// Calls of the project's own async functions whose result is dropped: nobody waits, and an error is nobody's. Only where
// the function that is meant is certain without types.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'
import { isSyntax, lineAt, nameAround, type Syntax, walk } from '../syntax.ts'

export const floatingPromise: Survey = {
  category: 'error-handling-resilience',
  name: 'floating-promise',
  look,
}

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  const known = new Map<string, ReadonlySet<string>>()
  const asyncOf = (path: string) => {
    const file = code.get(path)
    const names = known.get(path) ?? (file === undefined ? new Set<string>() : asyncNamesIn(file))
    known.set(path, names)
    return names
  }
  const own = [...code.values()].filter(({ path }) => !isTest(path))
  return looked(
    own.flatMap((file) => {
      const floating = floatingIn(file, asyncOf)
      if (floating.length === 0) return []
      return [
        {
          key: `floating-promise:${file.path}`,
          title:
            `${file.path} does not wait for ${floating.length === 1 ? `${floating[0]?.name}` : `${floating.length} calls`}`.slice(
              0,
              300,
            ),
          files: [file.path],
          evidence: floating
            .map(
              ({ line, name, around }) =>
                `${file.path}:${line}${around === null ? '' : ` in ${around}`}: ${name}() is async, and its result is dropped`,
            )
            .join('\n')
            .slice(0, 4_000),
          estimateHours: Math.min(8, 0.5 * floating.length),
          mendable: false,
        },
      ]
    }),
  )
}

interface Floating {
  readonly name: string
  readonly line: number
  readonly around: string | null
}

function floatingIn(file: CodeFile, asyncOf: (path: string) => ReadonlySet<string>): Floating[] {
  const imported = file.names.filter(({ to, name }) => to.is === 'file' && asyncOf(to.path).has(name))
  if (imported.length === 0 && !/\basync\b/.test(file.text)) return []
  const program = file.program
  const bound = boundNames(program)
  const own = [...asyncNamesIn(file)].filter((name) => !file.names.some(({ local }) => local === name))
  // A name that is bound twice may mean either.
  const certain = new Set([
    ...own.filter((name) => bound.get(name) === 1),
    ...imported.map(({ local }) => local).filter((name) => !bound.has(name)),
  ])
  const floating: Floating[] = []
  walk(program, (node, above) => {
    if (node.type !== 'ExpressionStatement' || !isSyntax(node.expression)) return
    const { callee } = node.expression
    if (node.expression.type !== 'CallExpression' || !isSyntax(callee) || callee.type !== 'Identifier') return
    const name = String(callee.name)
    // At the top of a file the process itself ends with the error.
    const isInside = above.some(({ type }) => /Function|MethodDefinition/.test(type))
    if (certain.has(name) && isInside)
      floating.push({ name, line: lineAt(file.text, node.start), around: nameAround(above) })
  })
  return floating
}

/** How often each name is bound in a file: by a declaration, a parameter, a pattern, a catch. Imports do not count. */
function boundNames(program: Syntax): ReadonlyMap<string, number> {
  const bound = new Map<string, number>()
  const bind = (pattern: unknown): void => {
    if (!isSyntax(pattern)) return
    if (pattern.type === 'Identifier')
      bound.set(String(pattern.name), (bound.get(String(pattern.name)) ?? 0) + 1)
    else for (const part of [pattern.left, pattern.argument, pattern.value, pattern.parameter]) bind(part)
    for (const list of [pattern.elements, pattern.properties])
      for (const each of Array.isArray(list) ? list : []) bind(each)
  }
  walk(program, (node) => {
    if (
      node.type === 'VariableDeclarator' ||
      /^(?:Function|Class)(?:Declaration|Expression)$/.test(node.type)
    )
      bind(node.id)
    if (node.type === 'AssignmentExpression') bind(node.left)
    if (node.type === 'CatchClause') bind(node.param)
    for (const each of Array.isArray(node.params) ? node.params : []) bind(each)
  })
  return bound
}

/** Async functions at the top of a file whose errors reach the caller: no `try` holds all that they do. */
function asyncNamesIn(file: CodeFile): ReadonlySet<string> {
  const names = new Set<string>()
  if (!/\basync\b/.test(file.text)) return names
  const { body } = file.program
  for (const statement of Array.isArray(body) ? body.filter(isSyntax) : []) {
    const declared = isSyntax(statement.declaration) ? statement.declaration : statement
    for (const [name, made] of functionsOf(declared)) if (isThrowing(made)) names.add(name)
  }
  return names
}

function functionsOf(declared: Syntax): (readonly [string, Syntax])[] {
  const nameOf = (id: unknown) => (isSyntax(id) && typeof id.name === 'string' ? id.name : '')
  if (declared.type === 'FunctionDeclaration') return [[nameOf(declared.id), declared]]
  if (declared.type !== 'VariableDeclaration' || declared.kind !== 'const') return []
  const all = Array.isArray(declared.declarations) ? declared.declarations.filter(isSyntax) : []
  return all.flatMap(({ id, init }) =>
    isSyntax(init) && /^(?:ArrowFunction|Function)Expression$/.test(init.type)
      ? [[nameOf(id), init] as const]
      : [],
  )
}

function isThrowing({ async: isAsync, generator, body }: Syntax): boolean {
  if (isAsync !== true || generator === true) return false
  const statements = isSyntax(body) && Array.isArray(body.body) ? body.body.filter(isSyntax) : null
  if (statements === null) return true
  return (
    !statements.some((each) => each.type === 'TryStatement' && isSyntax(each.handler)) &&
    statements.length > 0
  )
}
