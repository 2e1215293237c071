// Model calls of seed 004's test loop and of ours. Usage: node bench/loop-economy/run.ts [--seeds n] [--json]
// The table or one JSON document goes to stdout; the exit code is 1 if ours is not economical enough on the trace.
import { parseArgs } from 'node:util'
import { measureAll, missed } from './economy.ts'
import { printTable } from './table.ts'

const { values: options } = parseArgs({
  options: { seeds: { type: 'string', default: '2000' }, json: { type: 'boolean', default: false } },
})
const seeds = Number(options.seeds)
if (!Number.isInteger(seeds) || seeds < 1) throw new RangeError('--seeds is a number from 1')
const sections = await measureAll(seeds)
process.stdout.write(options.json ? `${JSON.stringify({ seeds, sections })}\n` : printTable(sections))
for (const complaint of missed(sections)) {
  process.stderr.write(`${complaint}\n`)
  process.exitCode = 1
}
