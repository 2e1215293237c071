// The short form in the long tier; `npm run chaos` runs the whole: eight agents, two hundred items.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFullChaos, oneSeed } from '@treadle/requirements/seeds'
import { expect } from 'vitest'
import { cleanEnv } from '../env.ts'
import { shareTemplates } from '../kit/workspace.ts'
import { type ChaosPlan, chaosRun } from './chaos-run.ts'
import { FAULTS } from './faults.ts'

const MINUTE = 60_000
type Size = Pick<ChaosPlan, 'agents' | 'items' | 'faultsMs' | 'endMs'>
const SIZE: Size = isFullChaos
  ? { agents: 8, items: 200, faultsMs: 60 * MINUTE, endMs: 20 * MINUTE }
  : { agents: 3, items: 6, faultsMs: 0.35 * MINUTE, endMs: 20 * MINUTE }

oneSeed(
  'whatever is killed or broken, each item is done once, nothing is lost and nothing is left',
  async ({ seed }) => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-chaos-')))
    shareTemplates(dir)
    process.stderr.write(`chaos: ${SIZE.agents} agents, ${SIZE.items} items\n`)
    try {
      const { faults, events, startUpMs, spentUSD } = await chaosRun({
        root: join(dir, 'shop'),
        env: cleanEnv(dir),
        seed,
        ...SIZE,
      })
      const count = FAULTS.reduce((sum, fault) => sum + faults[fault], 0)
      const kinds = FAULTS.map((fault) => `${fault} ${faults[fault]}`).join(', ')
      process.stderr.write(
        `survived ${count} faults (${kinds}); ${events} events; the last start took ${startUpMs} ms; $${spentUSD.toFixed(2)} in the ledger\n`,
      )
      expect(FAULTS.filter((fault) => faults[fault] === 0)).toEqual([])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
  { timeout: 90 * MINUTE },
)
