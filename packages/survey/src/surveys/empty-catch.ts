// Errors that are caught and dropped without a word.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'
import { isSyntax, lineAt, nameAround, type Syntax, walk } from '../syntax.ts'

export const emptyCatch: Survey = { category: 'error-handling-resilience', name: 'empty-catch', look, kin }

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  const own = [...code.values()].filter(({ path }) => !isTest(path))
  return looked(
    own.flatMap((file) => {
      const dropped = droppedIn(file)
      if (dropped.length === 0) return []
      return [
        {
          key: `empty-catch:${file.path}`,
          title: `${file.path} drops errors in ${dropped.length === 1 ? 'one place' : `${dropped.length} places`}`,
          files: [file.path],
          evidence: dropped
            .map(
              ({ line, name }) => `${file.path}:${line}${name === null ? '' : ` in ${name}`}: an empty catch`,
            )
            .join('\n')
            .slice(0, 4_000),
          estimateHours: Math.min(8, 0.5 * dropped.length),
          mendable: false,
        },
      ]
    }),
  )
}

/** Every file with a catch that does nothing, whatever nothing is written as. */
async function kin(project: Project): Promise<readonly string[]> {
  const own = [...(await project.code()).values()].filter(({ path }) => !isTest(path))
  return own.filter(isIdleIn).map(({ path }) => `empty-catch:${path}`)
}

function isIdleIn({ program }: CodeFile): boolean {
  let isIdle = false
  walk(program, (node) => {
    if (node.type === 'CatchClause') isIdle ||= isSyntax(node.body) && isIdleBlock(node.body.body)
    if (node.type !== 'CallExpression' || !isSyntax(node.callee) || !Array.isArray(node.arguments)) return
    const { property } = node.callee
    const [handler] = node.arguments
    if (!isSyntax(property) || property.name !== 'catch' || !isSyntax(handler)) return
    if (handler.type.includes('Function')) isIdle ||= isIdleBody(handler.body)
  })
  return isIdle
}

function isIdleBody(body: unknown): boolean {
  if (!isSyntax(body)) return false
  const statements = body.body ?? body.statements
  return Array.isArray(statements) ? isIdleBlock(statements) : isNothing(body)
}

/** Nothing but what has no effect; without any statement it is for a comment to say why. */
function isIdleBlock(statements: unknown): boolean {
  return (
    Array.isArray(statements) &&
    statements.length > 0 &&
    statements.every(
      (each) => each.type === 'EmptyStatement' || (isSyntax(each.expression) && isNothing(each.expression)),
    )
  )
}

function isNothing({ type, argument }: Syntax): boolean {
  return (
    type === 'Literal' ||
    type === 'Identifier' ||
    (type === 'UnaryExpression' && isSyntax(argument) && isNothing(argument))
  )
}

interface DroppedError {
  readonly line: number
  readonly name: string | null
}

/** A comment in the block says why, and is enough. */
function droppedIn(file: CodeFile): DroppedError[] {
  const dropped: DroppedError[] = []
  const { text, comments } = file
  if (!/\bcatch\b/.test(text)) return dropped
  walk(file.program, (node, above) => {
    const block = isEmptyCatch(node)
    if (block === null) return
    const inside = comments.filter(({ start, end }) => start > block.start && end < block.end)
    if (inside.some(({ value }) => /\p{L}/u.test(value))) return
    dropped.push({ line: lineAt(text, node.start), name: nameAround(above) })
  })
  return dropped
}

type Block = { readonly start: number; readonly end: number }

/** `catch {}`, and `.catch(() => {})`; null: it is something else. */
function isEmptyCatch(node: { readonly type: string; readonly [field: string]: unknown }): Block | null {
  if (node.type === 'CatchClause') return emptyBlock(node.body)
  if (node.type !== 'CallExpression' || !isSyntax(node.callee) || !Array.isArray(node.arguments)) return null
  const { property } = node.callee
  const [handler] = node.arguments
  const isCatch = isSyntax(property) && property.name === 'catch' && node.arguments.length === 1
  return isCatch && isSyntax(handler) && handler.type.includes('Function') ? emptyBlock(handler.body) : null
}

function emptyBlock(body: unknown): Block | null {
  const isEmpty =
    isSyntax(body) && body.type.includes('Block') && Array.isArray(body.body) && body.body.length === 0
  if (isEmpty) return body
  const isFunctionBody =
    isSyntax(body) &&
    body.type === 'FunctionBody' &&
    Array.isArray(body.statements) &&
    body.statements.length === 0
  return isFunctionBody ? body : null
}
