// The short form: a few kills in every test run. The full form is crash.long.test.ts.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { crashRun } from './crash-run.ts'

test('a crew whose daemon and agents are killed ends like an undisturbed one', {
  timeout: 300_000,
}, async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-crash-')))
  try {
    const report = await crashRun({
      root: join(dir, 'shop'),
      env: cleanEnv(dir),
      items: 4,
      agents: 2,
      kills: 5,
      seed: 7,
    })
    expect(report.daemonKills).toBeGreaterThan(0)
    expect(report.agentKills).toBeGreaterThan(0)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
