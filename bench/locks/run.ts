// Usage: node bench/locks/run.ts [--builds n] [--json]. The exit code is 1 if locks let a conflict through.
import { parseArgs } from 'node:util'
import { measure, printed } from './measure.ts'
import { workloads } from './workloads.ts'

const { values } = parseArgs({
  options: { builds: { type: 'string', default: '21' }, json: { type: 'boolean', default: false } },
})
const builds = Number(values.builds)
const rows = measure(workloads(), builds)
process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : printed(rows, builds))
if (rows.some(({ rule, conflicts }) => rule === 'locks' && conflicts > 0)) process.exitCode = 1
