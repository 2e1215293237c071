// The crew steered from the page: a real crew, a real browser, and an agent killed for real.
import { verifies } from '@treadle/requirements/verifies'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { browserPages, goTo, openLive, openMenu } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import {
  addRepair,
  itemNumber,
  letGo,
  slowRepair,
  titleOf,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'

const shop = useShops('file')
const inBrowser = browserPages()
const SOON = { heartbeatMs: 200, degradedMs: 600, unresponsiveMs: 1_200 }

const card = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })
const badge = (of: Locator) => of.locator('.badge')
const colourOf = (of: Locator) =>
  of.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color)
const dialog = (page: Page) => page.getByRole('dialog')

let started: Promise<Daemon> | undefined
/** One crew for the tests that leave their agents alive. */
function crew(): Promise<Daemon> {
  const settings = { limits: SOON, agents: { maxConcurrent: 2 } }
  started ??= up(shop({ scripts: [slowRepair(1), slowRepair(2)], settings }), 1)
  return started
}

verifies(
  [
    'ORCH-1.5-3',
    'ORCH-1.5-4',
    'ORCH-1.5-5',
    'AC-1.5.a',
    'AC-1.5.b',
    'AC-1.5.c',
    'AC-1.5.f',
    'AC-5.1.c',
    'ORCH-2.5-8',
    'ORCH-S3-2',
  ],
  'a card says what its agent does and how far it is; its buttons pause, resume, stop and add',
  async () => {
    const daemon = await crew()
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      const one = card(page, 'agent-1')
      await badge(one).getByText('Working').waitFor()
      await one.getByText('#1 Repair module 1').waitFor()
      await one.getByText('building', { exact: true }).waitFor()
      await one.getByText(/^\d+(\.\d)? s$|^\d+ min/).waitFor()
      const bar = one.getByRole('progressbar')
      expect(await bar.getAttribute('aria-valuetext')).toBe('Phase 2 of 4, building · 50% complete')
      const green = await colourOf(badge(one))

      await page.getByRole('button', { name: 'Add agent' }).click()
      const two = card(page, 'agent-2')
      await badge(two).getByText('Idle').waitFor()
      expect(await page.getByRole('button', { name: 'Add agent' }).count()).toBe(0)
      await page.getByText('2 agents: 2 active, 0 paused, 0 stopped').waitFor()
      expect(await colourOf(badge(two))).not.toBe(green)

      await two.getByRole('button', { name: 'Pause agent-2' }).click()
      await two.getByRole('button', { name: 'Resume agent-2' }).waitFor()
      await badge(two).getByText('Paused').waitFor()
      await page.getByText('2 agents: 1 active, 1 paused, 0 stopped').waitFor()
      await two.getByRole('button', { name: 'Resume agent-2' }).click()
      await badge(two).getByText('Idle').waitFor()

      await openMenu(page, 'crew')
      await page.getByRole('button', { name: 'Pause all' }).click()
      await badge(two).getByText('Paused').waitFor()
      await page.getByRole('button', { name: 'Resume all' }).click()
      await badge(two).getByText('Idle').waitFor()

      await two.getByRole('button', { name: 'Stop agent-2' }).click()
      await badge(two).getByText('Stopped').waitFor()
      await two.getByRole('button', { name: 'Start agent-2' }).click()
      await badge(two).getByText('Idle').waitFor()
    })
    letGo(daemon.workspace, 'go-1')
    await until(daemon, 1, 'done')
  },
)

verifies(
  ['ORCH-2.5-9', 'ORCH-2.5-10'],
  'a right click offers to reassign; who and what is asked before anything happens',
  async () => {
    const daemon = await crew()
    const { client } = daemon
    await client.startAgents({ body: { count: 2 } })
    const n = (await client.listItems()).items.length + 1
    await addRepair(daemon, n)
    const holder = (await untilHolding(daemon, n)).claimedByAgentId ?? ''
    const other = holder === 'agent-1' ? 'agent-2' : 'agent-1'
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await card(page, holder).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Reassign current item…' }).click()
      await dialog(page).getByRole('combobox').selectOption(other)
      await dialog(page).getByRole('button', { name: 'Go on' }).click()
      await dialog(page).getByText(`Take #${n} from ${holder}?`).waitFor()
      await dialog(page).getByText(titleOf(n)).first().waitFor()
      expect((await itemNumber(daemon, n)).claimedByAgentId).toBe(holder)
      await dialog(page).getByRole('button', { name: 'Reassign it' }).click()
      await card(page, other)
        .getByText(`#${n} ${titleOf(n)}`)
        .waitFor()
    })
    expect((await untilHolding(daemon, n)).claimedByAgentId).toBe(other)
  },
)

verifies(
  ['AC-1.5.e', 'ORCH-2.5-10', 'ORCH-S1-4'],
  'a killed agent turns red with its error; an emergency stop names whom it hits, and cancel harms nobody',
  async () => {
    const workspace = shop({
      scripts: [slowRepair(1)],
      settings: { limits: { ...SOON, restartsPerHour: 1 } },
    })
    const daemon = await up(workspace, 2)
    await addRepair(daemon, 1)
    const holder = (await untilHolding(daemon, 1)).claimedByAgentId ?? ''
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await page.getByRole('button', { name: 'Emergency stop all' }).first().click()
      await dialog(page).getByRole('list').getByText(holder).waitFor()
      await dialog(page).getByRole('list').getByText('Repair module 1').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      expect((await itemNumber(daemon, 1)).claimedByAgentId).toBe(holder)

      // No more starts are allowed in this hour, so it stays down.
      const idle = holder === 'agent-1' ? 2 : 1
      const { pid } = await untilAgent(
        daemon,
        'idle',
        (now) => now.status === 'idle' && now.pid !== null,
        idle,
      )
      process.kill(pid ?? 0, 'SIGKILL')
      const red = card(page, `agent-${idle}`)
      await badge(red)
        .getByText(/Crashed|Failed/)
        .waitFor()
      expect(await badge(red).getAttribute('data-status')).toMatch(/crashed|failed/)
      await expect
        .poll(async () => {
          const { lastError } = await agentOf(daemon, idle)
          return (await red.locator('.last-error').innerText()).includes(lastError ?? '?')
        })
        .toBe(true)

      await page.getByRole('button', { name: 'Emergency stop all' }).first().click()
      await dialog(page).getByRole('button', { name: 'Stop everyone' }).click()
      await badge(card(page, holder)).getByText('Stopped').waitFor()
      await goTo(page, 'Activity')
      await page.getByText('emergency stop', { exact: false }).first().waitFor()
    })
  },
)
