// Usage: node bench/recall/run.ts [--server postgres://...] [--lessons 10000] [--turns 500]
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { LIMIT_MS, measure, PEER, printed } from './measure.ts'

const { values } = parseArgs({
  options: { server: { type: 'string' }, lessons: { type: 'string' }, turns: { type: 'string' } },
})
const plan = { lessons: Number(values.lessons ?? 10_000), turns: Number(values.turns ?? 500) }
const dir = mkdtempSync(join(tmpdir(), 'treadle-bench-recall-'))
const found = await measure({ is: 'embedded', dir }, plan).finally(() =>
  rmSync(dir, { recursive: true, force: true }),
)
process.stdout.write(printed(`the embedded database, ${plan.lessons} lessons`, found))
const all = [...found]
if (values.server !== undefined) {
  const schema = `bench_${randomBytes(6).toString('hex')}`
  const onServer = await measure({ is: 'server', url: values.server }, { ...plan, schema })
  const pool = new Pool({ connectionString: values.server, max: 1 })
  await pool.query(`drop schema ${schema} cascade; drop schema ${schema}_jobs cascade`)
  await pool.end()
  process.stdout.write(printed(`PostgreSQL, ${plan.lessons} lessons`, onServer))
  all.push(...onServer)
}
if (all.some(({ name, p50 }) => name !== PEER && p50 > LIMIT_MS)) {
  process.stdout.write(`not all below ${LIMIT_MS} ms\n`)
  process.exitCode = 1
}
