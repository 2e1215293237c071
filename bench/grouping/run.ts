// The grouping benchmark.
// Usage: node bench/grouping/run.ts [--set tuning,made|aside|fresh] [--seed text] [--scenarios n] [--json]
import { parseArgs } from 'node:util'
import { sides as allSides, type Side } from './faults.ts'
import { measure, type Section } from './measure.ts'
import { meets, type Score, targets } from './score.ts'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'tuning,made' },
    seed: { type: 'string', default: '' },
    scenarios: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
  },
})
const sides = sidesOf(options.set)
const perCount = Number(options.scenarios)
if (!Number.isInteger(perCount) || perCount < 1) throw new RangeError('--scenarios is a number from 1')
const sections = await measure({ sides, perCount, seed: options.seed })
process.stdout.write(options.json ? `${JSON.stringify({ targets, sections })}\n` : print(sections))

function sidesOf(names: string): Side[] {
  return names.split(',').map((name) => {
    const side = allSides.find((each) => each === name)
    if (side === undefined) throw new RangeError(`--set is some of ${allSides.join(', ')}`)
    return side
  })
}

function print(all: readonly Section[]): string {
  const lines = [
    `targets: precision >= ${targets.precision}, recall >= ${targets.recall}, jobs per fault <= ${targets.jobsPerFault}`,
  ]
  for (const { side, spread, rows, severalCauses, watched, toWatch } of all) {
    const [first] = rows
    if (first === undefined) continue
    const { scenarios, failures, faults } = first.score
    const head = `${side}, ${spread}: ${scenarios} scenarios, ${faults} faults, ${failures} failing tests`
    lines.push('', `${head} (${severalCauses} with several causes), ${watched} of ${toWatch} watched`)
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
