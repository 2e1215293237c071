// What it costs a large process to have git run: as its own child, and by the small process that starts it, in turn.
import { startGit, useGitLauncher } from '@treadle/git/git-launcher'
import { type GitOutput, spawnGit } from '@treadle/git/git-process'
import { expect, test } from 'vitest'
import { median, round, table } from '../start/numbers.ts'

const STARTS = 30
/** About what a daemon holds with its database in memory. */
const RESIDENT_BYTES = 200 * 1024 * 1024

async function cost(run: () => Promise<GitOutput>): Promise<{ cpu: number; held: number }> {
  const before = process.cpuUsage()
  const started = performance.now()
  const running = run()
  const held = performance.now() - started
  await running
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1_000, held }
}

test('a large process spends at most half as much on git that a small one starts for it', async () => {
  const resident = Buffer.alloc(RESIDENT_BYTES, 1)
  const run = { cwd: process.cwd(), env: { PATH: '/usr/local/bin:/usr/bin:/bin' } }
  useGitLauncher()
  await startGit(['version'], run)
  const own: { cpu: number; held: number }[] = []
  const launched: { cpu: number; held: number }[] = []
  for (let turn = 0; turn < STARTS; turn += 1) {
    own.push(await cost(() => spawnGit(['version'], run)))
    launched.push(await cost(() => startGit(['version'], run)))
  }
  expect(resident.length).toBe(RESIDENT_BYTES)
  const of = (costs: typeof own, what: 'cpu' | 'held') => median(costs.map((one) => one[what]))
  const ratio = of(launched, 'cpu') / of(own, 'cpu')
  process.stdout.write(
    table(`git version from ${RESIDENT_BYTES / 1024 / 1024} MB, ms, ${STARTS} pairs, medians`, [
      ['', 'own child', 'launched', 'ratio'],
      [
        'processor time of the large process',
        round(of(own, 'cpu'), 1),
        round(of(launched, 'cpu'), 1),
        round(ratio, 2),
      ],
      ['nothing else can run in it', round(of(own, 'held'), 1), round(of(launched, 'held'), 1), ''],
    ]),
  )
  expect(ratio).toBeLessThan(0.5)
})
