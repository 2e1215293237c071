import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { expect } from 'vitest'
import { cleanEnv } from '../env.ts'
import { crashRun } from './crash-run.ts'

// The whole number by `npm run chaos`.
const KILLS = isFullChaos ? 20 : 6
const ITEMS = isFullChaos ? 10 : 6

const WAYS = [
  { how: 'one by one', kills: KILLS, batch: 1 },
  { how: 'in batches', kills: KILLS / 2, batch: 4 },
]
for (const { how, kills, batch } of WAYS)
  eachSeed(
    `${ITEMS} items merged ${how}, ${kills} kills: each merged exactly once, nothing lost, nothing left`,
    async ({ seed }) => {
      const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-crash-')))
      try {
        const report = await crashRun({
          root: join(dir, 'shop'),
          env: cleanEnv(dir),
          items: ITEMS,
          agents: 3,
          kills,
          seed,
          batch,
        })
        process.stderr.write(
          `survived ${report.daemonKills} kills of the daemon and ${report.agentKills} of agents\n`,
        )
        expect(report.daemonKills).toBeGreaterThan(0)
        expect(report.agentKills).toBeGreaterThan(0)
        expect(report.daemonKills + report.agentKills).toBeGreaterThanOrEqual(kills)
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    },
  )
