// The tests of a JavaScript or TypeScript file: what each asserts, and whether it runs at all.
import { type Assertion, chainOf } from './assertions.ts'
import type { Modules } from './modules.ts'
import { bind, namesIn, namesInside, rowsOf } from './names.ts'
import { AssertionReader, functionOf, loopedOver, type Muted } from './read-assertions.ts'
import {
  type Bound,
  bare,
  childrenOf,
  field,
  isFunction,
  lineOf,
  list,
  type Names,
  nameOf,
  render,
  type Source,
  type Syntax,
} from './source.ts'

export interface TestCase {
  readonly file: string
  readonly line: number
  /** The suites around it, then its own title. */
  readonly names: readonly string[]
  readonly kind: 'test' | 'hook' | 'function'
  readonly muted: Muted | null
  readonly only: Muted | null
  /** Registered only under a condition. */
  readonly conditional: boolean
  readonly assertions: readonly Assertion[]
  readonly body: string
}

const suites = new Set([
  'describe',
  'context',
  'suite',
  'xdescribe',
  'fdescribe',
  'xcontext',
  'fcontext',
  'xsuite',
])
const tests = new Set(['it', 'test', 'specify', 'xit', 'fit', 'xtest', 'xspecify', 'ftest', 'Deno', 'QUnit'])
const hooks = new Set([
  'beforeEach',
  'afterEach',
  'before',
  'after',
  'beforeAll',
  'afterAll',
  'setup',
  'teardown',
])
const muting = new Set(['skip', 'todo', 'fails', 'failing', 'skipIf', 'runIf', 'fixme', 'expectFailure'])
const modifiers = new Set([
  ...muting,
  ...[
    'only',
    'each',
    'for',
    'concurrent',
    'sequential',
    'serial',
    'shuffle',
    'describe',
    'test',
    'it',
    'extend',
  ],
  ...['parallel', 'before', 'after', 'cb', 'step', 'skipping', 'slow', 'suite'],
])

interface Around {
  readonly names: readonly string[]
  readonly known: Names
  readonly muted: Muted | null
  readonly only: Muted | null
  readonly conditional: boolean
  readonly contexts: ReadonlySet<string>
}

export function readTests(source: Source, modules: Modules): TestCase[] {
  const reader = new TestReader(source)
  const nothing = { names: [], muted: null, only: null, conditional: false, contexts: new Set<string>() }
  reader.visit(source.program, { ...nothing, known: modules.namesOf(source) })
  return reader.found
}

/** Functions that assert something, in code that tests share. */
export function readFunctions(source: Source, modules: Modules): TestCase[] {
  return [...modules.namesOf(source)].flatMap(([name, bound]) => {
    if (!isFunction(bound.node) || bound.source !== source) return []
    const reader = new AssertionReader()
    reader.enter(bound, [], { guards: [], contexts: new Set() })
    if (reader.found.length === 0) return []
    return [
      {
        file: source.path,
        line: lineOf(source, bound.node),
        names: [`function ${name}`],
        kind: 'function' as const,
        muted: null,
        only: null,
        conditional: false,
        assertions: reader.found,
        body: '',
      },
    ]
  })
}

const testsMax = 5_000
const callsMax = 4

class TestReader {
  readonly found: TestCase[] = []
  readonly #source: Source
  readonly #calls: Syntax[] = []

  constructor(source: Source) {
    this.#source = source
  }

  visit(node: Syntax, around: Around): void {
    switch (node.type) {
      case 'Program':
      case 'BlockStatement':
        this.#statements(list(node, 'body'), around)
        break
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'LogicalExpression':
        for (const child of childrenOf(node)) this.visit(child, { ...around, conditional: true })
        break
      case 'ForOfStatement':
        this.#loop(node, around)
        break
      case 'CallExpression':
        this.#call(node, around)
        break
      case 'ExportNamedDeclaration':
        // Somebody else may call it.
        for (const child of childrenOf(field(node, 'declaration') ?? node)) this.visit(child, around)
        break
      case 'FunctionDeclaration':
        break
      case 'VariableDeclarator':
        // Looked into where it is called.
        if (!isFunction(field(node, 'init'))) for (const child of childrenOf(node)) this.visit(child, around)
        break
      default:
        for (const child of childrenOf(node)) this.visit(child, around)
    }
  }

