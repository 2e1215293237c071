import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { verifies } from '@treadle/requirements/verifies'
import { Pool } from 'pg'
import { expect } from 'vitest'
import { LIMIT_MS, type Measured, measure, printed } from './measure.ts'

const PLAN = { agents: 10, items: 5_000, events: 50_000, turns: 10 }
/** How often a busy machine may be forgiven. */
const TRIES = 3

const isQuick = ({ metrics }: Measured) => metrics.every(({ p50 }) => p50 < LIMIT_MS)

async function tried(title: string, once: () => Promise<Measured>): Promise<void> {
  const tries: Measured[] = []
  while (tries.length < TRIES && !tries.some(isQuick)) {
    const found = await once()
    process.stdout.write(printed(title, found))
    expect(found.completed).toBe(PLAN.items)
    tries.push(found)
  }
  expect(tries.some(isQuick)).toBe(true)
}

verifies('AC-5.4.b', 'metrics of a busy month within a second on the embedded database', async () => {
  await tried('the embedded database', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'treadle-bench-metrics-'))
    return measure({ is: 'embedded', dir }, PLAN).finally(() => rmSync(dir, { recursive: true }))
  })
})

verifies('AC-5.4.b', 'metrics of a busy month within a second on PostgreSQL', async (context) => {
  const url = needPostgres(context)
  await tried('PostgreSQL', async () => {
    const schema = `bench_${randomBytes(6).toString('hex')}`
    const found = await measure({ is: 'server', url }, { ...PLAN, schema })
    const pool = new Pool({ connectionString: url, max: 1 })
    await pool.query(`drop schema ${schema} cascade; drop schema ${schema}_jobs cascade`)
    await pool.end()
    return found
  })
})
