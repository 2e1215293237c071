// How many lines a coverage report says were run, whatever its format.
import { XMLParser } from 'fast-xml-parser'
import istanbul from 'istanbul-lib-coverage'
import { z } from 'zod'

export interface LineCoverage {
  readonly format: 'istanbul-summary' | 'istanbul' | 'lcov' | 'cobertura'
  readonly covered: number
  readonly total: number
}

/** Null if the text is no such report. */
export function readLineCoverage(text: string): LineCoverage | null {
  const start = text.trimStart()
  if (start.startsWith('{')) return readIstanbul(start)
  if (start.startsWith('<')) return readCobertura(start)
  return readLcov(text)
}

const Summary = z.object({
  total: z.object({ lines: z.object({ total: z.int().min(0), covered: z.int().min(0) }) }),
})
const Final = z.record(
  z.string(),
  z.object({ path: z.string(), statementMap: z.object({}), s: z.object({}) }),
)

function readIstanbul(text: string): LineCoverage | null {
  try {
    const value: unknown = JSON.parse(text)
    const summary = Summary.safeParse(value)
    if (summary.success) return { format: 'istanbul-summary', ...counts(summary.data.total.lines) }
    if (!Final.safeParse(value).success) return null
    return { format: 'istanbul', ...counts(istanbul.createCoverageMap(value).getCoverageSummary().lines) }
  } catch {
    return null
  }
}

function counts({ covered, total }: { covered: number; total: number }) {
  return { covered, total }
}

/** The most hits of each line; the same file may be in a report more than once. */
class Hits {
  readonly #hits = new Map<string, number>()

  add(file: string, line: string, hits: number): void {
    const key = `${file}\0${line}`
    this.#hits.set(key, Math.max(this.#hits.get(key) ?? 0, hits))
  }

  get counts() {
    const all = [...this.#hits.values()]
    return { covered: all.filter((hits) => hits > 0).length, total: all.length }
  }
}

function readLcov(text: string): LineCoverage | null {
  if (!/^SF:/m.test(text) || !/^end_of_record/m.test(text)) return null
  const hits = new Hits()
  const listed = { covered: 0, total: 0 }
  let file = ''
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([A-Z]+):(.*)$/.exec(line) ?? []
    const number = Number(value) || 0
    if (name === 'SF') file = value
    else if (name === 'DA') addLine(hits, file, value)
    else if (name === 'LF') listed.total += number
    else if (name === 'LH') listed.covered += number
  }
  const measured = hits.counts
  return { format: 'lcov', ...(measured.total > 0 ? measured : listed) }
}

function addLine(hits: Hits, file: string, value: string): void {
  const [line = '', count] = value.split(',')
  hits.add(file, line, Number(count) || 0)
}

type Node = { readonly [name: string]: unknown }

function readCobertura(text: string): LineCoverage | null {
  // Writers name their document type; one that brings entities of its own is refused, since they can grow without bound.
  const xml = text.replace(/<!DOCTYPE[^[>]*>/i, '')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return null
  const root = parse(xml)?.coverage
  if (!isNode(root)) return null
  const total = numeric(root, 'lines-valid')
  const covered = numeric(root, 'lines-covered')
  if (total !== null && covered !== null) return { format: 'cobertura', covered, total }
  const hits = new Hits()
  collect(root, '', hits, 0)
  const measured = hits.counts
  if (measured.total > 0) return { format: 'cobertura', ...measured }
  const rate = numeric(root, 'line-rate')
  return rate === null ? null : { format: 'cobertura', covered: rate, total: 1 }
}

function parse(xml: string): Node | null {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
  })
  try {
    const value: unknown = parser.parse(xml, true)
    return isNode(value) ? value : null
  } catch {
    return null
  }
}

const depthMax = 12

function collect(node: Node, file: string, hits: Hits, depth: number): void {
  if (depth > depthMax) return
  const children = Object.entries(node).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => ({ name, child })),
  )
  for (const { name, child } of children) {
    const own = child['@filename']
    // Lines stand under the class and again under its methods.
    if (name === 'line') hits.add(file, String(child['@number']), numeric(child, 'hits') ?? 0)
    else collect(child, typeof own === 'string' ? own : file, hits, depth + 1)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numeric(node: Node, name: string): number | null {
  const value = node[`@${name}`]
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null
}
