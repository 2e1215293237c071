// What is not well reaches a person: a real crew, checked often, in a real browser and inside an editor.
import { readFileSync } from 'node:fs'
import { Config } from '@treadle/contracts/config'
import type { Notification } from '@treadle/contracts/notification'
import { verifies } from '@treadle/requirements/verifies'
import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { browserPages, goTo, openLive } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { EDITOR, openEditor } from '../kit/editor.ts'
import { addRepair, letGo, slowRepair, told, until, untilHolding, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
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

const banner = (page: Page | FrameLocator) => page.getByRole('region', { name: 'What is not well' })
/** Shown, or folded because there are graver ones. */
const row = (page: Page | FrameLocator, text: string | RegExp) =>
  banner(page).locator('li').filter({ hasText: text })

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
      for (const screen of ['Board', 'Costs', 'Health']) {
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
    const over = await untilAlert(daemon, 'the end', ({ type }) => type === 'health.agent_unresponsive')
    expect(over).toMatchObject({ level: 'error', subject: 'agent agent-1', resolvedAt: expect.any(String) })
    const listed = await told<Notification[]>(daemon.workspace, 'notifications', '--all', '--alerts')
    expect(listed.map(({ id }) => id)).toContain(over.id)
  },
)

verifies(
  ['ORCH-5.2-11', 'AC-5.2.e'],
  'inside an editor warnings and worse are shown by the editor, and a stuck agent has a button to restart it',
  async () => {
    const daemon = await crew()
    const { pid } = await untilAgent(daemon, 'at work', ({ status }) => status === 'working')
    await inBrowser(EDITOR, async (page) => {
      const editor = await openEditor(page, daemon)
      try {
        await row(editor.view, 'The queue is low').waitFor({ state: 'attached' })
        change(daemon, { monitoring: { stuckMs: 1_000, queueLow: 0, queueHigh: 0 } })
        await daemon.client.addItem({ body: { title: 'It waits for somebody' } })
        await row(editor.view, 'The queue is high').getByText('Warning').waitFor({ state: 'attached' })
        const stuck = row(editor.view, 'agent-1 is stuck')
        await stuck.getByText('Critical').waitFor()
        const levels = () => editor.notices.map(({ level }) => level)
        await eventually('both toasts', () =>
          levels().includes('warning') && levels().includes('critical') ? true : undefined,
        )
        expect(editor.notices.find(({ level }) => level === 'critical')?.title).toContain('agent-1 is stuck')
        change(daemon, { monitoring: { queueLow: 3, queueHigh: 10 } })
        await row(editor.view, 'The queue is low').waitFor({ state: 'attached' })
        expect(levels()).not.toContain('info')
        await stuck.getByRole('button', { name: 'Restart agent' }).click()
        await editor.view.getByRole('dialog').getByRole('button', { name: 'Restart it' }).click()
        await untilAgent(daemon, 'started again', (agent) => agent.pid !== null && agent.pid !== pid)
        change(daemon, { monitoring: { stuckMs: 1_800_000 } })
        await stuck.waitFor({ state: 'detached' })
      } finally {
        editor.close()
      }
    })
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
  ['ORCH-2.4-6', 'ORCH-2.4-7', 'ORCH-2.4-8', 'ORCH-2.4-9', 'AC-2.4.b'],
  'as a budget is spent the editor shows it: info, warning, an error with no new claims, and the stop of everyone',
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
    await inBrowser(EDITOR, async (page) => {
      const editor = await openEditor(page, daemon)
      try {
        const told = (percent: number, level: string) =>
          row(editor.view, `${percent}% of the daily budget`).getByText(level).waitFor({ state: 'attached' })
        const toasts = (level: string, title: string) =>
          eventually(`${level}: ${title}`, () =>
            editor.notices.some((notice) => notice.level === level && notice.title.includes(title))
              ? true
              : undefined,
          )
        await editor.view.getByRole('heading', { name: 'Crew' }).waitFor()
        await spend(5)
        await told(50, 'Info')
        await spend(2.5)
        await told(75, 'Warning')
        await toasts('warning', '75%')
        expect(await holds()).toBe('')
        await spend(1.5)
        await told(90, 'Error')
        await toasts('error', '90%')
        expect(await holds()).toContain('the daily budget is nearly used up')
        await spend(1)
        await toasts('critical', 'The daily budget is used up')
        await untilAgent(daemon, 'stopped', ({ pid, status }) => pid === null && status === 'stopped')
        expect(editor.notices.map(({ level }) => level)).not.toContain('info')
      } finally {
        editor.close()
      }
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

verifies('ORCH-S4-27', 'a rollback is shown by the editor and in the banner', async () => {
  const daemon = await crew()
  const { client } = daemon
  await inBrowser(EDITOR, async (page) => {
    const editor = await openEditor(page, daemon)
    try {
      await editor.view.getByRole('heading', { name: 'Crew' }).waitFor()
      const order = { is: 'rollback', phase: 4 } as const
      const { confirm } = await client.previewOrder({ body: { order } })
      await client.giveOrder({ body: { order, by: 'ada', ...(confirm === null ? {} : { confirm }) } })
      await row(editor.view, 'ada rolled back phase 4').getByText('Error').waitFor({ state: 'attached' })
      const toast = await eventually('the toast', () =>
        editor.notices.find(({ title }) => title === 'ada rolled back phase 4'),
      )
      expect(toast.level).toBe('error')
    } finally {
      editor.close()
    }
  })
})
