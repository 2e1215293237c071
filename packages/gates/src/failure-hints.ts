// Which functions of the project a failing test reaches, read from the sources: no test runs for it.
// It reads names, not types, so it may see a call too many or too few; it only ranks what a person would look at.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { FailureHints, FunctionName } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import { type Block, blocksIn, endOf, freeUsesIn, importsOf, type Use, usesIn } from './source-blocks.ts'

const fileBytesMax = 512 * 1024
const filesMax = 400
const depthMax = 6
const reachedMax = 400

/** How much less a function counts for each call between it and the test. */
const fade = 0.9
/** The failing statement itself, statements on the same values before it, and the rest of the test before it. */
const closeness = { statement: 1, same: 0.7, before: 0.35 }

interface SourceFile {
  readonly path: string
  readonly lines: readonly string[]
  readonly blocks: readonly Block[]
  /** Project files that it imports, directly or not, itself first. */
  readonly sees: readonly string[]
}

type Reached = Map<FunctionName, number>

/** Reads the files that the failures name and what those import, and nothing outside the project folder. */
export function readFailureHints(root: string, failures: readonly TestFailure[]): FailureHints {
  const sources = new Sources(root)
  const failed = new Map<string, Set<Block>>()
  const reached = new Map<string, Reached>()
  for (const failure of failures) {
    const file = failure.file === null ? null : sources.read(failure.file)
    const test = file === null ? null : testOf(file, failure)
    if (file === null || test === null) continue
    failed.set(file.path, (failed.get(file.path) ?? new Set()).add(test.block))
    reached.set(keyOf(failure), reachFailing(sources, file, test))
  }
  const passed: Reached[] = []
  for (const [path, blocks] of failed) {
    const file = sources.read(path)
    if (file === null) continue
    const others = file.blocks.filter((block) => block.is === 'test' && !blocks.has(block))
    for (const block of others) passed.push(reachPassing(sources, file, block))
  }
  return { reachedBy: (failure) => reached.get(keyOf(failure)) ?? new Map(), passed }
}

function keyOf({ id, line, message }: TestFailure): string {
  return JSON.stringify([id, line, message])
}

interface FailingTest {
  readonly block: Block
  /** The line of the test that failed, from 0. */
  readonly line: number
}

/** The test around one of the failing lines, else the one with the failure's name. */
function testOf(file: SourceFile, failure: TestFailure): FailingTest | null {
  const tests = file.blocks.filter((block) => block.is === 'test')
  for (const line of linesIn(file.path, failure)) {
    const block = tests.findLast((test) => test.start <= line && line < test.end)
    if (block !== undefined) return { block, line }
  }
  const name = failure.id.split(' > ').at(-1) ?? ''
  const block = tests.find((test) => test.name === name || test.name === name.split(/[.:[(]/)[0])
  return block === undefined ? null : { block, line: block.end - 1 }
}

function linesIn(path: string, { stack, line }: TestFailure): number[] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[^\w-]/g, '\\$&')
  const inStack = [...(stack ?? '').matchAll(new RegExp(`${name}(?::|", line )(\\d{1,7})`, 'g'))]
  return [...inStack.map(([, at]) => Number(at)), ...(line === null ? [] : [line])].map((at) => at - 1)
}

function reachFailing(sources: Sources, file: SourceFile, { block, line }: FailingTest): Reached {
  const { lines } = file
  const statement = lines.slice(line, Math.max(line + 1, Math.min(endOf(lines, line), block.end)))
  const before = lines.slice(block.start + 1, line)
  const values = valuesOf(before, statement)
  const same = before.filter((each) => usesIn([each]).some(({ name }) => values.has(name)))
  const reached: Reached = new Map()
  reach(sources, { file, uses: usesIn(statement), weight: closeness.statement }, reached)
  reach(sources, { file, uses: usesIn(same), weight: closeness.same }, reached)
  const hooks = file.blocks.filter(({ is }) => is === 'hook')
  const rest = [...hooks.flatMap(({ start, end }) => lines.slice(start + 1, end)), ...before]
  reach(sources, { file, uses: usesIn(rest), weight: closeness.before }, reached)
  return reached
}

/** Local names that the statement depends on, as far as assignments show it. */
function valuesOf(before: readonly string[], statement: readonly string[]): Set<string> {
  const declared = new Set(
    before.flatMap((line) => {
      const left =
        /^\s*(?:const|let|var|for\s*\((?:const|let)|val)?\s*([\w$,{}[\]: ]+?)\s*(?:=[^=>]|\bof\b|\bin\b|:=)/.exec(
          line,
        )
      return left?.[1]?.match(/[A-Za-z_$][\w$]*/g) ?? []
    }),
  )
  const values = new Set(
    usesIn(statement)
      .map(({ name }) => name)
      .filter((name) => declared.has(name)),
  )
  for (const line of before.toReversed()) {
    const names = usesIn([line])
      .map(({ name }) => name)
      .filter((name) => declared.has(name))
    const assigns = names[0] !== undefined && values.has(names[0]) && /=[^=>]|\bof\b|:=/.test(line)
    if (assigns) for (const name of names) values.add(name)
  }
  return values
}

function reachPassing(sources: Sources, file: SourceFile, block: Block): Reached {
  const reached: Reached = new Map()
  const uses = usesIn(file.lines.slice(block.start + 1, block.end))
  reach(sources, { file, uses, weight: 1 }, reached)
  return reached
}

interface Start {
  readonly file: SourceFile
  readonly uses: readonly Use[]
  readonly weight: number
}

/** Follows the names from function to function; each is kept with the closest way to it. */
function reach(sources: Sources, start: Start, reached: Reached): void {
  const seen = new Set<Block>()
  let level: Start[] = [start]
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    level = level.flatMap(({ file, uses, weight }) =>
      uses
        .flatMap((use) => sources.resolve(file, use))
        .filter(({ block }) => !seen.has(block) && seen.size < reachedMax && seen.add(block))
        .map(({ target, block }) => {
          // What stands in the test file itself is the way to the project, not a part of it.
          const inTest = target === start.file
          const name = `${target.path}#${block.name}`
          if (!inTest) reached.set(name, Math.max(reached.get(name) ?? 0, weight))
          return {
            file: target,
            uses: sources.usesOf(target, block),
            weight: inTest ? weight : weight * fade,
          }
        }),
    )
  }
}

