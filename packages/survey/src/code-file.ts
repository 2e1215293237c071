// One file of JavaScript or TypeScript: its tree, and what it imports and exports.
import { isTooDeep } from '@treadle/gates/integrity/source'
import { type ParseResult, parseSync } from 'oxc-parser'
import type { Resolved } from './resolve-import.ts'
import { isSyntax, type Syntax, walk } from './syntax.ts'

interface Import {
  readonly specifier: string
  readonly to: Resolved
  /** Types only: nothing of it is there when it runs. */
  readonly isType: boolean
  /** Everything that it has is handed on. */
  readonly isWhole: boolean
}

export interface CodeFile {
  readonly path: string
  readonly text: string
  readonly program: Syntax
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
  readonly imports: readonly Import[]
  /** What it exports by name, without what it only hands on. */
  readonly exported: readonly string[]
  /** Why it may load more than its imports say; null: it does not. */
  readonly unclear: string | null
}

/** Null: it cannot be parsed. */
export function readCode(
  path: string,
  text: string,
  resolve: (specifier: string) => Resolved,
): CodeFile | null {
  if (isTooDeep(text)) return null
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors.some(({ severity }) => severity === 'Error')) return null
  const dynamic = dynamicIn(module, text)
  const required = requiredIn(program as unknown as Syntax, text)
  const called = [...dynamic.specifiers, ...required.specifiers].map((specifier) => ({
    specifier,
    isType: false,
    isWhole: false,
  }))
  return {
    path,
    text,
    program: program as unknown as Syntax,
    comments,
    imports: [...staticIn(module), ...called].map((each) => ({ ...each, to: resolve(each.specifier) })),
    exported: module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, exportName }) =>
        moduleRequest === null && exportName.name !== null ? [exportName.name] : [],
      ),
    unclear: dynamic.unclear ?? required.unclear,
  }
}

type Wanted = Omit<Import, 'to'>

function staticIn({ staticImports, staticExports }: ParseResult['module']): Wanted[] {
  const imports = staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
    isWhole: false,
  }))
  const exports = staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType, importName }) =>
      moduleRequest === null
        ? []
        : [{ specifier: moduleRequest.value, isType, isWhole: importName.kind.startsWith('All') }],
    )
  return [...imports, ...exports]
}

interface Called {
  readonly specifiers: readonly string[]
  readonly unclear: string | null
}

const LITERAL = /^(['"`])([^'"`$\n]+)\1$/

function dynamicIn({ dynamicImports }: ParseResult['module'], text: string): Called {
  const words = dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  return calledWith(words, 'imports what it computes')
}

/** Calls that load what their first argument names: `require`, and the mocks of test runners. */
const LOADS = /^(?:require|require\.resolve|(?:vi|jest)\.(?:mock|doMock|importActual|requireActual))$/

function requiredIn(program: Syntax, text: string): Called {
  const words: string[] = []
  let isPattern = false
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || !isSyntax(node.callee)) return
    const callee = text.slice(node.callee.start, node.callee.end)
    if (callee === 'import.meta.glob' || callee === 'require.context') isPattern = true
    const [first] = Array.isArray(node.arguments) ? node.arguments : []
    if (LOADS.test(callee)) words.push(isSyntax(first) ? text.slice(first.start, first.end) : '')
  })
  const called = calledWith(words, 'requires what it computes')
  return isPattern ? { ...called, unclear: 'imports by a pattern' } : called
}

function calledWith(words: readonly string[], otherwise: string): Called {
  const specifiers = words.map((word) => LITERAL.exec(word.trim())?.[2])
  return {
    specifiers: specifiers.filter((each) => each !== undefined),
    unclear: specifiers.includes(undefined) ? otherwise : null,
  }
}
