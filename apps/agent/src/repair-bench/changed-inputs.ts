// Copies of a test file, each with one input changed: where a patch and the human fix then differ, the patch is another program.
import { extname } from 'node:path/posix'
import { parseSource } from '@treadle/engines/repair/tree/parse'

type Tree = Readonly<Record<string, unknown>> & {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Site {
  readonly start: number
  readonly end: number
  readonly others: readonly string[]
  /** Stands in one of the tests that failed. */
  readonly near: boolean
}

export interface ChangedCopy {
  readonly path: string
  readonly text: string
}

const COPIES_MAX = 80
const DECLARES = /^(it|test|describe|suite|specify|context)$/
const ASSERTS = /^(assert|equal|strictEqual|deepEqual|deepStrictEqual|notEqual|ok|throws|rejects|match)$/

/** The tests named first are the ones whose inputs are changed first. */
export function changeInputs(path: string, text: string, failing: readonly string[]): ChangedCopy[] {
  const parsed = parseSource(path, text)
  if (parsed.is === 'faulty') return []
  const sites = new Sites(text, new Set(failing)).of(parsed.file.program as unknown as Tree)
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
  readonly #found: Site[] = []
  #near = false

  constructor(text: string, failing: ReadonlySet<string>) {
    this.#text = text
    this.#failing = failing
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
    if (node.type === 'CallExpression') return this.#call(node)
    const others = othersFor(node, this.#text)
    if (others.length > 0) this.#found.push({ start: node.start, end: node.end, others, near: this.#near })
    // The name of a property is part of the program, not an input.
    if (node.type === 'Property' && node.computed !== true) return this.#visit(node.value)
    if (node.type === 'MemberExpression' && node.computed !== true) return this.#visit(node.object)
    for (const child of Object.values(node)) this.#visit(child)
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
    this.#visit(ASSERTS.test(name) ? args.slice(0, 1) : args)
  }
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
  const others = [value + 1, value - 1, 0, -value, value * 2, value + 0.5]
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
  const others = [parts.slice(1), [...parts, first], [], parts.toReversed()]
  return others
    .map((other) => `[${other.join(', ')}]`)
    .filter((other, index, all) => all.indexOf(other) === index)
}
