// The context of edits: what those of a file may use of the rest of the project and of the failing tests.
import type { Project, SourceFile } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { type Node, nodesIn, part } from '../tree/node.ts'
import { javascript } from '../tree/profile.ts'
import type { Context, Known } from './edit.ts'
import { differencesOf } from './text-difference.ts'

const LITERALS_MAX = 30

export function contextsFor(project: Project, failing: readonly TestResult[]): (file: SourceFile) => Context {
  const own = project.files.filter((file) => !file.isTestCode)
  const properties = countProperties(own)
  const literals = literalsOfTests(project, failing)
  const types = own.flatMap((file) => [...file.parsed.members.values()])
  const siblings = (property: string) => [
    ...new Set(types.filter((members) => members.includes(property)).flat()),
  ]
  const threwOnNothing = failing.some(
    ({ failure }) => /undefined|null/.test(failure?.message ?? '') && failure?.name === 'TypeError',
  )
  const gotNothing = failing.some(({ failure }) => failure?.actual === 'undefined')
  const order = orderHints(failing)
  const said = wordsOfTests(project, failing, literals)
  const differences = differencesOf(failing)
  const facts = {
    ...factsOf(own),
    ...order,
    ...said,
    differences,
    properties,
    siblings,
    threwOnNothing,
    gotNothing,
  }
  const known = new Map<SourceFile, Context>()
  return (file) => {
    const found = known.get(file)
    if (found !== undefined) return found
    const made: Context = {
      file,
      profile: javascript,
      testLiterals: literals,
      expectedLiterals: wordsNotIn(file, failing, literals),
      ...facts,
    }
    known.set(file, made)
    return made
  }
}

/** Whether what came and what was waited for differ only in their order. */
function orderHints(failing: readonly TestResult[]): { outOfOrder: boolean; wantsSorted: boolean } {
  const words = (text: string | null | undefined) => text?.match(/'[^']*'|[\w.-]+/g) ?? []
  const moved = failing.filter(({ failure }) => {
    const [came, wanted] = [words(failure?.actual), words(failure?.expected)]
    return (
      came.length > 1 && came.join() !== wanted.join() && came.toSorted().join() === wanted.toSorted().join()
    )
  })
  const wantsSorted = moved.some(({ failure }) => {
    const wanted = between(words(failure?.expected), words(failure?.actual))
    const byNumber = wanted.toSorted((a, b) => Number(a) - Number(b)).join()
    return (
      wanted.join() === wanted.toSorted().join() ||
      (wanted.every((word) => /^[\d.-]+$/.test(word)) && wanted.join() === byNumber)
    )
  })
  return { outOfOrder: moved.length > 0, wantsSorted }
}

/** From the first word that differs to the last one. */
function between(wanted: readonly string[], came: readonly string[]): readonly string[] {
  const differs = (word: string, index: number) => word !== came[index]
  return wanted.slice(wanted.findIndex(differs), wanted.findLastIndex(differs) + 1)
}

const NUMBERS_MAX = 16

/** The facts of all sources about types, functions and numbers, taken together. */
function factsOf(own: readonly SourceFile[]) {
  const types = new Map(own.flatMap((file) => [...file.parsed.types]))
  const functions = new Map<string, Known>()
  const numbers = new Set<string>()
  for (const file of own) {
    for (const declared of file.parsed.tree.names?.values() ?? []) {
      if (declared.node?.kind === 'func') functions.set(declared.name, { node: declared.node, file })
    }
    for (const node of nodesIn(file.parsed.tree)) if (node.kind === 'number') numbers.add(node.name)
  }
  const none: ReadonlyMap<string, string> = new Map()
  return {
    membersOf: (type: string) => types.get(baseOf(type)) ?? inlineMembers(type) ?? none,
    functionNamed: (name: string) => functions.get(name) ?? null,
    words: [...new Set(own.flatMap((file) => file.parsed.words.flat()))],
    unions: own.flatMap((file) => file.parsed.words).filter((words) => words.length > 1),
    numbers: [...numbers].slice(0, NUMBERS_MAX),
  }
}

/** `readonly Entry<T>[] | null` is about `Entry`. */
function baseOf(type: string): string {
  const name = type
    .replace(/\b(readonly|Readonly<|Partial<)\s*/g, '')
    .replace(/\s*\|\s*(null|undefined)\b/g, '')
  return /^[\w$]+/.exec(name)?.[0] ?? ''
}

