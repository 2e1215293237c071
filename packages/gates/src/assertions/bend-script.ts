// The assertions of a test file in JavaScript or TypeScript, each with what bends it.
import { type Chain, chainOf, importedAssertions } from '../integrity/assertions.ts'
import { shown } from '../integrity/finding.ts'
import { field, lineOf, list, parseSource, type Source, type Syntax } from '../integrity/source.ts'
import type { Bent } from './bent.ts'

/** Equal to nothing but itself. */
const other = "Symbol('other')"

interface Around {
  readonly source: Source
  readonly imported: ReadonlySet<string>
  readonly found: Bent[]
  readonly test: Syntax | null
  readonly isOfMachine: boolean
}

type Edit = Pick<Bent, 'start' | 'end' | 'text'>

/** All that can be bent; none in a file that cannot be parsed. */
export function bentInScript(path: string, text: string): Bent[] {
  const source = parseSource(path, text)
  if (source === null) return []
  const imported = new Set([...importedAssertions(source.program), 'assert'])
  const around = { source, imported, found: [], test: null, isOfMachine: false }
  walk(source.program, around)
  return around.found
}

function walk(node: Syntax, around: Around): void {
  const { source, imported, found } = around
  if (node.type === 'CallExpression') {
    const edit = bendAt(node, source, imported)
    if (edit !== null) {
      const { test, isOfMachine } = around
      const code = shown(source.text.slice(node.start, node.end))
      const group = test === null ? `${node.start}` : `test ${test.start}`
      found.push({ ...edit, line: lineOf(source, node), test: titleOf(test), group, code, isOfMachine })
      return
    }
  }
  const test = isTest(node) ? node : around.test
  const isOfMachine = around.isOfMachine || isMachineGuard(node, source)
  for (const child of childrenOf(node)) walk(child, { ...around, test, isOfMachine })
}

function childrenOf(node: Syntax): Syntax[] {
  return Object.values(node)
    .flat()
    .filter(
      (each): each is Syntax =>
        typeof each === 'object' && each !== null && 'type' in each && 'start' in each,
    )
}

function isTest(node: Syntax): boolean {
  if (node.type !== 'CallExpression') return false
  const { root, args, links } = chainOf(node)
  const called = args ?? links.at(-1)?.args ?? []
  return /^(?:test|it|specify)$/.test(root) && called.some(({ type }) => /Function/.test(type))
}

function titleOf(test: Syntax | null): string | null {
  if (test === null) return null
  const [first] = list(test, 'arguments')
  const title = first?.type === 'Literal' ? first.value : null
  // `each` puts values into a title.
  return typeof title === 'string' && !/[%$]/.test(title) ? title : null
}

function isMachineGuard(node: Syntax, { text }: Source): boolean {
  const asked = /^(?:IfStatement|ConditionalExpression)$/.test(node.type) ? field(node, 'test') : null
  return (
    asked !== null &&
    /platform|win32|darwin|process\.version|\barch\b/i.test(text.slice(asked.start, asked.end))
  )
}

function bendAt(node: Syntax, source: Source, imported: ReadonlySet<string>): Edit | null {
  const chain = chainOf(node)
  const last = chain.links.at(-1)
  if (chain.root === 'expect' && last?.args) return bendExpect(node, chain, source)
  const isAssert = imported.has(chain.root) || (last?.name !== undefined && chain.links[0]?.name === 'assert')
  if (!isAssert || chain.root === 'expect') return null
  const name = last?.name ?? chain.root
  return bendAssert(node, name, source)
}

const byNegation = /^(?:toThrow|toThrowError|toSatisfy|toBeOneOf)$/
const notBent =
  /Snapshot|^(?:extend|assertions|hasAssertions|anything|any|objectContaining|arrayContaining|stringMatching|stringContaining|closeTo)$/

function bendExpect(node: Syntax, { args, links }: Chain, source: Source): Edit | null {
  const last = links.at(-1)
  const property = propertyOf(node)
  const isExpectation = args !== null || /^(?:soft|poll)$/.test(links[0]?.name ?? '')
  if (last === undefined || property === null || !isExpectation || notBent.test(last.name)) return null
  if (args === null && links.length < 2) return null
  if (links.some(({ name }) => name === 'not')) {
    const at = source.text.slice(node.start, property.start).lastIndexOf('not')
    const start = node.start + at
    const dot = source.text.indexOf('.', start + 3)
    return { start, end: dot + 1, text: '' }
  }
  const given = last.args ?? []
  const arg = last.name === 'toHaveProperty' ? given.at(-1) : given[0]
  if (arg === undefined || byNegation.test(last.name))
    return { start: property.start, end: property.start, text: 'not.' }
  return { start: arg.start, end: arg.end, text: other }
}

function propertyOf(node: Syntax): Syntax | null {
  const callee = field(node, 'callee')
  return callee?.type === 'MemberExpression' && callee.computed !== true ? field(callee, 'property') : null
}

const positive: Readonly<Record<string, string>> = {
  notEqual: 'equal',
  notStrictEqual: 'strictEqual',
  notDeepEqual: 'deepEqual',
  notDeepStrictEqual: 'deepStrictEqual',
  doesNotMatch: 'match',
}

function bendAssert(node: Syntax, name: string, { text }: Source): Edit | null {
  const [first, second] = list(node, 'arguments')
  const put = (at: Syntax | undefined, as: string): Edit | null =>
    at === undefined ? null : { start: at.start, end: at.end, text: as }
  const property = propertyOf(node)
  const opposite = Object.hasOwn(positive, name) ? positive[name] : undefined
  if (opposite !== undefined) return property === null ? null : put(property, opposite)
  if (/^(?:equal|strictEqual|deepEqual|deepStrictEqual|partialDeepStrictEqual)$/.test(name))
    return put(second, other)
  if (name === 'match') return put(second, '/(?!)/')
  if (name === 'throws') return put(first, '() => {}')
  if (name === 'rejects') return put(first, 'async () => {}')
  if (name === 'ok' || name === 'assert')
    return first === undefined ? null : put(first, `!(${text.slice(first.start, first.end)})`)
  return null
}
