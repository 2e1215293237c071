// What is not well reaches a person: a real crew, checked often, in a real browser.
import { readFileSync } from 'node:fs'
import { Config } from '@treadle/contracts/config'
import type { Notification } from '@treadle/contracts/notification'
import { verifies } from '@treadle/requirements/verifies'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { browserPages, goTo, openLive } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { confirmOrder } from '../kit/orders.ts'
import { addRepair, letGo, slowRepair, told, until, untilHolding, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
const inBrowser = browserPages()
const LIMITS = { heartbeatMs: 100, degradedMs: 3_000, unresponsiveMs: 6_000, stopGraceMs: 500 }
const SOON = { checkMs: 300 }

let started: Promise<Daemon> | undefined
/** One crew for all tests of the file: an agent with work in hand that the test ends. */
function crew(): Promise<Daemon> {
  const start = async () => {
    const settings = {
      limits: LIMITS,
      monitoring: SOON,
      agents: { dailyBudgetUSD: 10, monthlyBudgetUSD: 1_000 },
    }
    const daemon = await up(shop({ scripts: [slowRepair(1)], settings }), 1)
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    return daemon
  }
  started ??= start()
  return started
}

/** As a person changes the settings: in the file. */
function change({ workspace }: Daemon, changed: Readonly<Record<string, object>>): void {
  const settings = JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as Record<string, object>
  for (const [section, values] of Object.entries(changed))
    settings[section] = { ...settings[section], ...values }
  workspace.setConfig(settings)
}

const alertsOf = async ({ client }: Daemon, all: 'true' | 'false' = 'false'): Promise<Notification[]> =>
  (await client.listNotifications({ query: { alerts: 'true', all } })).items

function untilAlert(
  daemon: Daemon,
  what: string,
  test: (alert: Notification) => boolean,
): Promise<Notification> {
  return eventually(what, async () => (await alertsOf(daemon, 'true')).find(test))
}

const banner = (page: Page) => page.getByRole('region', { name: 'Notices' })
/** Shown, or folded because there are graver ones. */
const row = (page: Page, text: string | RegExp) => banner(page).locator('li').filter({ hasText: text })

verifies(
  ['ORCH-5.2-12', 'ORCH-5.2-13'],
  'an agent that is halted from outside is told of on every screen; restarted, it is well again, and the log has it',
  async () => {
    const daemon = await crew()
    const { pid } = await agentOf(daemon)
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      // Of the least level too: nothing else waits in the queue.
      await row(page, 'The queue is low').getByText('Info').waitFor({ state: 'attached' })
      process.kill(pid ?? 0, 'SIGSTOP')
      const silent = row(page, 'agent-1 has given no sign of life')
      await silent.getByText('Error').waitFor()
      for (const screen of ['Work', 'Costs', 'Health']) {
        await goTo(page, screen)
        await silent.waitFor()
      }
      await silent.getByRole('button', { name: 'Restart agent: agent-1' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Restart it' }).click()
      await silent.waitFor({ state: 'detached' })
      await page
        .getByRole('row')
        .filter({ hasText: 'no sign of life' })
        .filter({ hasText: 'Error' })
        .getByText('over after')
        .first()
        .waitFor()
    })
    const again = await untilAgent(
      daemon,
      'started again',
      (agent) => agent.pid !== null && agent.pid !== pid,
    )
    expect(again.item).toMatchObject({ number: 1 })
    const over = await untilAlert(
      daemon,
      'the end',
      ({ type, resolvedAt }) => type === 'health.agent_unresponsive' && resolvedAt !== null,
    )
    expect(over).toMatchObject({ level: 'error', subject: 'agent agent-1', resolvedAt: expect.any(String) })
    const listed = await told<Notification[]>(daemon.workspace, 'notifications', '--all', '--alerts')
    expect(listed.map(({ id }) => id)).toContain(over.id)
  },
)

verifies('AC-5.2.e', 'a stuck agent is told of as critical, with a button that restarts it', async () => {
  const daemon = await crew()
  const { pid } = await untilAgent(daemon, 'at work', ({ status }) => status === 'working')
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    change(daemon, { monitoring: { stuckMs: 1_000 } })
    const stuck = row(page, 'agent-1 is stuck')
    await stuck.getByText('Critical').waitFor()
    await stuck.getByRole('button', { name: 'Restart agent' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart it' }).click()
    const again = await untilAgent(
      daemon,
      'started again',
      (agent) => agent.pid !== null && agent.pid !== pid,
    )
    expect(again.item).toMatchObject({ number: 1 })
    change(daemon, { monitoring: { stuckMs: 1_800_000 } })
    await stuck.waitFor({ state: 'detached' })
  })
})

verifies(
  'ORCH-S5-20',
  'thresholds of alerts have defaults, and a workspace that sets one is judged by its own',
  async () => {
    const daemon = await crew()
    await daemon.client.addItem({ body: { title: 'It waits for somebody' } })
    const { checkedAt } = await daemon.client.runHealthChecks()
    expect(checkedAt).not.toBeNull()
    const high = async () => (await alertsOf(daemon)).find(({ type }) => type === 'health.queue_high')
    // One item waits, and ten may by default.
    expect(await high()).toBeUndefined()
    change(daemon, { monitoring: { queueLow: 0, queueHigh: 0 } })
    expect(await eventually('a queue that is high', high)).toMatchObject({ level: 'warning' })
    change(daemon, { monitoring: { queueLow: 3, queueHigh: 10 } })
    await eventually('the end of it', async () => ((await high()) === undefined ? true : undefined))
  },
)

verifies(
  ['ORCH-5.2-1', 'AC-5.2.a'],
  'checks are made again and again, every minute unless something else is set, and judge everybody in time',
  async () => {
    const daemon = await crew()
    expect(Config.parse({}).monitoring.checkMs).toBe(60_000)
    const seen = new Set<string>()
    const report = await eventually('five rounds', async () => {
      const found = await daemon.client.healthChecks()
      if (found.checkedAt !== null) seen.add(found.checkedAt)
      return seen.size < 5 ? undefined : found
    })
    expect(report).toMatchObject({ off: null, everyMs: SOON.checkMs, skipped: [] })
    for (let n = 2; n <= 10; n += 1) {
      const params = { id: `agent-${n}` as const }
      const beat = {
        status: 'idle',
        currentProjectNumber: null,
        timestamp: new Date().toISOString(),
      } as const
      const vitals = { memoryUsage: 1, cpuUsage: 1, pid: 1_000 + n, engine: 'scripted', phase: null }
      const counts = { tasksCompleted: 0, errorCount: 0, lastError: null }
      await daemon.client.heartbeat({ params, body: { agentId: params.id, ...beat, ...vitals, ...counts } })
    }
    const { checks, tookMs } = await daemon.client.runHealthChecks()
    const judged = checks.filter(({ check }) => check === 'responsiveness').map(({ agentId }) => agentId)
    expect(judged).toEqual(expect.arrayContaining(Array.from({ length: 10 }, (_, at) => `agent-${at + 1}`)))
    expect(tookMs).toBeLessThan(5_000)
  },
)

verifies(
  'ORCH-1.3-7',
  'the health of the crew is asked for every ten seconds while it is shown',
  async () => {
    const daemon = await crew()
    await inBrowser(daemon, async (page) => {
      await page.clock.install()
      let asked = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/agents/health')) asked += 1
      })
      await openLive(page, daemon)
      await goTo(page, 'Health')
      await page.getByRole('heading', { name: 'Thresholds' }).waitFor()
      for (let times = 0; times < 3; times += 1) {
        const before = asked
        await page.clock.runFor(10_000)
        await eventually('the next question', () => (asked > before ? true : undefined))
        expect(asked - before).toBeLessThanOrEqual(2)
      }
    })
  },
)

