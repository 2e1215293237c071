// A bounded form of node bench/step-overhead/run.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../tools/postgres.ts'
import { type Contender, type Measured, measure } from './measure.ts'
import { printed, verdict } from './table.ts'

const PLAN = { steps: 100, rounds: 3 }
/** How often a busy machine may be forgiven. */
const TRIES = 3

const tools = mkdtempSync(join(tmpdir(), 'treadle-bench-steps-'))
let postgres: TestPostgres | null = null
beforeAll(async () => {
  postgres = await startPostgres(true)
})
afterAll(async () => {
  if (postgres?.is === 'running') await postgres.stop()
  rmSync(tools, { recursive: true, force: true })
})

test('a step of the native engine costs less than one of LangGraph.js, in memory and durable', async () => {
  const serverUrl = postgres?.is === 'running' ? postgres.url : null
  const tries: Measured[] = []
  while (tries.length < TRIES && !tries.some(isAhead))
    tries.push(await measure({ ...PLAN, serverUrl, tools }))
  const last = tries.at(-1)
  if (last !== undefined) process.stdout.write(`${printed(last)}${verdict(last)}`)
  expect(last?.times.memory?.stepMs).toBeGreaterThan(0)
  expect(tries.some(isAhead)).toBe(true)
})

/** As far as there is somebody to be ahead of. */
function isAhead({ times }: Measured): boolean {
  const less = (a: Contender, b: Contender) => {
    const [one, other] = [times[a]?.stepMs, times[b]?.stepMs]
    return one === undefined || other === undefined || one < other
  }
  return less('memory', 'peerMemory') && less('spool', 'peerDurable') && less('api', 'peerDurable')
}
