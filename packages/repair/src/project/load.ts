// The part of a project that its tests reach: every module parsed and rendered once.
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { lower } from '../render/lower.ts'
import { type Rendered, render } from '../render/render.ts'
import { stripTypes } from '../render/strip.ts'
import { type Node, parts } from '../tree/node.ts'
import { type Parsed, parseSource } from '../tree/parse.ts'
import { find } from '../tree/scope.ts'
import { isTestPath, listSources, scopedTests, toSlash } from './files.ts'
import { Resolver, type Target } from './resolve.ts'
import { readTestCommand } from './test-command.ts'

export interface SourceFile {
  readonly index: number
  /** Relative to the project, with slashes. */
  readonly path: string
  readonly absolute: string
  readonly text: string
  readonly parsed: Parsed
  readonly rendered: Rendered
  readonly isTest: boolean
  readonly isTestCode: boolean
  /** Requests that are loaded before it. */
  readonly setup: readonly string[]
  /** The module each request means: an index here, or the name to ask Node for. */
  readonly requests: Readonly<Record<string, number | string>>
}

export interface Project {
  readonly root: string
  readonly files: readonly SourceFile[]
  /** Tests that the fast path cannot run, with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
  readonly tests: readonly number[]
}

const GRAPH_MAX = 3_000

/** Texts in place of what the files hold; null: the file counts as not there. */
export type OtherTexts = ReadonlyMap<string, string | null>

const NO_TEXTS: OtherTexts = new Map()

export function loadProject(cwd: string, command: string | null, texts = NO_TEXTS): Project {
  const root = realpathSync(cwd)
  const { setup, ...names } = readTestCommand(root, command)
  const scoped = scopedTests(root, names, listSources(root))
  const loader = new Loader(root, texts, { tests: new Set(scoped), setup })
  const left: { path: string; why: string }[] = []
  for (const path of scoped) {
    const why = loader.add(join(root, path))
    if (why !== null) left.push({ path, why })
  }
  const files = withCheckers(loader.files())
  const broken = new Set(left.map((found) => found.path))
  const tests = files.filter((file) => file.isTest && !broken.has(file.path)).map((file) => file.index)
  return { root, files, left, tests }
}

const FOR_TESTS =
  /^(chai|should|expect|expect\.js|must|unexpected|power-assert|sinon|vitest|mocha|jest|@jest\/globals|node:test|tape|tap|ava|uvu|qunit)(\/|$)/
const ASSERTS = /^(node:)?assert(\/strict)?$/
/** A program checks its arguments; to hold results against each other is a test's business. */
const COMPARES =
  /\.(deep|strict|not|doesNot|notDeep|notStrict|partialDeep)?(Strict|Deep)?(Equal|equal|Throw|throws|rejects|match)\w*\s*\(/

/** Whether it calls words that only a runner has: with a name and a function. */
function declaresSuites({ parsed: { tree } }: SourceFile): boolean {
  const visit = (node: Node): boolean => {
    const [callee] = parts(node, 'callee')
    const args = parts(node, 'arg')
    const isSuite =
      node.kind === 'call' &&
      callee?.kind === 'name' &&
      /^(describe|context|suite|it|test)$/.test(callee.name) &&
      find(node, callee.name) === null &&
      args.at(-1)?.kind === 'func' &&
      args.length > 1
    return isSuite || node.children.some(visit)
  }
  return visit(tree)
}

/** Helpers of the tests that lie among the sources: to change one is to silence the checker. */
function withCheckers(files: readonly SourceFile[]): SourceFile[] {
  const byProgram = new Set(
    files.filter(({ isTestCode }) => !isTestCode).flatMap(({ requests }) => Object.values(requests)),
  )
  return files.map((file) => {
    const asked = Object.keys(file.requests)
    const isChecker =
      asked.some((request) => FOR_TESTS.test(request)) ||
      (asked.some((request) => ASSERTS.test(request)) &&
        COMPARES.test(file.text) &&
        !byProgram.has(file.index)) ||
      declaresSuites(file)
    return isChecker && !file.isTestCode ? { ...file, isTestCode: true } : file
  })
}

/** Modules by their paths, with all that they ask for; those that cannot be rendered are left. */
export function loadModules(cwd: string, paths: readonly string[], texts = NO_TEXTS): Project {
  const root = realpathSync(cwd)
  const loader = new Loader(root, texts)
  const left = paths.flatMap((path) => {
    const why = loader.add(join(root, path))
    return why === null ? [] : [{ path, why }]
  })
  return { root, files: loader.files(), left, tests: [] }
}

/** Files that count as tests, and what is loaded before each. */
interface Scope {
  readonly tests: ReadonlySet<string>
  readonly setup: readonly string[]
}

const NO_SCOPE: Scope = { tests: new Set(), setup: [] }

class Loader {
  readonly #root: string
  readonly #texts: OtherTexts
  readonly #scope: Scope
  readonly #resolver: Resolver
  readonly #known = new Map<string, { index: number; why: string | null }>()
  readonly #files: (SourceFile | null)[] = []

  constructor(root: string, texts: OtherTexts, scope = NO_SCOPE) {
    this.#root = root
    this.#texts = texts
    this.#scope = scope
    this.#resolver = new Resolver(root)
  }

  files(): SourceFile[] {
    return this.#files.filter((file) => file !== null)
  }

  /** Loads a module and all it asks for; says why not, if one of them cannot be rendered. */
  add(absolute: string): string | null {
    const known = this.#known.get(absolute)
    if (known !== undefined) return known.why
    const entry: { index: number; why: string | null } = { index: this.#files.length, why: null }
    this.#known.set(absolute, entry)
    this.#files.push(null)
    if (this.#files.length > GRAPH_MAX) entry.why = `more than ${GRAPH_MAX} modules`
    else entry.why = this.#load(absolute, entry.index)
    return entry.why
  }

  #load(absolute: string, index: number): string | null {
    const path = toSlash(relative(this.#root, absolute))
    const other = this.#texts.get(path)
    const found = other === undefined ? boundedText(absolute, FILE_BYTES_MAX) : other
    const text = found ?? ''
    const made = found === null ? 'it cannot be read, or is too large' : moduleOf(path, text)
    // A hole in the list would move the indexes of others.
    if (typeof made === 'string') {
      this.#files[index] = { ...this.#entry(index, absolute, text), ...emptyModule(), requests: {} }
      return `${path}: ${made}`
    }
    const entry = this.#entry(index, absolute, text)
    const requests: Record<string, number | string> = {}
    let why: string | null = null
    const ask = (request: string, target: Target) => {
      if (target.is === 'own') why = this.add(target.path) ?? why
      requests[request] = target.is === 'own' ? (this.#known.get(target.path)?.index ?? '') : target.request
    }
    for (const request of entry.setup) ask(request, this.#resolver.resolveSetup(request))
    for (const request of made.rendered.requests) ask(request, this.#resolver.resolve(absolute, request))
    this.#files[index] = { ...entry, ...made, requests }
    return why
  }

  #entry(index: number, absolute: string, text: string) {
    const path = toSlash(relative(this.#root, absolute))
    const isTest = this.#scope.tests.has(path)
    const setup = isTest ? this.#scope.setup : []
    const isTestCode = isTest || isTestPath(path) || this.#isSetup(absolute)
    return { index, path, absolute, text, isTest, isTestCode, setup }
  }

  /** What is loaded before tests belongs to them. */
  #isSetup(absolute: string): boolean {
    return this.#scope.setup.some((request) => {
      const target = this.#resolver.resolveSetup(request)
      return target.is === 'own' && target.path === absolute
    })
  }
}

/** A file for edits alone: parsed, whatever its syntax, but not to be run here. */
export function sourceFor(root: string, path: string, text: string, index: number): SourceFile | null {
  const parsed = parseSource(path, text)
  if (parsed.is === 'faulty') return null
  const { rendered } = emptyModule()
  const absolute = join(root, path)
  return {
    index,
    path,
    absolute,
    text,
    parsed: parsed.file,
    rendered,
    isTest: false,
    isTestCode: false,
    setup: [],
    requests: {},
  }
}

interface LoadedModule {
  readonly parsed: Parsed
  readonly rendered: Rendered
}

/** A file larger than this is nothing that a small edit mends. */
const FILE_BYTES_MAX = 4 * 1024 * 1024

const moduleOf = (path: string, text: string): LoadedModule | string =>
  path.endsWith('.json') ? dataModule(text) : makeModule(path, text)

function makeModule(path: string, text: string): LoadedModule | string {
  const parsed = parseSource(path, text)
  if (parsed.is === 'faulty') return parsed.why
  if (parsed.file.obstacle !== null) return parsed.file.obstacle
  const lowered = lower(parsed.file.program, text)
  const stripped = stripTypes(path, lowered.text)
  if (stripped.is === 'obstacle') return stripped.why
  return { parsed: parsed.file, rendered: render(parsed.file, stripped.text, lowered) }
}

function dataModule(text: string): LoadedModule | string {
  return makeModule('data.js', `module.exports=${text}`)
}

function emptyModule(): LoadedModule {
  const made = makeModule('empty.js', '')
  if (typeof made === 'string') throw new Error(made)
  return made
}