verifies(
  ['ORCH-2.4-6', 'ORCH-2.4-7', 'ORCH-2.4-8', 'ORCH-2.4-9'],
  'as a budget is spent the page shows it: info, warning, an error with no new claims, and the stop of everyone',
  async () => {
    const daemon = await crew()
    const spend = (costUSD: number) =>
      daemon.client.logCost({
        body: {
          agentId: 'agent-1',
          projectNumber: 1,
          tokens: { input: 1, output: 1 },
          costUSD,
          timestamp: new Date().toISOString(),
        },
      })
    const holds = async () => (await daemon.client.workspace()).holds.join()
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      const told = (title: string, level: string) =>
        row(page, title).getByText(level).waitFor({ state: 'attached' })
      await spend(5)
      await told('50% of the daily budget', 'Info')
      await spend(2.5)
      await told('75% of the daily budget', 'Warning')
      expect(await holds()).toBe('')
      await spend(1.5)
      await told('90% of the daily budget', 'Error')
      expect(await holds()).toContain('the daily budget is nearly used up')
      await spend(1)
      await told('The daily budget is used up', 'Critical')
      await untilAgent(daemon, 'stopped', ({ pid, status }) => pid === null && status === 'stopped')
    })
    change(daemon, { agents: { dailyBudgetUSD: 1_000 } })
    // There is money again: what was told of it is over.
    await eventually('the end of all four', async () =>
      (await alertsOf(daemon)).some(({ type }) => type === 'budget.crossed') ? undefined : true,
    )
    await untilAgent(daemon, 'at work again', ({ status }) => status === 'working')
  },
)

verifies(
  'ORCH-S4-9',
  'before the fifth stage nothing is checked; the switch turns the checks on and off',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const settings = JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as Record<string, object>
    const isOff = (off: boolean) =>
      eventually(`off: ${off}`, async () => {
        const { items } = await daemon.client.listNotifications({ query: { alerts: 'true' } })
        const report = await daemon.client.healthChecks()
        const checked = report.checkedAt !== null
        const told = items.some(({ type }) => type.startsWith('health.'))
        return (report.off !== null) === off && checked === !off && told === !off ? true : undefined
      })
    await isOff(false)
    workspace.setConfig({ ...settings, rolloutStage: 4 })
    await isOff(true)
    workspace.setConfig({ ...settings, rolloutStage: 4, flags: { enable_advanced_monitoring: true } })
    await isOff(false)
    workspace.setConfig({ ...settings, flags: { enable_advanced_monitoring: false } })
    await isOff(true)
    workspace.setConfig({ ...settings, rolloutStage: 5 })
    await isOff(false)
    // The crew has worked all the while.
    letGo(workspace, 'go-1')
    expect(await until(daemon, 1, 'done')).toMatchObject({ status: 'done' })
  },
)

test('a rollback is shown in the banner', async () => {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await confirmOrder(daemon, { is: 'rollback', phase: 4 }, 'ada')
    await row(page, 'ada rolled back phase 4').getByText('Error').waitFor({ state: 'attached' })
    expect((await alertsOf(daemon)).map(({ title }) => title)).toContain('ada rolled back phase 4')
  })
})
