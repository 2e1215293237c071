// Code under test that takes the words of the tests out of their hands: an assertion overwritten, an exit code set.
// Only what is plain to see: not what is built from strings, reached through other objects or other packages, nor
// values that equal everything. For those there are the check by mutations and whoever reviews the change.
import { chainOf } from './assertions.ts'
import type { Finding } from './finding.ts'
import {
  bare,
  childrenOf,
  field,
  isFunction,
  lineOf,
  list,
  nameOf,
  type Source,
  type Syntax,
} from './source.ts'

const library =
  /^(node:)?(assert|test)(\/strict)?$|^(chai|expect|vitest|@jest\/globals|@jest\/expect|@vitest\/expect|tape|ava|mocha|tap|uvu|uvu\/assert|should|power-assert|@playwright\/test)$/
const words = /^(expect|assert|should|chai|it|test|describe|suite|vi|jest|beforeEach|afterEach)$/
const globals = /^(globalThis|global|window|self)$/

interface Known {
  /** Local names of what comes from the libraries of tests. */
  readonly judges: ReadonlySet<string>
  /** What the file itself declares is its own. */
  readonly own: ReadonlySet<string>
}

interface Disarm {
  readonly key: string
  readonly line: number
  readonly what: string
}

/** Only what the change brought in. */
export function newSourceDisarms(before: Source | null, after: Source): Finding[] {
  const left = new Map<string, number>()
  for (const { key } of before === null ? [] : disarmsIn(before)) left.set(key, (left.get(key) ?? 0) + 1)
  return disarmsIn(after).flatMap(({ key, line, what }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count > 0 ? [] : [{ file: after.path, line, what, blocks: true }]
  })
}

function disarmsIn(source: Source): Disarm[] {
  const known = knownIn(source)
  const found: Disarm[] = []
  const visit = (node: Syntax, at: At): void => {
    const what = judge(source, node, at)
    if (what !== null)
      found.push({ key: source.text.slice(node.start, node.end), line: lineOf(source, node), what })
    const own = isFunction(node) ? new Set([...at.known.own, ...boundIn(node, true)]) : null
    const inner = own === null ? at : { known: { ...known, own }, inside: true }
    for (const child of childrenOf(node)) visit(child, inner)
  }
  visit(source.program, { known, inside: false })
  return found
}

function knownIn(source: Source): Known {
  const judges = new Set<string>()
  const imports = new Set<string>()
  for (const node of list(source.program, 'body')) {
    const from = node.type === 'ImportDeclaration' ? field(node, 'source')?.value : undefined
    for (const each of list(node, 'specifiers')) {
      imports.add(nameOf(field(each, 'local')))
      if (typeof from === 'string' && library.test(from)) judges.add(nameOf(field(each, 'local')))
    }
  }
  for (const name of requiredIn(source.program)) judges.add(name)
  return { judges, own: new Set([...imports, ...boundIn(source.program, false)]) }
}

function requiredIn(node: Syntax): string[] {
  const [id, value] = node.type === 'VariableDeclarator' ? [field(node, 'id'), field(node, 'init')] : []
  if (id && value && isRequired(value)) return identifiersIn(id)
  return childrenOf(node).flatMap(requiredIn)
}

/** Names that are declared in it: parameters, variables, functions. */
function boundIn(node: Syntax, deep: boolean): string[] {
  const patterns = [
    ...(isFunction(node) ? list(node, 'params') : []),
    ...(/^(VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node.type)
      ? [field(node, 'id')]
      : []),
    ...(node.type === 'CatchClause' ? [field(node, 'param')] : []),
  ]
  const inner = childrenOf(node).flatMap((child) =>
    isFunction(child) && !deep ? [nameOf(field(child, 'id'))] : boundIn(child, deep),
  )
  return [...patterns.flatMap((each) => (each === null ? [] : identifiersIn(each))), ...inner]
}

function identifiersIn(node: Syntax): string[] {
  return node.type === 'Identifier' ? [nameOf(node)] : childrenOf(node).flatMap(identifiersIn)
}

/** `require('node:assert')`, and what is taken from it. */
function isRequired(given: Syntax): boolean {
  const { root, args } = chainOf(given)
  const [first] = args ?? []
  return root === 'require' && typeof first?.value === 'string' && library.test(first.value)
}

