// What a step of an agent costs beside the model and the tool: ours and LangGraph.js, in memory and durable, in one run.
// Usage: node bench/step-overhead/run.ts [--steps n] [--rounds n] [--tools folder] [--json]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../tools/postgres.ts'
import { measure } from './measure.ts'
import { missed, printed, verdict } from './table.ts'

const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '7' },
    tools: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'treadle-bench-steps-'))
const postgres = await startPostgres(true)
try {
  if (postgres.is === 'missing') process.stderr.write(`PostgreSQL is not there: ${postgres.why}\n`)
  const found = await measure({
    steps: Number(options.steps),
    rounds: Number(options.rounds),
    serverUrl: postgres.is === 'running' ? postgres.url : null,
    tools: options.tools ?? scratch,
  })
  process.stdout.write(
    options.json ? `${JSON.stringify(found, null, 2)}\n` : `${printed(found)}${verdict(found)}`,
  )
  if (missed(found).length > 0) process.exitCode = 1
} finally {
  if (postgres.is === 'running') await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
