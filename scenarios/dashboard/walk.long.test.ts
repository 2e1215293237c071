// Once around the page with a crew at work: what it does, how far, for how much, how well, and how it is stopped.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { branchName } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { crewProcesses } from '../kit/agents.ts'
import { browserPages, goTo, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import {
  addItem,
  approve,
  build,
  commitOnBranch,
  delivery,
  itemOf,
  say,
  take,
  type Work,
} from '../kit/hand-agent.ts'
import { addRepair, itemNumber, slowRepair, untilHolding, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const inBrowser = browserPages()
const FILE = 'README.md'
const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })

/** Two agents, played by hand, change the same line; the first is merged and the second conflicts. */
async function makeConflict(daemon: Daemon): Promise<Work> {
  const works: { work: Work; head: string }[] = []
  for (const agentId of ['agent-2', 'agent-3']) {
    const work = await take(daemon, await addItem(daemon.client, { title: `A title by ${agentId}` }), agentId)
    works.push({ work, head: commitOnBranch(daemon.workspace, work, { [FILE]: `# By ${agentId}\n` }) })
  }
  for (const [at, { work, head }] of works.entries()) {
    await build(work, head)
    await say(work, delivery(work, head))
    await approve(work)
    const wanted = at === 0 ? 'done' : 'conflicted'
    await eventually(`#${work.ref.number} ${wanted}`, async () =>
      (await itemOf(work)).state === wanted ? true : undefined,
    )
  }
  const last = works.at(-1)
  if (last === undefined) throw new Error('nobody has worked')
  return last.work
}

/** As a person does: merge the target into the branch and decide. */
function resolve({ workspace }: Daemon, { agentId, ref }: Work): void {
  const { git, root } = workspace
  const place = join(dirname(root), 'resolve')
  git('worktree', 'add', place, branchName(agentId, ref))
  expect(() => git('-C', place, 'merge', 'main')).toThrow()
  writeFileSync(join(place, FILE), '# By both\n')
  git('-C', place, 'add', '--all')
  git('-C', place, 'commit', '--quiet', '--no-edit')
  git('worktree', 'remove', place)
}

verifies(
  'ORCH-S3-6',
  'feed, progress, costs, alerts, a conflict, metrics and the emergency stop: all of it works on one page',
  async () => {
    const workspace = shop({
      scripts: [slowRepair(1)],
      settings: {
        tests: { command: 'true' },
        limits: { heartbeatMs: 200 },
        monitoring: { checkMs: 300 },
        agents: { maxConcurrent: 3, dailyBudgetUSD: 10, monthlyBudgetUSD: 1_000 },
      },
    })
    const daemon = await up(workspace, 1)
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await addRepair(daemon, 1)
      await section(page, 'Feed').getByText('agent-1 claimed #1').waitFor()
      await untilHolding(daemon, 1)
      const bar = card(page, 'agent-1').getByRole('progressbar')
      await expect
        .poll(() => bar.getAttribute('aria-valuetext'), { timeout: 20_000 })
        .toBe('Phase 2 of 4, building · 50% complete')

      const timestamp = new Date().toISOString()
      const tokens = { input: 1_000, output: 100 }
      const body = { agentId: 'agent-1', projectNumber: 1, itemNumber: 1, tokens, costUSD: 8, timestamp }
      await daemon.client.logCost({ body })
      await page.getByRole('banner').getByText('$8.00 / $10.00 (80.0%)').waitFor()
      await goTo(page, 'Costs')
      await section(page, /^Costs/)
        .getByText('$8.00')
        .first()
        .waitFor()
      const alerts = page.getByRole('region', { name: 'Notices' })
      await alerts.locator('li').filter({ hasText: '75% of the daily budget' }).waitFor({ state: 'attached' })

      const conflicting = await makeConflict(daemon)
      const { number } = conflicting.ref
      await goTo(page, 'Review')
      await page.getByRole('link', { name: `#${number} A title by agent-3` }).click()
      await page.getByRole('heading', { level: 2, name: /^Conflict of/ }).waitFor()
      resolve(daemon, conflicting)
      await page.getByRole('button', { name: 'Mark resolved' }).click()
      await eventually('the resolved item is merged', async () =>
        (await itemOf(conflicting)).state === 'done' ? true : undefined,
      )
      expect(workspace.git('show', `main:${FILE}`)).toContain('By both')

      await goTo(page, 'Metrics')
      const measured = card(page, 'agent-3')
      await measured.locator('summary').first().click()
      await measured.getByText('Completed', { exact: true }).first().waitFor()

      await page.getByRole('button', { name: 'Emergency stop all' }).first().click()
      await dialog(page).getByRole('list', { name: 'Agents affected' }).getByText('agent-1').waitFor()
      await dialog(page).getByRole('button', { name: 'Stop everyone' }).click()
      await eventually('the end of all agents', () => (crewProcesses(daemon).length === 0 ? true : undefined))
      await goTo(page, 'Now')
      await card(page, 'agent-1').locator('.badge').getByText('Stopped').waitFor()
      expect((await itemNumber(daemon, 1)).claimedByAgentId).toBeNull()
    })
  },
)
