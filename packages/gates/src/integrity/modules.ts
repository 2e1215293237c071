// What the changed files know of each other, so that an assertion may move to a file that its test imports.
import { posix } from 'node:path'
import { namesIn } from './names.ts'
import { type Bound, field, list, type Names, nameOf, type Source, type Syntax } from './source.ts'
import { conventionsOf, isTestSupport } from './test-conventions.ts'

const testLibrary = /^(vitest|@jest\/globals|node:test|chai|expect|ava|tape|@playwright\/test)$/

/** The code under test is not looked into: its values are no expectations, its assertions judge no test. */
function ofTests({ path, program }: Source): boolean {
  const imports = list(program, 'body').map((node) => field(node, 'source')?.value)
  return (
    conventionsOf(path).length > 0 ||
    isTestSupport(path) ||
    imports.some((from) => typeof from === 'string' && testLibrary.test(from))
  )
}

export class Modules {
  readonly #sources: ReadonlyMap<string, Source>
  readonly #names = new Map<Source, Names>()

  constructor(sources: readonly Source[]) {
    this.#sources = new Map(sources.filter(ofTests).map((source) => [source.path, source]))
  }

  /** The names at the top of a file: its own, and those it imports from the others. */
  namesOf(source: Source): Names {
    const known = this.#names.get(source)
    if (known !== undefined) return known
    const names = new Map<string, Bound>()
    // Before it is filled: two files may import each other.
    this.#names.set(source, names)
    for (const node of list(source.program, 'body')) this.#import(source, node, names)
    for (const [name, bound] of namesIn(source, source.program, names)) names.set(name, bound)
    return names
  }

  #import(source: Source, node: Syntax, names: Map<string, Bound>): void {
    const from = node.type === 'ImportDeclaration' ? field(node, 'source')?.value : undefined
    const target = typeof from === 'string' ? this.#find(source.path, from) : undefined
    if (target === undefined) return
    const there = this.namesOf(target)
    for (const each of list(node, 'specifiers')) {
      const bound = there.get(nameOf(field(each, 'imported')))
      if (bound !== undefined) names.set(nameOf(field(each, 'local')), bound)
    }
  }

  #find(path: string, from: string): Source | undefined {
    if (!from.startsWith('.')) return undefined
    const plain = posix.join(posix.dirname(path), from)
    const stem = plain.replace(/\.[cm]?jsx?$/, '')
    const endings = ['', '.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js']
    return [plain, ...endings.map((ending) => stem + ending)]
      .map((name) => this.#sources.get(name))
      .find((found) => found !== undefined)
  }
}
