// Copies of a test file, each with one input changed: where a patch and the human fix then differ, the patch is another program.
import { extname } from 'node:path/posix'
import { parseSource } from '@treadle/repair/tree/parse'

type Tree = Readonly<Record<string, unknown>> & {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Site {
  readonly start: number
  readonly end: number
  readonly others: readonly string[]
  /** Stands in a test that failed, or in a line that came with the fix. */
  readonly near: boolean
}

export interface ChangedCopy {
  readonly path: string
  readonly text: string
}

const COPIES_MAX = 150
const DECLARES = /^(it|test|describe|suite|specify|context)$/
const ASSERTS = /^(assert|equal|strictEqual|deepEqual|deepStrictEqual|notEqual|ok|throws|rejects|match)$/

interface TestText {
  readonly path: string
  readonly text: string
  /** As it was before the fix; its new lines are the ones about the fault. */
  readonly before: string
  /** What the tests that failed are called. */
  readonly failing: readonly string[]
}

/** Inputs of the tests that failed, and those that came with the fix, are changed first. */
export function changeInputs(test: TestText): ChangedCopy[] {
  const { path, text } = test
  const parsed = parseSource(path, text)
  if (parsed.is === 'faulty') return []
  const sites = new Sites(test).of(parsed.file.program as unknown as Tree)
  const rounds = Math.max(0, ...sites.map((site) => site.others.length))
  const changes: { site: Site; other: string }[] = []
  for (const near of [true, false]) {
    const group = sites.filter((site) => site.near === near)
    for (let round = 0; round < rounds; round += 1)
      for (const site of group) {
        const other = site.others[round]
        if (other !== undefined) changes.push({ site, other })
      }
  }
  const end = extname(path)
  return changes.slice(0, COPIES_MAX).map(({ site, other }, index) => ({
    path: `${path.slice(0, -end.length)}.changed-${index}.test${end}`,
    text: text.slice(0, site.start) + other + text.slice(site.end),
  }))
}

class Sites {
  readonly #text: string
  readonly #failing: ReadonlySet<string>
  readonly #old: ReadonlySet<string>
  readonly #found: Site[] = []
  #near = false

  constructor({ text, before, failing }: TestText) {
    this.#text = text
    this.#failing = new Set(failing)
    this.#old = new Set(before.split('\n').map((line) => line.trim()))
  }

  of(program: Tree): Site[] {
    this.#visit(program)
    return this.#found
  }

  #visit(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#visit(item)
    else if (isTree(value)) this.#enter(value)
  }

  #enter(node: Tree): void {
    if (/^(Import|Export)/.test(node.type) || isType(node)) return
    const { start, end } = node
    const others = othersFor(node, this.#text)
    if (others.length > 0) this.#found.push({ start, end, others, near: this.#near || this.#isNew(start) })
    // The name of a property is part of the program, not an input.
    if (node.type === 'CallExpression') this.#call(node)
    else if (isExpectation(node)) return
    else if (node.type === 'Property' && node.computed !== true) this.#visit(node.value)
    else if (node.type === 'ArrayExpression') this.#visit(someOf(node.elements as readonly unknown[]))
    else if (node.type === 'MemberExpression' && node.computed !== true) this.#visit(node.object)
    else for (const child of Object.values(node)) this.#visit(child)
  }

  #isNew(place: number): boolean {
    const from = this.#text.lastIndexOf('\n', place) + 1
    const to = this.#text.indexOf('\n', place)
    return !this.#old.has(this.#text.slice(from, to < 0 ? undefined : to).trim())
  }

  /** What a test is called and what it expects are no inputs. */
  #call(node: Tree): void {
    const args = node.arguments as readonly Tree[]
    const name = lastName(node.callee)
    if (DECLARES.test(rootName(node.callee)) && args[0]?.type === 'Literal') {
      const before = this.#near
      this.#near ||= this.#failing.has(String(args[0].value))
      this.#visit(node.callee)
      this.#visit(args.slice(1))
      this.#near = before
      return
    }
    this.#visit(node.callee)
    if (/^to[A-Z]/.test(name)) return
    if (name === 'each' || name === 'for') this.#table(args[0])
    else this.#visit(ASSERTS.test(name) ? args.slice(0, 1) : args)
  }

  /** The last of a row is most often what is expected. */
  #table(table: Tree | undefined): void {
    const rows = table?.type === 'ArrayExpression' ? (table.elements as readonly unknown[]) : []
    for (const row of rows) {
      const isRow = isTree(row) && row.type === 'ArrayExpression'
      this.#visit(isRow ? (row.elements as readonly unknown[]).slice(0, -1) : row)
    }
  }
}

