// A bounded form of node bench/claims/run.ts, and the same claims over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { afterAll, expect, test } from 'vitest'
import { DRIVERS, useDaemon } from '../../scenarios/kit/daemon.ts'
import { measure } from './measure.ts'
import { timeHttp } from './over-http.ts'
import { printed, verdict } from './table.ts'

const PLAN = { rounds: 3, claims: 300, gaps: 100 }
const NAMES = { embedded: 'the embedded database', server: 'PostgreSQL' } as const

const tools = mkdtempSync(join(tmpdir(), 'treadle-bench-claims-'))
afterAll(() => rmSync(tools, { recursive: true, force: true }))
const daemons = { embedded: useDaemon('embedded'), server: useDaemon('server') }

test.for(DRIVERS)('claims per second and the gap before a claim, %s', async (driver, context) => {
  const serverUrl = driver === 'server' ? needPostgres(context) : null
  const found = await measure({ ...PLAN, serverUrl, tools })
  const http = await timeHttp(await daemons[driver](context), PLAN.claims)
  process.stdout.write(`${printed(NAMES[driver], found, http)}${verdict(found)}`)
  expect(found.statements).toBeGreaterThan(0)
  expect(found.rates.ours.perSecond).toBeGreaterThan(0)
})
