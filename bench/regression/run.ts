// Regression selection. Usage: node bench/regression/run.ts [--layout direct|entry] [--limit n] [--json].
// Progress goes to stderr, the table or one JSON document to stdout; the exit code is 1 if a failing test is missed.
import { parseArgs } from 'node:util'
import { makeFaults } from './faults.ts'
import { type LayoutResult, measureLayout } from './measure.ts'
import { layouts } from './project.ts'
import { figuresOf, printTable } from './table.ts'

const { values: options } = parseArgs({
  options: {
    layout: { type: 'string' },
    limit: { type: 'string', default: '56' },
    json: { type: 'boolean', default: false },
  },
})
const chosen = layouts.filter((layout) => options.layout === undefined || options.layout === layout)
if (chosen.length === 0) throw new RangeError('--layout is direct or entry')
const faults = spread(makeFaults(), Number(options.limit))

const results: LayoutResult[] = []
for (const layout of chosen) {
  const result = await measureLayout(layout, faults, ({ id, is, failing, changed, ours, everything }) => {
    const missed = ours.missed.length > 0 ? `, MISSED ${ours.missed.join('; ')}` : ''
    const why = everything.length > 0 ? ` (${everything.join('; ')})` : ''
    process.stderr.write(
      `${layout} ${id}: ${is}, ${failing} fail, --changed ${changed.files} files, ours ${ours.files}${why}${missed}\n`,
    )
  })
  results.push(result)
}
const figures = results.map(figuresOf)
const document = { figures, rows: results.flatMap(({ rows }) => rows) }
process.stdout.write(`${options.json ? JSON.stringify(document, null, 2) : printTable(figures)}\n`)
if (figures.some(({ ours }) => ours.missed > 0)) process.exitCode = 1

// Evenly over the list, so that each kind of fault has its share.
function spread<T>(all: readonly T[], limit: number): T[] {
  const step = Math.max(1, all.length / limit)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
