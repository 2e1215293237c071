// Ways to make a run look green without any test being changed.
import { chainOf } from './assertions.ts'
import type { Finding } from './finding.ts'
import { bare, childrenOf, field, lineOf, list, render, type Source, type Syntax } from './source.ts'

interface Trick {
  readonly key: string
  readonly line: number
  readonly what: string
  readonly blocks: boolean
  /** The file of the project that is replaced. */
  readonly mocks?: string
}

const assertionLibrary =
  /^(node:)?(assert|test)(\/strict)?$|^(chai|expect|vitest|@jest\/globals|tape|ava|mocha)$/
const tampered =
  /^(globalThis|global|window)\.(expect|assert|it|test|describe)$|^(assert|expect|chai|it|test)\.\w+|^process\.exitCode$/

/** Only what the change brought in. */
export function newTricks(before: Source | null, after: Source): Finding[] {
  const known = new Map<string, number>()
  for (const { key } of before === null ? [] : tricksIn(before)) known.set(key, (known.get(key) ?? 0) + 1)
  return (
    tricksIn(after)
      .filter(({ key }) => {
        const count = known.get(key) ?? 0
        known.set(key, count - 1)
        return count <= 0
      })
      // In a file of its own it reaches no other test.
      .map(({ line, what, blocks, mocks }) => ({
        file: after.path,
        line,
        what,
        blocks: before !== null && (blocks || imports(before, mocks)),
      }))
  )
}

/** What a test imported before is what it is about: a stand-in for that is another test. */
function imports({ program }: Source, path: string | undefined): boolean {
  if (path === undefined) return false
  return list(program, 'body').some(
    (node) => node.type === 'ImportDeclaration' && field(node, 'source')?.value === path,
  )
}

function tricksIn(source: Source): Trick[] {
  const found: Trick[] = []
  const visit = (node: Syntax): void => {
    const trick = node.type === 'CallExpression' ? calling(source, node) : assigning(source, node)
    if (trick !== null) found.push({ ...trick, line: lineOf(source, node) })
    for (const child of childrenOf(node)) visit(child)
  }
  visit(source.program)
  return found
}

function calling(source: Source, node: Syntax): Omit<Trick, 'line'> | null {
  const { root, links } = chainOf(node)
  const name = [root, ...links.map((link) => link.name)].join('.')
  const [first] = list(node, 'arguments').map(bare)
  if (/^process\.(exit|reallyExit|abort)$/.test(name))
    return { key: name, what: `${name}() was added: it can end the run before a test fails`, blocks: true }
  if (/^(vi|jest)\.(mock|doMock|unstable_mockModule)$|^mock\.module$|^t\.mock\.module$/.test(name) && first) {
    const path = String(first.value ?? render(source, first, new Map()))
    if (assertionLibrary.test(path))
      return { key: `${name} ${path}`, what: `${path} is mocked, which judges the tests`, blocks: true }
    if (!path.startsWith('.')) return null
    const what = `${path} is now mocked; see that it is not what the test is about`
    return { key: `${name} ${path}`, what, blocks: false, mocks: path }
  }
  return null
}

function assigning(source: Source, node: Syntax): Omit<Trick, 'line'> | null {
  const left = node.type === 'AssignmentExpression' ? field(node, 'left') : null
  if (left === null || left.type !== 'MemberExpression') return null
  const target = render(source, left, new Map())
  if (!tampered.test(target)) return null
  return { key: target, what: `${target} is overwritten, which decides whether tests fail`, blocks: true }
}

const ignoring = /(?:istanbul|c8|v8) ignore|eslint-disable|biome-ignore|pragma: no cover|# noqa|@ts-nocheck/g

/** Comments that take code out of the reach of a tool; whoever reviews the change is told. */
export function newIgnores(file: string, before: string | null, after: string): Finding[] {
  const count = (text: string): number => text.match(ignoring)?.length ?? 0
  const added = count(after) - count(before ?? '')
  if (added <= 0) return []
  return [
    { file, line: null, what: `${added} new comment(s) switch coverage or a linter off`, blocks: false },
  ]
}
