// The grouping benchmark. Usage: node bench/grouping/run.ts [--set tuning|aside|all] [--scenarios n] [--json]
import { parseArgs } from 'node:util'
import type { Side } from './faults.ts'
import { measure, type Section } from './measure.ts'
import { meets, type Score, targets } from './score.ts'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'all' },
    scenarios: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
  },
})
const sides = sidesOf(options.set)
const perCount = Number(options.scenarios)
if (!Number.isInteger(perCount) || perCount < 1) throw new RangeError('--scenarios is a number from 1')
const sections = await measure(sides, perCount)
process.stdout.write(options.json ? `${JSON.stringify({ targets, sections })}\n` : print(sections))

function sidesOf(name: string): Side[] {
  if (name === 'all') return ['tuning', 'aside']
  if (name === 'tuning' || name === 'aside') return [name]
  throw new RangeError('--set is tuning, aside or all')
}

function print(all: readonly Section[]): string {
  const lines = [
    `targets: precision >= ${targets.precision}, recall >= ${targets.recall}, jobs per fault <= ${targets.jobsPerFault}`,
  ]
  for (const { side, spread, rows, severalCauses } of all) {
    const [first] = rows
    if (first === undefined) continue
    const { scenarios, failures, faults } = first.score
    const head = `${side}, ${spread}: ${scenarios} scenarios, ${faults} faults, ${failures} failing tests`
    lines.push('', `${head} (${severalCauses} with several causes)`)
    lines.push(`${'method'.padEnd(20)}precision  recall  jobs per fault  targets`)
    for (const { method, score } of rows) lines.push(`${method.padEnd(20)}${row(score)}`)
  }
  return `${lines.join('\n')}\n`
}

function row(score: Score): string {
  const shown = (value: number | null) => (value === null ? '-' : value.toFixed(3))
  return [
    shown(score.precision).padStart(9),
    shown(score.recall).padStart(8),
    score.jobsPerFault.toFixed(2).padStart(16),
    (meets(score) ? 'met' : 'not met').padStart(9),
  ].join('')
}