/** Something that judges tests: from their libraries, or a global that the file does not declare. */
function isJudge(given: Syntax, { judges, own }: Known): boolean {
  const { root, links } = chainOf(given)
  if (judges.has(root) || isRequired(given)) return true
  if (globals.test(root) && !own.has(root)) return words.test(links[0]?.name ?? '')
  return words.test(root) && !own.has(root)
}

interface At {
  readonly known: Known
  readonly inside: boolean
}

function judge(source: Source, node: Syntax, at: At): string | null {
  if (node.type === 'AssignmentExpression') return assigned(source, node, at.known)
  return node.type === 'CallExpression' ? called(source, node, at) : null
}

function textOf({ text }: Source, { start, end }: Syntax): string {
  return text.slice(start, end).replace(/\s+/g, ' ').slice(0, 100)
}

const exits = /^process\.(exit|reallyExit|abort|kill|emit)$/

function assigned(source: Source, node: Syntax, known: Known): string | null {
  const left = field(node, 'left')
  const right = field(node, 'right')
  if (left === null || right === null || bare(left).type !== 'MemberExpression') return null
  const target = textOf(source, left)
  if (isJudge(left, known)) return `${target} is overwritten, which judges the tests`
  const { root, links } = chainOf(left)
  const name = [root, ...links.map((link) => link.name)].join('.')
  if (exits.test(name)) return `${name} is overwritten, which ends the run`
  const value = bare(right)
  const isGreen = value.value === 0 || nameOf(value) === 'undefined'
  return name === 'process.exitCode' && isGreen ? 'process.exitCode is set to success' : null
}

const changing =
  /^(Object\.(assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(set|defineProperty))$/
const stubbing =
  /^((vi|jest)\.(spyOn|replaceProperty)|(sinon|sandbox)\.(stub|replace|spy|fake)|(t\.)?mock\.(method|getter|property))$/

function called(source: Source, node: Syntax, { known, inside }: At): string | null {
  const { root, links } = chainOf(node)
  const name = [root, ...links.map((link) => link.name)].join('.')
  const [first, second] = list(node, 'arguments').map(bare)
  const isTarget = first !== undefined && (changing.test(name) || stubbing.test(name))
  if (isTarget && isJudge(first, known))
    return `${textOf(source, first)} is changed by ${name}, which judges the tests`
  if (
    isTarget &&
    textOf(source, first) === 'process' &&
    /^["'](exit|reallyExit|exitCode)/.test(second ? textOf(source, second) : '')
  )
    return `process is changed by ${name}, which ends the run`
  if (/\bexpect\.(extend|addSnapshotSerializer|addEqualityTesters)$/.test(name) && isJudge(node, known))
    return `${name} changes what assertions mean, outside of the tests`
  if (
    /^(vi|jest)\.(mock|doMock)$/.test(name) &&
    typeof first?.value === 'string' &&
    library.test(first.value)
  )
    return `${first.value} is mocked, which judges the tests`
  return ending(source, node, { name, inside })
}

// A first line that names an interpreter is written too easily to count.
const isProgram = ({ path }: Source): boolean =>
  /(^|\/)(bin|cli|scripts?|tools?)\/|(^|\/)(cli|main|bin|server)\.[cm]?[jt]sx?$/.test(path)

function ending(source: Source, node: Syntax, at: { name: string; inside: boolean }): string | null {
  const [first, second] = list(node, 'arguments').map(bare)
  const green = first === undefined || first.value === 0
  if (exits.test(at.name) && /exit$/i.test(at.name) && green && !at.inside && !isProgram(source))
    return `${at.name}() is called as soon as the file is loaded: it can end the run before a test fails`
  if (!/^process\.(on|once|addListener|prependListener)$/.test(at.name)) return null
  if (!/^(exit|beforeExit)$/.test(String(first?.value ?? '')) || second === undefined) return null
  return /process\.(exitCode\s*=|exit\(|reallyExit\()/.test(source.text.slice(second.start, second.end))
    ? 'it changes the exit code at the end of the run'
    : null
}
