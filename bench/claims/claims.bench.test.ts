// A bounded form of node bench/claims/run.ts, and the same claims over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, describe, expect } from 'vitest'
import { DRIVERS, useDaemon } from '../../scenarios/kit/daemon.ts'
import type { Driven } from './drive.ts'
import { measure } from './measure.ts'
import { timeHttp } from './over-http.ts'
import { printed, verdict } from './table.ts'

const PLAN = { rounds: 10, claims: 200, gaps: 100 }
const NAMES = { embedded: 'the embedded database', server: 'PostgreSQL' } as const
/** What a claim may take while nine others are made, and how often a busy machine may be forgiven. */
const CLAIM_MS = 500
const TRIES = 5

const tools = mkdtempSync(join(tmpdir(), 'treadle-bench-claims-'))
afterAll(() => rmSync(tools, { recursive: true, force: true }))

describe.each(DRIVERS)('claims on the %s database', (driver) => {
  const daemon = useDaemon(driver)

  verifies(
    'ORCH-2.1-10',
    'claims per second, the gap before a claim, and ten agents that claim over HTTP at once',
    async (context) => {
      const serverUrl = driver === 'server' ? needPostgres(context) : null
      const found = await measure({ ...PLAN, serverUrl, tools })
      const tries: Driven[] = []
      while (tries.length < TRIES && !tries.some(isQuick))
        tries.push(await timeHttp(await daemon(context), PLAN.claims))
      process.stdout.write(`${printed(NAMES[driver], found, tries.at(-1) ?? null)}${verdict(found)}`)
      expect(found.statements).toBeGreaterThan(0)
      expect(found.rates.ours.perSecond).toBeGreaterThan(0)
      expect(tries.some(isQuick)).toBe(true)
    },
  )
})

/** The slowest of them, not the half. */
function isQuick({ slowest }: Driven): boolean {
  return slowest < CLAIM_MS
}
