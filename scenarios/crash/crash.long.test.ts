import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { expect } from 'vitest'
import { cleanEnv } from '../env.ts'
import { shareTemplates } from '../kit/workspace.ts'
import { crashRun } from './crash-run.ts'

const ITEMS = isFullChaos ? 10 : 4

// Merged one by one, with other faults besides, they are in scenarios/chaos. The whole number by `npm run chaos`.
const BATCHES = { how: 'in batches', kills: isFullChaos ? 10 : 3, batch: 4 }
const WAYS = isFullChaos ? [{ how: 'one by one', kills: 20, batch: 1 }, BATCHES] : [BATCHES]
for (const { how, kills, batch } of WAYS)
  eachSeed(
    `${ITEMS} items merged ${how}, ${kills} kills: each merged exactly once, nothing lost, nothing left`,
    async ({ seed }) => {
      const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-crash-')))
      shareTemplates(dir)
      try {
        const report = await crashRun({
          root: join(dir, 'shop'),
          env: cleanEnv(dir),
          items: ITEMS,
          agents: isFullChaos ? 3 : 2,
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
