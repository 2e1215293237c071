// A crew with little money: it stops in time, stays stopped, and goes on when there is more.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { everythingIn, kill, waitGone } from '../kit/processes.ts'
import {
  type Attempts,
  addRepair,
  allEvents,
  hold,
  letGo,
  mergedOnMain,
  repair,
  type Step,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

const use = (usd: number): Step => ({
  use: { model: 'claude-sonnet-4-5', inputTokens: 10_000, outputTokens: 1_000, usd },
})
const think: Step = { wait: { ms: 50 } }

/** Four calls, then the change. */
const dear = (n: number, usd: number): Attempts => [
  [use(usd), think, use(usd), think, use(usd), think, use(usd), think, repair(n)],
]

/** The budget as a person changes it: in the file. */
function setDaily(workspace: Workspace, dailyBudgetUSD: number): void {
  const settings = JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as Record<string, unknown>
  workspace.setConfig({ ...settings, agents: { dailyBudgetUSD } })
}

async function stopped(daemon: Daemon): Promise<Answer<'costTotals'>> {
  return eventually(
    'a stop of everyone',
    async () => {
      const totals = await daemon.client.costTotals()
      const { items } = await daemon.client.listAgents()
      return totals.hold.is === 'all' && items.every(({ pid }) => pid === null) ? totals : undefined
    },
    90_000,
  )
}

verifies(
  ['ORCH-S1-12', 'ORCH-2.4-5', 'AC-2.4.d', 'ORCH-2.4-1'],
  'with two dollars it stops at two dollars, stays stopped, and goes on when the limit is raised',
  async () => {
    const cost = 0.3
    const scripts = [1, 2, 3, 4].map((n) => dear(n, cost))
    const workspace = shop({ scripts, settings: { agents: { dailyBudgetUSD: 2 } } })
    const daemon = await up(workspace, 2)
    for (const n of [1, 2, 3, 4]) await addRepair(daemon, n)

    const first = await stopped(daemon)
    expect(first.totalUSD).toBeGreaterThan(1)
    expect(first.totalUSD).toBeLessThanOrEqual(2 + 2 * cost)
    await eventually('no process but the daemon', () =>
      everythingIn(workspace).length === 1 ? true : undefined,
    )
    const orders = await eventually('the order in the audit log', async () => {
      const given = (await allEvents(daemon)).flatMap(({ event }) =>
        event.type === 'order.given' && event.order === 'emergency_stop' && event.begun === undefined
          ? [event]
          : [],
      )
      return given.length === 0 ? undefined : given
    })
    expect(orders).toMatchObject([{ by: 'system:budget' }])
    const crossed = (await allEvents(daemon)).flatMap(({ event }) =>
      event.type === 'budget.crossed' ? [[event.percent, event.level]] : [],
    )
    expect(crossed.filter(([percent]) => percent === 100)).toEqual([[100, 'critical']])
    await staysStopped(workspace, daemon)

    // They come back by themselves, and stop again.
    setDaily(workspace, 3.5)
    await eventually('agents that run again', () => (everythingIn(workspace).length > 1 ? true : undefined))
    const second = await stopped(daemon)
    expect(second.totalUSD).toBeGreaterThan(2)
    expect(second.totalUSD).toBeLessThanOrEqual(3.5 + 2 * cost)

    // An order to start waits for the money.
    const told = await treadle(workspace, ['up', '--detach', '--agents', '2'])
    expect(told.stderr).toContain('All agents are stopped: the daily budget is used up')
    await sleep(1_500)
    expect(everythingIn(workspace)).toEqual([daemon.pid])
    setDaily(workspace, 100)
    for (const n of [1, 2, 3, 4]) await until(daemon, n, 'done')
    expect(mergedOnMain(workspace).toSorted()).toEqual(['1/1', '1/2', '1/3', '1/4'])
    await addsUp(daemon)
  },
  { timeout: 10 * 60_000 },
)

async function staysStopped(workspace: Workspace, daemon: Daemon): Promise<void> {
  const said = await treadle(workspace, ['status'])
  expect(said.stdout).toContain('All agents are stopped: the daily budget is used up')
  expect(said.stdout).toContain('raise agents.dailyBudgetUSD')
  const costs = await treadle(workspace, ['costs'])
  expect(costs.stdout).toMatch(/^Today \(UTC\): \$[12]\.\d\d \/ \$2\.00 \(\d+\.\d%\) critical/)
  expect(costs.stdout).toMatch(/^agent-[12]\t\$\d\.\d\d\t\d+\t/m)
  await treadle(workspace, ['agent', 'start', '1'])
  await sleep(1_500)
  expect(everythingIn(workspace)).toEqual([daemon.pid])
  await expect(daemon.client.nextForAgent({ params: { id: 'agent-7' } })).resolves.toMatchObject({
    is: 'stop',
  })
}

/** What the parts say is what the whole says, and nothing is left set aside. */
async function addsUp(daemon: Daemon): Promise<void> {
  const totals = await eventually('no reservation', async () => {
    const found = await daemon.client.costTotals()
    return found.reservedUSD === 0 ? found : undefined
  })
  const sum = (parts: readonly { costUSD: number }[]) => parts.reduce((all, each) => all + each.costUSD, 0)
  expect(sum(totals.items)).toBeCloseTo(totals.totalUSD, 9)
  expect(sum(totals.agents)).toBeCloseTo(totals.totalUSD, 9)
  const logged = (await allEvents(daemon)).flatMap(({ event }) =>
    event.type === 'cost.logged' ? [event] : [],
  )
  expect(logged.length).toBeGreaterThanOrEqual(totals.calls)
  expect(totals.totalUSD).toBeGreaterThanOrEqual(16 * 0.3 - 1e-9)
}

verifies(
  ['AC-2.4.e', 'ORCH-2.4-11'],
  'while the daemon is away a call counts at its worst case, which still stops the agent in the end; real figures come later',
  async () => {
    const script: Attempts = [
      [
        { write: { file: 'notes/at-work.txt', text: 'half way\n' } },
        hold('go-1'),
        { delete: { file: 'notes/at-work.txt' } },
        use(0.1),
        think,
        use(0.1),
        think,
        use(0.1),
        { wait: { ms: 2_000 } },
        repair(1),
      ],
    ]
    // One call is set aside before the daemon goes; what is left then covers one more that is only assumed.
    const workspace = shop({ scripts: [script], settings: { agents: { dailyBudgetUSD: 1.7 } } })
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    kill(daemon.pid)
    await waitGone(daemon.pid)
    letGo(workspace, 'go-1')
    const log = () => readFileSync(`${workspace.paths.logs}/agent-1.log`, 'utf8')
    await eventually('the assumption in the log', () =>
      log().includes('warning: the daemon is away; the next call is taken to cost $0.50') ? true : undefined,
    )
    await eventually('the end of what it may spend alone', () =>
      /the daemon is away and \$0\.\d\d are left for this agent/.test(log()) ? true : undefined,
    )
    const again = await up(workspace, 1)
    await until(again, 1, 'done')
    const totals = await eventually('the real figures', async () => {
      const found = await again.client.costTotals()
      return found.reservedUSD === 0 && found.items.length === 1 ? found : undefined
    })
    // Three calls of each time that the script was played, and what was cut off in the middle.
    const real = totals.totalUSD - totals.assumedUSD
    expect(real).toBeGreaterThanOrEqual(0.3 - 1e-9)
    expect(Math.abs(real * 10 - Math.round(real * 10))).toBeLessThan(1e-6)
    expect(totals.totalUSD).toBeLessThanOrEqual(1.7 + 0.1)
  },
)
