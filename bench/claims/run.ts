// Claims per second and the gap before the next claim, ours and others', on both databases in one run.
// Usage: node bench/claims/run.ts [--claims n] [--rounds n] [--gaps n] [--only embedded|server] [--tools folder] [--json]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../tools/postgres.ts'
import { type Measured, measure } from './measure.ts'
import { missed, printed, verdict } from './table.ts'

const { values: options } = parseArgs({
  options: {
    claims: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '20' },
    gaps: { type: 'string', default: '300' },
    only: { type: 'string' },
    tools: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'treadle-bench-claims-'))
const postgres = options.only === 'embedded' ? null : await startPostgres()
try {
  const plan = {
    claims: Number(options.claims),
    rounds: Number(options.rounds),
    gaps: Number(options.gaps),
    tools: options.tools ?? scratch,
  }
  const found: Record<string, Measured> = {}
  if (postgres?.is === 'missing') process.stderr.write(`not run: PostgreSQL is not there: ${postgres.why}\n`)
  if (postgres?.is === 'running') found.PostgreSQL = await measure({ ...plan, serverUrl: postgres.url })
  if (options.only !== 'server') found['the embedded database'] = await measure({ ...plan, serverUrl: null })
  const words = Object.entries(found).map(([name, one]) => `${printed(name, one, null)}${verdict(one)}`)
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : words.join(''))
  if (found.PostgreSQL !== undefined && missed(found.PostgreSQL).length > 0) process.exitCode = 1
} finally {
  if (postgres?.is === 'running') await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
