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
  /** An address of a process or a thread of its own, which only its own start loads. */
  readonly isAddress: boolean
  /** Everything that it has is handed on, or may be asked for without its name. */
  readonly isWhole: boolean
}

interface ComputedLoad {
  /** How the name begins; null: nobody can say. */
  readonly head: string | null
  /** What the name is made of, as it is written. */
  readonly words: string
}

export interface CodeFile {
  readonly path: string
  readonly text: string
  /** Its tree, made anew whenever it is asked for: of a large repository not all fit into memory. */
  readonly program: Syntax
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
  readonly imports: readonly Import[]
  /** What it imports by name, and what it calls it. */
  readonly names: readonly { readonly local: string; readonly name: string; readonly to: Resolved }[]
  /** What it exports by name, without what it only hands on. */
  readonly exported: readonly string[]
  /** Loads by a name that it computes. */
  readonly computed: readonly ComputedLoad[]
}

/** Null: it cannot be parsed. */
export function readCode(
  path: string,
  text: string,
  resolve: (specifier: string) => Resolved,
): CodeFile | null {
  if (isTooDeep(text)) return null
  const parsed = parseSync(path, text)
  const { module, comments, errors } = parsed
  if (errors.some(({ severity }) => severity === 'Error')) return null
  const dynamic = dynamicIn(module, text)
  const required = MAY_LOAD.test(text) ? requiredIn(parsed.program as unknown as Syntax, text) : NOTHING
  const isWhole = ALL_MEMBERS.test(text)
  const called = [...dynamic.specifiers, ...required.specifiers].map((specifier) =>
    wanted(specifier, { isWhole }),
  )
  const started = required.addresses.map((address) => wanted(address, { isAddress: true, isWhole: true }))
  return {
    path,
    text,
    get program() {
      return parseSync(path, text).program as unknown as Syntax
    },
    comments,
    imports: [...staticIn(module, text), ...called, ...started].map((each) => ({
      ...each,
      to: resolve(each.specifier),
    })),
    names: module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.flatMap(({ importName, localName, isType }) =>
        isType || importName.name === null
          ? []
          : [{ local: localName.value, name: importName.name, to: resolve(moduleRequest.value) }],
      ),
    ),
    exported: module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, exportName }) =>
        moduleRequest === null && exportName.name !== null ? [exportName.name] : [],
      ),
    computed: [...dynamic.computed, ...required.computed],
  }
}

type Wanted = Omit<Import, 'to'>

function wanted(specifier: string, more: Partial<Wanted>): Wanted {
  return { specifier, isType: false, isWhole: false, isAddress: false, ...more }
}

/** Calls that ask an object for all that it has. */
const ALL_MEMBERS = /\bObject\.(?:keys|values|entries|assign)\b|\.\.\.\s*(?:await\s+import|require)\b/

function staticIn({ staticImports, staticExports }: ParseResult['module'], text: string): Wanted[] {
  const imports = staticImports.map(({ moduleRequest, entries }) =>
    wanted(moduleRequest.value, {
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
      isWhole: entries.some(
        ({ importName, localName }) =>
          importName.kind === 'NamespaceObject' && isUsedAsObject(localName.value, text),
      ),
    }),
  )
  const exports = staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType, importName }) =>
      moduleRequest === null
        ? []
        : [wanted(moduleRequest.value, { isType, isWhole: importName.kind.startsWith('All') })],
    )
  return [...imports, ...exports]
}

/** A namespace that is used in another way than `name.member`, besides where it is imported. */
function isUsedAsObject(name: string, text: string): boolean {
  const alone = new RegExp(
    String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}(?![\w$])(?!\s*\.\s*[A-Za-z_$])`,
    'g',
  )
  return (text.match(alone)?.length ?? 0) > 1
}

interface Called {
  readonly specifiers: readonly string[]
  readonly computed: readonly ComputedLoad[]
}

const LITERAL = /^(['"`])([^'"`$\n]+)\1$/
/** How a name begins that goes on with something computed: `./pages/${name}`, './pages/' + name. */
const HEAD = /^(?:`([^`$\n]+)\$\{|(['"])([^'"\n]+)\2\s*\+)/

function dynamicIn({ dynamicImports }: ParseResult['module'], text: string): Called {
  return calledWith(
    dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end)),
  )
}

/** Calls that load what their first argument names: `require`, and the mocks of test runners. */
const LOADS = /^(?:require|require\.resolve|(?:vi|jest)\.(?:mock|doMock|importActual|requireActual))$/
const PATTERNS = /^(?:import\.meta\.glob(?:Eager)?|require\.context)$/
/** Without any of these words nothing of that kind can be there, and the tree need not be looked at. */
const MAY_LOAD = /\brequire\b|import\.meta|\.(?:mock|doMock|importActual|requireActual)\b/
/** Files that become a process or a thread of their own: `new URL('./worker.ts', import.meta.url)`. */
const NEW_URL = /^new\s+URL\(\s*(['"`])([^'"`$\n]+)\1\s*,\s*import\.meta\.url\s*\)$/

interface Required extends Called {
  readonly addresses: readonly string[]
}

const NOTHING: Required = { specifiers: [], computed: [], addresses: [] }

function requiredIn(program: Syntax, text: string): Required {
  const isOwnRequire = /\bfunction\s+require\s*\(/.test(text)
  const wordsOf = (node: unknown) => (isSyntax(node) ? text.slice(node.start, node.end) : '')
  const calls: Syntax[] = []
  const addresses: string[] = []
  walk(program, (node) => {
    if (node.type === 'CallExpression') calls.push(node)
    const [, , address] = node.type === 'NewExpression' ? (NEW_URL.exec(wordsOf(node)) ?? []) : []
    if (address !== undefined && !/^[a-z]+:/.test(address))
      addresses.push(/^\.{0,2}\//.test(address) ? address : `./${address}`)
  })
  const argumentsOf = (names: RegExp) =>
    calls
      .filter(({ callee }) => names.test(wordsOf(callee)) && !(isOwnRequire && wordsOf(callee) === 'require'))
      .map((call) => wordsOf(Array.isArray(call.arguments) ? call.arguments[0] : null))
  const called = calledWith(argumentsOf(LOADS))
  const patterns = argumentsOf(PATTERNS).flatMap(headsOfPatterns)
  return {
    addresses,
    specifiers: called.specifiers,
    computed: [
      ...called.computed,
      ...patterns.map((head) => ({ head: head === '' ? null : head, words: '' })),
    ],
  }
}

/** What comes before the first sign of a pattern; empty: nobody can say. */
function headsOfPatterns(words: string): string[] {
  const literals = [...words.matchAll(/(['"`])([^'"`\n]+)\1/g)].map(([, , literal = '']) => literal)
  const heads = literals
    .filter((each) => !each.startsWith('!'))
    .map((each) => each.replace(/(?:\$\{|[*?{[(!]).*$/s, ''))
  return heads.length === 0 ? [''] : heads
}

function calledWith(words: readonly string[]): Called {
  const specifiers: string[] = []
  const computed: ComputedLoad[] = []
  for (const word of words.map((each) => each.trim())) {
    const literal = LITERAL.exec(word)?.[2]
    if (literal !== undefined) specifiers.push(literal)
    else computed.push({ head: HEAD.exec(word)?.[1] ?? HEAD.exec(word)?.[3] ?? null, words: word })
  }
  return { specifiers, computed }
}
