// Usage: node bench/title-likeness/run.ts [--errors]
import { parseArgs } from 'node:util'
import { table } from '../start/numbers.ts'
import { crossed, measure, tuningErrors } from './measure.ts'

const { values } = parseArgs({ options: { errors: { type: 'boolean', default: false } } })
const percent = (share: number | null) => (share === null ? '-' : `${(share * 100).toFixed(1)} %`)
const scores = measure()
for (const side of ['tuning', 'aside'] as const) {
  const own = scores.filter((score) => score.side === side)
  const rows = own.map(({ method, over, called, precision, recall }) => [
    method,
    over.toFixed(2),
    String(called),
    percent(precision),
    percent(recall),
  ])
  const head = ['likeness', 'over', 'called the same', 'precision', 'recall']
  process.stdout.write(table(`${side} half, ${own[0]?.pairs} pairs`, [head, ...rows]))
}
const { pairs, called } = crossed()
process.stdout.write(`\n${called.length} of the ${pairs} other pairs of these titles are called the same:\n`)
process.stdout.write(called.map((titles) => `  ${titles.join(' | ')}\n`).join(''))
if (values.errors) {
  process.stdout.write('\nwrong on the tuning half:\n')
  for (const { kind, one, other } of tuningErrors()) process.stdout.write(`  ${kind}: ${one} | ${other}\n`)
}
