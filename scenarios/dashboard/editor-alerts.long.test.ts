// Messages of the editor's own, for what the dashboard inside it learns: a real crew, an editor played by the test.
import { readFileSync } from 'node:fs'
import type { FrameLocator } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilAgent } from '../kit/agents.ts'
import { browserPages } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { EDITOR, type Editor, openEditor } from '../kit/editor.ts'
import { confirmOrder } from '../kit/orders.ts'
import { addRepair, slowRepair, untilHolding, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
const inBrowser = browserPages()

let started: Promise<Daemon> | undefined
/** One crew for all tests of the file: an agent with work in hand that does not end. */
function crew(): Promise<Daemon> {
  const start = async () => {
    const settings = {
      limits: { heartbeatMs: 100, degradedMs: 3_000, unresponsiveMs: 6_000, stopGraceMs: 500 },
      monitoring: { checkMs: 300 },
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

async function inEditor(use: (editor: Editor, daemon: Daemon) => Promise<void>): Promise<void> {
  const daemon = await crew()
  await inBrowser(EDITOR, async (page) => {
    const editor = await openEditor(page, daemon)
    try {
      await editor.view.getByRole('heading', { name: 'Now', exact: true }).waitFor()
      await use(editor, daemon)
    } finally {
      editor.close()
    }
  })
}

/** As a person changes the settings: in the file. */
function changeMonitoring({ workspace }: Daemon, changed: Readonly<Record<string, number>>): void {
  const settings = JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as Record<string, object>
  workspace.setConfig({ ...settings, monitoring: { ...settings.monitoring, ...changed } })
}

/** Shown, or folded because there are graver ones. */
const row = (view: FrameLocator, text: string) =>
  view.getByRole('region', { name: 'Notices' }).locator('li').filter({ hasText: text })

const toast = ({ notices }: Editor, level: string, title: string) =>
  eventually(`${level}: ${title}`, () =>
    notices.find((notice) => notice.level === level && notice.title.includes(title)),
  )

test('warnings and worse are shown by the editor; an info that needs no decision is not', () =>
  inEditor(async (editor, daemon) => {
    const { view, notices } = editor
    await row(view, 'The queue is low').getByText('Info').waitFor({ state: 'attached' })
    changeMonitoring(daemon, { stuckMs: 1_000, queueLow: 0, queueHigh: 0 })
    await daemon.client.addItem({ body: { title: 'It waits for somebody' } })
    await toast(editor, 'warning', 'The queue is high')
    await toast(editor, 'critical', 'agent-1 is stuck')
    changeMonitoring(daemon, { stuckMs: 1_800_000, queueLow: 3, queueHigh: 10 })
    await row(view, 'The queue is low').waitFor({ state: 'attached' })
    expect(notices.map(({ level }) => level)).not.toContain('info')
  }))

test('a rollback is shown by the editor', () =>
  inEditor(async (editor, daemon) => {
    await confirmOrder(daemon, { is: 'rollback', phase: 4 }, 'ada')
    expect(await toast(editor, 'error', 'ada rolled back phase 4')).toBeDefined()
  }))

test('as a budget is spent the editor says so from the first half on', () =>
  inEditor(async (editor, daemon) => {
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
    await spend(5)
    await toast(editor, 'info', '50% of the daily budget')
    await spend(2.5)
    await toast(editor, 'warning', '75%')
    await spend(1.5)
    await toast(editor, 'error', '90%')
    await spend(1)
    await toast(editor, 'critical', 'The daily budget is used up')
    const stopped = await untilAgent(daemon, 'stopped', ({ status }) => status === 'stopped')
    expect(stopped.pid).toBeNull()
  }))
