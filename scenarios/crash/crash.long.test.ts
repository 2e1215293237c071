import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chaosChoice, cleanEnv } from '../env.ts'
import { crashRun } from './crash-run.ts'

// The whole number by `npm run chaos`.
const KILLS = chaosChoice().size === 'full' ? 20 : 8

test.each([
  ['one by one', KILLS, 1],
  ['in batches', KILLS / 2, 4],
])(
  'ten items merged %s, %s kills: each merged exactly once, nothing lost, nothing left',
  {
    timeout: 900_000,
  },
  async (_, kills, batch) => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-crash-')))
    const seed = Math.floor(Math.random() * 1_000_000)
    process.stderr.write(`crash seed ${seed}\n`)
    try {
      const report = await crashRun({
        root: join(dir, 'shop'),
        env: cleanEnv(dir),
        items: 10,
        agents: 3,
        kills,
        seed,
        batch,
      })
      process.stderr.write(
        `survived ${report.daemonKills} kills of the daemon and ${report.agentKills} of agents\n`,
      )
      expect(report.daemonKills + report.agentKills).toBeGreaterThanOrEqual(kills)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
