// The values that a change newly writes into its code and data: inputs and answers that were learnt by heart stand there.
import { showValue } from '@treadle/repair/run/show-value'
import { childrenOf, field, nameOf, parseSource, type Syntax } from '../integrity/source.ts'
import { writtenValue } from './written-value.ts'

const NOTHING = new Map<string, unknown>()
const valuesMax = 20_000

export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The values that a file wrote and writes. */
export interface ValueChange {
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}

/** The values in JavaScript, TypeScript and JSON. */
export function writtenByScripts(changes: readonly TextChange[]): Written {
  return new Written(
    changes.map(({ path, before, after }) => ({
      before: valuesIn(path, before ?? ''),
      after: valuesIn(path, after ?? ''),
    })),
  )
}

export class Written {
  /** In the spelling of `showValue`, those that stand there more often than before. */
  readonly fresh: ReadonlySet<string>
  /** Those that stood there before. */
  readonly old: ReadonlySet<string>
  /** Numbers and texts that stand there at all. */
  readonly all: readonly (string | number)[]

  constructor(changes: readonly ValueChange[]) {
    const was = new Map<string, number>()
    const is = new Map<string, number>()
    const plain = new Map<string, string | number>()
    for (const { before, after } of changes) {
      for (const value of before) count(was, showValue(value))
      for (const value of after) {
        const shown = showValue(value)
        count(is, shown)
        if (typeof value === 'string' || typeof value === 'number') plain.set(shown, value)
      }
    }
    this.fresh = new Set([...is.keys()].filter((shown) => (is.get(shown) ?? 0) > (was.get(shown) ?? 0)))
    this.old = new Set(was.keys())
    this.all = [...plain.values()]
  }

  has(value: unknown): boolean {
    return this.fresh.has(showValue(value))
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function valuesIn(path: string, text: string): unknown[] {
  const isData = path.endsWith('.json')
  const source = parseSource(isData ? 'data.js' : path, isData ? `(${text.trim() || 'null'})` : text)
  if (source === null) return []
  const found: unknown[] = []
  const visit = (node: Syntax): void => {
    if (found.length > valuesMax || node.type === 'ImportDeclaration') return
    found.push(...valuesAt(node))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(source.program)
  return found
}

function valuesAt(node: Syntax): unknown[] {
  if (node.type === 'Property' && node.computed !== true) return keyValues(field(node, 'key'))
  const read = /^(?:Literal|TemplateLiteral|ArrayExpression|ObjectExpression|UnaryExpression)$/.test(
    node.type,
  )
    ? writtenValue(node, NOTHING)
    : null
  if (read === null) return []
  return typeof read.value === 'string' ? [read.value, ...partsOf(read.value)] : [read.value]
}

/** A key of a table is a text, and the number that it spells. */
function keyValues(key: Syntax | null): unknown[] {
  if (key === null) return []
  const name = key.type === 'Identifier' ? nameOf(key) : String(key.value)
  return key.type === 'Identifier' ? [name] : [name, ...numbersIn([name])]
}

/** Of a text that holds a table: `'4:2,10:5'`. */
function partsOf(text: string): unknown[] {
  const parts = text.split(/[^\w.-]+/).filter(Boolean)
  return parts.length > 1 ? numbersIn(parts) : []
}

function numbersIn(texts: readonly string[]): number[] {
  return texts.filter((text) => /^-?\d+(?:\.\d+)?$/.test(text)).map(Number)
}