  /** What stands after a `return` is never registered. */
  #statements(statements: readonly Syntax[], around: Around): void {
    for (const statement of statements) {
      this.visit(statement, around)
      if (statement.type === 'ReturnStatement' || statement.type === 'ThrowStatement') return
    }
  }

  #loop(node: Syntax, around: Around): void {
    const left = field(node, 'left')
    const body = field(node, 'body')
    const target = left === null ? null : (list(left, 'declarations')[0] ?? left)
    if (body === null || target === null) return
    for (const row of rowsOf(this.#source, field(node, 'right'), around.known) ?? [null]) {
      const known = new Map(around.known)
      bind(known, field(target, 'id') ?? target, row)
      this.visit(body, { ...around, known: namesIn(this.#source, body, known) })
    }
  }

  #call(node: Syntax, around: Around): void {
    if (this.found.length >= testsMax) return
    const kind = this.#kindOf(node, around)
    if (kind === null) {
      this.#otherCall(node, around)
      return
    }
    const { callback, title, rows, muted, only } = this.#read(node, around)
    const names = kind === 'hook' ? around.names : [...around.names, title]
    const inner = { ...around, muted, only, names }
    if (kind === 'suite') this.#suite(callback, rows ?? [null], inner)
    else this.#add({ node, kind, around: inner, callback, rows: kind === 'hook' ? [null] : (rows ?? [null]) })
  }

  #suite(callback: Bound | null, rows: readonly (Bound | null)[], around: Around): void {
    const body = callback === null ? null : field(callback.node, 'body')
    if (callback === null || body === null) return
    for (const row of rows)
      this.visit(body, { ...around, known: namesInside(callback, argumentsOf(callback.node, row)) })
  }

  /** `cases.forEach((row) => test(...))`, or something else that may hold tests. */
  #otherCall(node: Syntax, around: Around): void {
    const object = loopedOver(field(node, 'callee') ?? node)
    const callback = list(node, 'arguments').map(bare).find(isFunction)
    const body = callback === undefined ? null : field(callback, 'body')
    if (object === null || callback === undefined || body === null) {
      this.#plainCall(node, around)
      return
    }
    const bound = { node: callback, names: around.known, source: this.#source }
    for (const row of rowsOf(this.#source, object, around.known) ?? [null])
      this.visit(body, { ...around, known: namesInside(bound, [row]) })
  }

  /** A function that is called, or handed over, may register tests. */
  #plainCall(node: Syntax, around: Around): void {
    const args = list(node, 'arguments').map((each) => ({
      node: each,
      names: around.known,
      source: this.#source,
    }))
    for (const child of childrenOf(node)) {
      const fn = functionOf(child, { names: around.known })
      const body = fn === null || fn.source !== this.#source ? null : field(fn.node, 'body')
      if (fn === null) this.visit(child, around)
      else if (body !== null && this.#calls.length < callsMax && !this.#calls.includes(body)) {
        this.#calls.push(body)
        this.visit(body, { ...around, known: namesInside(fn, child === field(node, 'callee') ? args : []) })
        this.#calls.pop()
      }
    }
  }

  #kindOf(node: Syntax, around: Around): 'suite' | 'test' | 'hook' | null {
    const callee = field(node, 'callee')
    if (callee === null) return null
    const { root, words } = wordsOf(callee)
    const last = words.at(-1) ?? ''
    const args = list(node, 'arguments').map(bare)
    if (!words.every((word) => modifiers.has(word))) return null
    // The call that only takes the table is part of the call that takes the title.
    if (/^(each|for|skipIf|runIf|extend)$/.test(last) && !isCurried(callee)) return null
    if (suites.has(root) || (tests.has(root) && words.includes('describe'))) return 'suite'
    if (tests.has(root) && args.length > 0) return 'test'
    if (around.contexts.has(root)) return /^(test|it)$/.test(last) ? 'test' : null
    return args.some(isFunction) ? ownKind(root, words, args) : null
  }

  #read(node: Syntax, around: Around) {
    const { root, words, table } = wordsOf(field(node, 'callee') ?? node)
    const args = list(node, 'arguments').map(bare)
    const callback = args.map((each) => this.#callback(each, around)).find((each) => each !== null) ?? null
    const options = args.find(({ type }) => type === 'ObjectExpression')
    const line = lineOf(this.#source, node)
    const off = [...words, ...(options ? switchedOn(options) : [])]
    const mute = off.find((word) => muting.has(word)) ?? (/^x/.test(root) ? root : null)
    const focus =
      off.find((word) => word === 'only') ?? (/^f(it|test|describe|context)$/.test(root) ? root : null)
    const unwritten = callback === null && tests.has(root) && args.length === 1 ? 'no body' : null
    return {
      callback,
      title: this.#titleOf(args, around),
      rows: table === null ? null : rowsOf(this.#source, table, around.known),
      muted: around.muted ?? how(mute ?? unwritten, line),
      only: around.only ?? how(focus, line),
    }
  }

  #callback(node: Syntax, around: Around): Bound | null {
    if (isFunction(node)) return { node, names: around.known, source: this.#source }
    return functionOf(node, { names: around.known })
  }

  #titleOf(args: readonly Syntax[], around: Around): string {
    const said = args.filter(isTitle)
    const [first] = args
    const titles = said.length > 0 || first === undefined || isFunction(first) ? said : [first]
    const named = args.filter(isFunction).map((fn) => nameOf(field(fn, 'id')))
    return (
      titles.map((each) => render(this.#source, each, around.known)).join(' ') || named.join('') || 'unnamed'
    )
  }

  #add(one: {
    node: Syntax
    kind: 'test' | 'hook'
    around: Around
    callback: Bound | null
    rows: readonly (Bound | null)[]
  }): void {
    const { node, kind, around, callback, rows } = one
    const reader = new AssertionReader()
    if (callback !== null) {
      const [context] = list(callback.node, 'params')
      const contexts = new Set([...around.contexts, nameOf(context ?? null)].filter(Boolean))
      reader.onTest = (nested, { names, source }) => {
        const inner = { ...around, contexts, known: names }
        if (source !== this.#source || this.#kindOf(nested, inner) === null) return false
        this.visit(nested, inner)
        return true
      }
      for (const row of rows)
        reader.enter(callback, argumentsOf(callback.node, row), { guards: [], contexts })
    }
    const hook = kind === 'hook' ? [wordsOf(field(node, 'callee') ?? node).root] : []
    this.found.push({
      file: this.#source.path,
      line: lineOf(this.#source, node),
      names: [...around.names, ...hook],
      kind,
      muted: around.muted ?? reader.muted,
      only: around.only,
      conditional: around.conditional,
      assertions: reader.found,
      body: callback === null ? '' : render(callback.source, callback.node, new Map()),
    })
  }
}

/** A hook, or a project's own wrapper: a title and a function. */
function ownKind(root: string, words: readonly string[], args: readonly Syntax[]): 'test' | 'hook' | null {
  if (hooks.has(root)) return 'hook'
  return words.length === 0 && root !== '' && args.some(isTitle) ? 'test' : null
}

/** A row that is a list is spread over the parameters, where there are several. */
function argumentsOf(callback: Syntax, row: Bound | null): (Bound | null)[] {
  if (row === null) return []
  const spread =
    bare(row.node).type === 'ArrayExpression' && list(callback, 'params')[0]?.type !== 'ArrayPattern'
  return spread ? list(bare(row.node), 'elements').map((node) => ({ ...row, node })) : [row]
}

function how(word: string | null, line: number): Muted | null {
  return word === null ? null : { how: word, line }
}

function isTitle(node: Syntax): boolean {
  return (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral'
}

function isCurried(callee: Syntax): boolean {
  return callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression'
}

/** The words of `test.skip.each(table)`, wherever they come from, and the table. */
function wordsOf(callee: Syntax): { root: string; words: string[]; table: Syntax | null } {
  if (callee.type === 'TaggedTemplateExpression') {
    const tag = field(callee, 'tag')
    return tag === null
      ? { root: '', words: [], table: null }
      : { ...wordsOf(tag), table: field(callee, 'quasi') }
  }
  const inner = bare(callee)
  if (inner.type === 'ConditionalExpression') {
    const ways = [field(inner, 'consequent'), field(inner, 'alternate')].flatMap((way) =>
      way ? [wordsOf(way)] : [],
    )
    return { root: ways[0]?.root ?? '', words: ways.flatMap(({ words }) => words), table: null }
  }
  const { root, links, args } = chainOf(callee)
  if (args !== null) return { root: '', words: [], table: null }
  const table =
    links.find(({ name, args: given }) => /^(each|for)$/.test(name) && given !== null)?.args?.[0] ?? null
  return { root, words: links.map(({ name }) => name), table }
}

function switchedOn(options: Syntax): string[] {
  return list(options, 'properties').flatMap((property) => {
    const value = field(property, 'value')
    return value === null || value.value === false ? [] : [nameOf(field(property, 'key'))]
  })
}