class Sources {
  readonly #root: string
  readonly #files = new Map<string, SourceFile | null>()
  readonly #uses = new Map<Block, Use[]>()

  constructor(root: string) {
    this.#root = realpathSync(root)
  }

  read(path: string): SourceFile | null {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const text = this.#files.size >= filesMax ? null : this.#textOf(path)
    if (text === null) {
      this.#files.set(path, null)
      return null
    }
    const lines = text.split('\n')
    const sees: string[] = [path]
    const file: SourceFile = { path, lines, blocks: blocksIn(lines), sees }
    this.#files.set(path, file)
    for (const name of importsOf(text)) {
      const other = this.#find(dirname(path), name)
      if (other !== null && !sees.includes(other)) sees.push(other)
    }
    return file
  }

  /** The declarations that a name in a file may mean. */
  resolve(file: SourceFile, use: Use): { target: SourceFile; block: Block }[] {
    const own = this.#declared(file, use)
    if (own.length > 0 && !use.dotted) return own.map((block) => ({ target: file, block }))
    // A method may belong to something that came through several files.
    const paths = use.dotted ? this.#allSeen(file) : file.sees
    return paths.flatMap((path) => {
      const target = this.read(path)
      return target === null ? [] : this.#declared(target, use).map((block) => ({ target, block }))
    })
  }

  usesOf(file: SourceFile, block: Block): Use[] {
    const known = this.#uses.get(block)
    if (known !== undefined) return known
    // To make an object runs its constructor and its fields, not its methods.
    const methods =
      block.is === 'class' ? file.blocks.filter((each) => each.inClass && inside(each, block)) : []
    const skipped = methods.filter(({ name }) => !/^(?:constructor|__init__|new|init)$/.test(name))
    const lines = file.lines
      .slice(block.start, block.end)
      .filter(
        (_, at) =>
          !skipped.some((each) => inside({ ...each, start: block.start + at, end: block.start + at }, each)),
      )
    const uses = freeUsesIn(lines).filter(({ name }) => name !== block.name || block.is === 'class')
    this.#uses.set(block, uses)
    return uses
  }

  #declared(file: SourceFile, { name, dotted, called, ofField }: Use): Block[] {
    return file.blocks.filter((block) => {
      if (block.name !== name || block.is === 'test' || block.is === 'hook') return false
      if (!dotted) return !block.inClass
      if (block.is === 'getter') return true
      return called && block.is === 'function' && !(ofField && builtIn.has(name))
    })
  }

  #allSeen(file: SourceFile): string[] {
    const all = [...file.sees]
    for (let at = 0; at < all.length && all.length < filesMax; at += 1) {
      const path = all[at]
      const other = path === undefined ? null : this.read(path)
      for (const next of other?.sees ?? []) if (!all.includes(next)) all.push(next)
    }
    return all
  }

  #find(folder: string, name: string): string | null {
    const base =
      name.startsWith('./') || name.startsWith('../') ? join(folder, name) : name.replaceAll('.', '/')
    const folders = base === name || !name.startsWith('.') ? ['', folder, 'src'] : ['']
    const endings = [
      '',
      '.ts',
      '.tsx',
      '.js',
      '.mjs',
      '.jsx',
      '.py',
      '.rs',
      '/index.ts',
      '/index.js',
      '/__init__.py',
    ]
    const bases = [base, base.replace(/\.[cm]?js$/, '')]
    for (const each of folders) {
      for (const ending of bases.flatMap((one) => endings.map((end) => `${one}${end}`))) {
        const path = join(each, ending).split(sep).join('/')
        if (this.#textOf(path) !== null) return path
      }
    }
    return null
  }

  #textOf(path: string): string | null {
    try {
      const full = realpathSync(join(this.#root, path))
      const isInside = !relative(this.#root, full).startsWith('..')
      const stat = statSync(full)
      if (!isInside || !stat.isFile() || stat.size > fileBytesMax) return null
      return readFileSync(full, 'utf8')
    } catch {
      return null
    }
  }
}

function inside(inner: Pick<Block, 'start' | 'end'>, outer: Pick<Block, 'start' | 'end'>): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

const builtIn = new Set(
  'get set has add delete clear push pop shift unshift map filter find some every reduce sort slice keys values entries forEach includes indexOf join concat at next'.split(
    ' ',
  ),
)
