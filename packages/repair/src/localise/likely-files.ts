// What speaks for a place besides who runs it: the names that tests have and use, and who reads a declaration.
import { basename } from 'node:path'
import type { Project, SourceFile } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { above, isStatement, type Node, part } from '../tree/node.ts'
import type { Suspect } from './localise.ts'

/** A test is named after what it tests. */
const NAMESAKE = 1.5
/** A test loads what it tests; what that loads in turn, many load. */
const ASKED_FOR = 1.15
/** The name of the test, or what it calls, is the name of the function. */
const NAMED = 1.25
/** A declaration is as suspicious as who reads it, nearly. */
const READ = 0.9

/** Of a file and its functions, how much more likely the fault is there than in others that the same tests run. */
export class Likelihood {
  readonly #files = new Map<number, number>()
  readonly #words: ReadonlySet<string>

  constructor(project: Project, failing: readonly TestResult[]) {
    for (const module of new Set(failing.map((test) => test.module))) {
      const test = project.files[module]
      if (test === undefined) continue
      const asked = new Set(Object.values(test.requests))
      for (const file of project.files) {
        const named = stemOf(file.path) === stemOf(test.path) ? NAMESAKE : 1
        const found = named * (asked.has(file.index) ? ASKED_FOR : 1)
        this.#files.set(file.index, Math.max(found, this.#files.get(file.index) ?? 1))
      }
    }
    this.#words = wordsOf(failing)
  }

  of(file: SourceFile, node: Node): number {
    const func = above(node, 'func')
    const name = func === null ? '' : nameOf(func)
    const named = name.length > 2 && this.#words.has(name.toLowerCase()) ? NAMED : 1
    return named * (this.#files.get(file.index) ?? 1)
  }
}

/** `tests/rules/no-undef.js`, `no-undef.test.ts` and `test-no-undef.js` are about `no-undef`. */
function stemOf(path: string): string {
  const name = basename(path).replace(/\.[cm]?[jt]sx?$/, '')
  const stem = name.replace(/[._-]?(test|tests|spec|unit)$/i, '').replace(/^(test|spec)[._-]/i, '')
  return stem === 'index' || stem === ''
    ? basename(path.replace(/\/[^/]*$/, '')).toLowerCase()
    : stem.toLowerCase()
}

function wordsOf(failing: readonly TestResult[]): Set<string> {
  const texts = failing.flatMap(({ name, failure }) => [name, failure?.message.slice(0, 500) ?? ''])
  return new Set(
    texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []).map((word) => word.toLowerCase()),
  )
}

function nameOf(func: Node): string {
  if (func.name !== '') return func.name
  const { parent } = func
  if (parent?.kind === 'declarator') return part(parent, 'target')?.name ?? ''
  if (parent?.kind === 'method') return part(parent, 'key')?.name ?? parent.name
  if (parent?.kind === 'assign') return part(parent, 'left')?.name ?? part(parent, 'target')?.name ?? ''
  return parent?.kind === 'pair' ? (part(parent, 'key')?.name ?? '') : ''
}

/**
 * Values that are declared when a module is loaded are run by every test, which says nothing about them: a table or a
 * pattern is as suspicious as the statements that read it.
 */
export function withReaders(suspects: readonly Suspect[]): Suspect[] {
  const best = new Map<string, Suspect>()
  const note = (key: string, suspect: Suspect) => {
    if ((best.get(key)?.score ?? 0) < suspect.score) best.set(key, suspect)
  }
  for (const suspect of suspects) {
    if (above(suspect.node, 'func') === null) continue
    for (const name of namesIn(suspect.node)) {
      note(`${suspect.file.index}|${name}`, suspect)
      note(name, suspect)
    }
  }
  return suspects.map((suspect) => {
    const reader = readerOf(suspect, best)
    if (reader === null || reader.score * READ <= suspect.score) return suspect
    return { ...suspect, score: reader.score * READ, tests: reader.tests ?? suspect.tests ?? [] }
  })
}

function readerOf({ file, node }: Suspect, best: ReadonlyMap<string, Suspect>): Suspect | null {
  if (node.kind !== 'declare' || above(node, 'func') !== null) return null
  let found: Suspect | null = null
  for (const declared of node.children) {
    const name = part(declared, 'target')?.name ?? ''
    // A name that another file reads is this one's where it is exported.
    const reader = best.get(`${file.index}|${name}`) ?? (isExported(file, name) ? best.get(name) : undefined)
    if (reader !== undefined && (found === null || reader.score > found.score)) found = reader
  }
  return found
}

function isExported(file: SourceFile, name: string): boolean {
  return (
    name !== '' && new RegExp(`\\bexports?\\b[^;\\n]*\\b${name.replaceAll('$', '\\$')}\\b`).test(file.text)
  )
}

/** Without those of the statements in it, which are suspects of their own. */
function namesIn(statement: Node): string[] {
  const names: string[] = []
  const visit = (node: Node): void => {
    if (node.kind === 'name') names.push(node.name)
    for (const child of node.children) if (!isStatement(child)) visit(child)
  }
  visit(statement)
  return names
}
