// What the edits of a file may use of the rest of the project and of the failing tests.
import type { Project, SourceFile } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { type Node, nodesIn, part } from '../tree/node.ts'
import { javascript } from '../tree/profile.ts'
import type { Context } from './edit.ts'

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
  const known = new Map<SourceFile, Context>()
  return (file) => {
    const found = known.get(file)
    if (found !== undefined) return found
    const made: Context = {
      file,
      profile: javascript,
      testLiterals: literals,
      expectedLiterals: wordsNotIn(file, failing, literals),
      properties,
      siblings,
      threwOnNothing,
      gotNothing,
    }
    known.set(file, made)
    return made
  }
}

function countProperties(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    const used = [...nodesIn(file.parsed.tree)].map(propertyOf)
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
      const isLiteral = node.kind === 'string' || node.kind === 'number'
      if (isLiteral && node.name.length < 60 && found.size < LITERALS_MAX && !isTitle(node))
        found.add(node.name)
    }
  }
  return [...found]
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