function inlineMembers(type: string): ReadonlyMap<string, string> | null {
  const inside = /^\{([^{}]*)\}/.exec(type)?.[1]
  if (inside === undefined) return null
  const pairs = inside.split(/[;,]/).flatMap((text) => {
    const [, name, optional, of] = /^\s*(?:readonly )?([\w$]+)(\??):\s*(.+?)\s*$/.exec(text) ?? []
    return name === undefined || of === undefined
      ? []
      : [[name, optional === '?' ? `${of} | undefined` : of] as const]
  })
  return new Map(pairs)
}

function countProperties(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    const used = nodesIn(file.parsed.tree).map(propertyOf)
    for (const name of [...used, ...[...file.parsed.members.values()].flat()]) {
      if (/^[A-Za-z_$][\w$]*$/.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

function propertyOf(node: Node): string {
  if (node.kind === 'member' && node.role !== 'callee') return node.name
  return node.kind === 'pair' ? (part(node, 'key')?.name ?? '') : ''
}

/** Literals inside the failing tests, as they are written. */
function literalsOfTests(project: Project, failing: readonly TestResult[]): string[] {
  const found = new Set<string>()
  for (const test of failing) {
    const file = project.files[test.module]
    if (file === undefined) continue
    for (const node of nodesIn(bodyOf(file.parsed.tree, test.name) ?? file.parsed.tree)) {
      const text = literalIn(node)
      if (text !== null && text.length < 60 && found.size < LITERALS_MAX && !isTitle(node)) found.add(text)
    }
  }
  return [...found]
}

const KEYS_MAX = 8
const WORDS_MAX = 6

/** Keys that the failing tests give in objects, and the words and signs of their texts: what is rare in the tests goes first. */
function wordsOfTests(project: Project, failing: readonly TestResult[], literals: readonly string[]) {
  const keys = new Set<string>()
  for (const test of failing) {
    const file = project.files[test.module]
    const body = file === undefined ? null : bodyOf(file.parsed.tree, test.name)
    for (const node of body === null ? [] : nodesIn(body)) {
      const key = node.kind === 'pair' ? (part(node, 'key')?.name ?? '') : ''
      if (/^[A-Za-z_$][\w$]*$/.test(key)) keys.add(key)
    }
  }
  const texts = literals.filter((text) => /^['"`]/.test(text)).map((text) => text.slice(1, -1))
  const words = texts.filter((text) => /^[\w-]{1,14}$/.test(text))
  const signs = texts.flatMap((text) => text.match(/[^\p{L}\p{N}\s'"`]/gu) ?? [])
  return {
    testKeys: [...keys].slice(0, KEYS_MAX),
    testWords: [...new Set(words)].slice(0, WORDS_MAX),
    testSigns: [...new Set(signs)],
  }
}

/** A pattern without signs of its own is a text that a message is to hold. */
function literalIn(node: Node): string | null {
  if (node.kind === 'string' || node.kind === 'number') return node.name
  const plain = node.kind === 'regex' ? /^\/([\w ,:-]{3,})\/\w*$/.exec(node.name)?.[1] : undefined
  return plain === undefined ? null : `'${plain}'`
}

function isTitle(node: Node): boolean {
  const callee = node.parent?.kind === 'call' ? part(node.parent, 'callee') : null
  return callee !== null && /^(test|it|describe|suite)$/.test(callee.name)
}

/** The call that declares the test of this name. */
function bodyOf(tree: Node, name: string): Node | null {
  const last = name.split(' > ').at(-1) ?? name
  for (const node of nodesIn(tree)) {
    const arg = node.kind === 'call' ? part(node, 'arg') : null
    if (arg?.kind === 'string' && arg.name.slice(1, -1).replaceAll("\\'", "'") === last) return node
  }
  return null
}

/** Words the tests wait for and the file does not know yet, as literals: what a default could be. */
function wordsNotIn(file: SourceFile, failing: readonly TestResult[], literals: readonly string[]): string[] {
  const expected = failing.flatMap(({ failure }) =>
    failure?.expected === null ? [] : [failure?.expected ?? ''],
  )
  const texts = [...literals, ...expected]
    .filter((text) => /^['"`]/.test(text))
    .map((text) => text.slice(1, -1))
  const words = texts.flatMap((text) => [text, ...(text.match(/[\p{L}\d_]+/gu) ?? [])])
  const fresh = words.filter(
    (word) => word.length > 0 && word.length < 30 && !file.text.includes(word) && !/['\\\n]/.test(word),
  )
  // A single word is likelier than the whole sentence.
  return [...new Set(fresh)]
    .sort((a, b) => a.length - b.length)
    .slice(0, 6)
    .map((word) => `'${word}'`)
}
