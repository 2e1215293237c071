// The whole crew at once, killed in an emergency; the rest of what is ordered is in all-agents.long.test.ts.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry, OrderGiven } from '@treadle/contracts/order'
import { checkpointRef } from '@treadle/flow/work/work-world'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test, vi } from 'vitest'
import { agentsOf } from '../kit/agents.ts'
import { type Daemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { listenFrom } from '../kit/event-stream.ts'
import { everythingIn, kill, waitGone } from '../kit/processes.ts'
import {
  type Attempts,
  addRepair,
  itemNumber,
  letGo,
  mergedOnMain,
  repair,
  session,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
// Each step is a command of its own, with a Node to start.
vi.setConfig({ testTimeout: 400_000 })
/** So long that whoever waits for a graceful end is noticed. */
const GRACE_MS = 120_000

/** An engine that does not care about being asked to end, with a child that left its group. */
function stubbornRepair(n: number): Attempts {
  const wait = `while [ ! -e ../../../../home/go-${n} ]; do sleep 0.2; done`
  return [
    [
      { write: { file: 'notes/at-work.txt', text: 'half way\n' } },
      { run: { command: `trap '' TERM HUP INT; (trap '' TERM; setsid sh -c "${wait}" &); ${wait}` } },
      { delete: { file: 'notes/at-work.txt' } },
      repair(n),
    ],
  ]
}

/** What is done by three agents, and what an engine does that is killed in the middle of it. */
const OF_THREE = [1, 2, 3, 4, 5, 6].map((n) => (n === 2 ? stubbornRepair(n) : slowRepair(n)))
let three: Promise<Daemon> | undefined

/** Three agents, each in the middle of an engine's turn; one crew for the two tests that kill it. */
async function threeAtWork(numbers: readonly number[]): Promise<Daemon> {
  three ??= up(shop({ scripts: OF_THREE, settings: { limits: { stopGraceMs: GRACE_MS } } }), 3)
  const daemon = await three
  for (const n of numbers) await addRepair(daemon, n)
  for (const n of numbers) await untilHolding(daemon, n)
  return daemon
}

verifies(
  ['ORCH-2.5-6', 'ORCH-5.5-1', 'ORCH-5.5-12', 'AC-5.5.b'],
  'an emergency stop kills every tree at once, releases every claim and keeps the work',
  async () => {
    const daemon = await threeAtWork([1, 2, 3])
    const { workspace } = daemon
    const held = await Promise.all([1, 2, 3].map((n) => itemNumber(daemon, n)))
    // One of them stands still; it cannot even be asked.
    await told(workspace, 'agent', 'pause', held[2]?.claimedByAgentId ?? '', '--now')
    // A part that fails: this worktree may not be removed.
    const locked = `${held[0]?.claimedByAgentId}-1-1`
    workspace.git('worktree', 'lock', join(workspace.paths.worktrees, locked))

    const refused = await treadle(workspace, ['stop-all'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('This will stop 3 active agents working on projects #')
    for (const agent of await agentsOf(daemon)) expect(refused.stderr).toContain(agent.id)
    expect((await agentsOf(daemon)).map(({ wanted }) => wanted).sort()).toEqual([
      'paused',
      'running',
      'running',
    ])

    const began = performance.now()
    const ended = await treadle(workspace, ['stop-all', '--yes', '--json'])
    expect(performance.now() - began).toBeLessThan(GRACE_MS)
    const stopped = JSON.parse(ended.stdout) as OrderGiven
    expect(stopped.failed).toEqual([expect.stringContaining('is locked')])
    expect(ended.code).toBe(1)
    expect(everythingIn(workspace)).toEqual([daemon.pid])

    for (const [index, before] of held.entries()) {
      const n = index + 1
      expect(await itemNumber(daemon, n)).toMatchObject({
        state: 'backlog',
        claimedByAgentId: null,
        fence: before.fence,
        reason: expect.stringContaining('emergency stop by '),
      })
      if (n > 1) {
        const kept = checkpointRef(before.runId ?? '', 'last')
        expect(workspace.git('show', `${kept}:notes/at-work.txt`)).toBe('half way')
      }
    }
    expect(readdirSync(workspace.paths.worktrees)).toEqual([locked])
    for (const agent of await agentsOf(daemon)) {
      expect(agent).toMatchObject({ wanted: 'stopped', status: 'stopped', pid: null, item: null })
      expect(session(workspace, Number(agent.id.slice(-1)))).toMatchObject({
        status: 'stopped',
        currentProjectNumber: null,
      })
    }
    const [last] = await told<AuditEntry[]>(workspace, 'audit')
    expect(last).toMatchObject({ id: stopped.id, order: 'emergency_stop', by: stopped.by })
    // Again: nothing to do, and nothing wrong.
    const again = await told<OrderGiven>(workspace, 'stop-all')
    expect(again).toMatchObject({ outcome: 'no agent was running; no claim was held', failed: [] })
    await goesOn(daemon, locked)
  },
)

/** Whoever is started again takes everything up, and it is merged once. */
async function goesOn({ workspace }: Daemon, locked: string): Promise<void> {
  workspace.git('worktree', 'unlock', join(workspace.paths.worktrees, locked))
  for (const n of [1, 2, 3]) letGo(workspace, `go-${n}`)
  const daemon = await up(workspace, 3)
  for (const n of [1, 2, 3]) expect((await until(daemon, n, 'done')).fence).toBe(2)
  expect(mergedOnMain(workspace).sort()).toEqual(['1/1', '1/2', '1/3'])
}

test('a daemon that is killed over an emergency stop leaves its line in the log, and the next one ends it', async () => {
  const daemon = await threeAtWork([4, 5, 6])
  const { workspace } = daemon
  const stops = async () =>
    (await told<AuditEntry[]>(workspace, 'audit')).filter(({ order }) => order === 'emergency_stop')
  const before = (await stops()).length
  const newest = await daemon.client.newestEvents({ query: { limit: 1 } })
  const listener = await listenFrom(daemon, newest.items.at(-1)?.cursor)
  const asked = treadle(workspace, ['stop-all', '--yes', '--json'])
  await eventually('the order', () =>
    listener.heard.some(({ event }) => event.type === 'order.given' && event.order === 'emergency_stop')
      ? true
      : undefined,
  )
  kill(daemon.pid)
  await waitGone(daemon.pid)
  await asked
  const next = await up(workspace, 0)
  const [last, ...earlier] = await stops()
  expect(last).toMatchObject({ outcome: expect.stringMatching(/stopped|no agent was running/) })
  expect(earlier).toHaveLength(before)
  // Whether the stop or the loss of its agent releases an item depends on the moment of the kill.
  for (const n of [4, 5, 6])
    await eventually(`#${n} is released`, async () => {
      const { state, claimedByAgentId } = await itemNumber(next, n)
      return state === 'backlog' && claimedByAgentId === null ? true : undefined
    })
  await stopDaemon(next)
})
