// What a start costs, and what a daemon and ten agents that wait weigh, each beside its limit.
// Usage: node bench/start/run.ts [--starts n] [--json]
import { parseArgs } from 'node:util'
import { keepCost, measureCost, missedCost, printedCost } from './cost.ts'

const { values: options } = parseArgs({
  options: { starts: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
})

const found = await measureCost(Number(options.starts))
keepCost(found)
process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : printedCost(found))
const missed = missedCost(found)
if (missed.length > 0) {
  process.stderr.write(`missed: ${missed.join(', ')}\n`)
  process.exitCode = 1
}