const EXPECTED = /^(expect(ed|ation)?|want(ed)?|answer|solution)/i
const EXPECTED_FIELD = /^(out(put)?|results?)$/i

/** A variable or a field that holds what is expected, told by its name. */
function isExpectation(node: Tree): boolean {
  const name = node.type === 'Property' ? node.key : node.id
  if (!isTree(name)) return false
  const text = String(name.name ?? name.value)
  return EXPECTED.test(text) || (node.type === 'Property' && EXPECTED_FIELD.test(text))
}

const ITEMS_MAX = 4

/** Of a long list of plain values the items are much alike. */
function someOf(items: readonly unknown[]): readonly unknown[] {
  const plain = items.every((item) => isTree(item) && item.type === 'Literal')
  return items.length <= ITEMS_MAX || !plain ? items : [...items.slice(0, ITEMS_MAX - 1), items.at(-1)]
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string'
}

/** Types hold literals too, and changing them changes nothing. */
function isType(node: Tree): boolean {
  return (
    node.type.startsWith('TS') &&
    !/^TS(As|NonNull|Satisfies|Instantiation)Expression$|^TSTypeAssertion$/.test(node.type)
  )
}

function lastName(callee: unknown): string {
  if (!isTree(callee)) return ''
  if (callee.type === 'Identifier') return String(callee.name)
  return isTree(callee.property) ? String(callee.property.name) : ''
}

/** `it` for `it`, `it.only` and `it.each(table)`. */
function rootName(callee: unknown): string {
  if (!isTree(callee)) return ''
  if (callee.type === 'Identifier') return String(callee.name)
  return rootName(callee.type === 'CallExpression' ? callee.callee : callee.object)
}

function othersFor(node: Tree, text: string): string[] {
  if (node.type === 'ArrayExpression') return otherArrays(node, text)
  if (node.type === 'Identifier' && node.name === 'undefined') return ['null']
  if (node.type !== 'Literal') return []
  const { value } = node
  if (typeof value === 'number') return otherNumbers(value)
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'string') return otherTexts(value)
  return value === null && node.regex === undefined && node.bigint === undefined ? ['undefined'] : []
}

function otherNumbers(value: number): string[] {
  const others = [value + 1, -value, 0, value - 1, value * 2, value + 0.5]
  return [...new Set(others)].filter((other) => other !== value).map((other) => `(${other})`)
}

function otherTexts(value: string): string[] {
  const others = [
    `${value}a`,
    value.slice(1),
    '',
    [...value].reverse().join(''),
    ` ${value}`,
    value.toUpperCase(),
  ]
  return [...new Set(others)].filter((other) => other !== value).map((other) => JSON.stringify(other))
}

function otherArrays(node: Tree, text: string): string[] {
  const parts = (node.elements as readonly (Tree | null)[]).map((item) =>
    item === null ? '' : text.slice(item.start, item.end),
  )
  if (parts.length === 0) return ['[0]', '[undefined]']
  const first = parts[0] ?? ''
  const others = [parts.toReversed(), parts.slice(1), [...parts, first], []]
  return others
    .map((other) => `[${other.join(', ')}]`)
    .filter((other, index, all) => all.indexOf(other) === index)
}
