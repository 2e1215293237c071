// What the crew has cost and how it does, on the page: what the API says, and what was really done and paid.
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentMetrics } from '@treadle/contracts/metrics'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { verifies } from '@treadle/requirements/verifies'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserPages, goTo, openLive, openMenu, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { colourOf, drawn } from '../kit/drawing.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { addItem, approve, deliver, itemOf, take, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', {
  settings: {
    merge: { target: 'main' },
    agents: { dailyBudgetUSD: 10, monthlyBudgetUSD: 1_000 },
    limits: { pollMs: 100, sweepMs: 300 },
  },
})
const inBrowser = browserPages()

const DAY_MS = 86_400_000
const TITLE = 'Count the coins'

interface Paid {
  readonly agentId: AgentId
  readonly costUSD: number
  readonly itemNumber?: number
  readonly daysAgo?: number
}

const pay = ({ client }: Daemon, { agentId, costUSD, itemNumber, daysAgo = 0 }: Paid) =>
  client.logCost({
    body: {
      agentId,
      projectNumber: 1,
      itemNumber: itemNumber ?? null,
      tokens: { input: 1_000, output: 100 },
      costUSD,
      timestamp: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    },
  })

interface Order {
  readonly agentId: AgentId
  readonly costUSD: number
  readonly title?: string
}

/** Agents build items for this much, and they are merged. */
async function merge(daemon: Daemon, orders: readonly Order[]): Promise<void> {
  const works: Work[] = []
  for (const { agentId, costUSD, title = 'An item' } of orders) {
    const work = await take(daemon, await addItem(daemon.client, { title }), agentId)
    const { number } = work.ref
    if (costUSD > 0) await pay(daemon, { agentId, costUSD, itemNumber: number })
    await deliver(daemon.workspace, work, { [`part-${number}.txt`]: 'x\n' })
    await approve(work)
    works.push(work)
  }
  for (const work of works)
    await eventually(`#${work.ref.number} is merged`, async () =>
      (await itemOf(work)).state === 'done' ? true : undefined,
    )
}

const card = (page: Page, agentId: AgentId) =>
  section(page, 'Metrics')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: agentId, exact: true }) })

/** What stands under a name in a list of figures. */
const under = (of: Locator, name: string) =>
  of
    .locator('dl > div')
    .filter({ has: of.page().getByText(name, { exact: true }) })
    .locator('dd')
    .first()

const percent = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)}%`)
const decimal = (value: number | null) =>
  value === null || Number.isInteger(value) ? String(value ?? '–') : value.toFixed(2)

/** Every figure of the card as the API has it; time at work changes by the second. */
function figuresOf(agent: AgentMetrics): Record<string, string> {
  const { tasksCompleted, averageCycleMs, costPerItemUSD } = agent
  return {
    Completed: String(tasksCompleted.inPeriod),
    'Completed, 24 hours': String(tasksCompleted.last24h),
    'Completed, 7 days': String(tasksCompleted.last7d),
    'Completed in total': String(tasksCompleted.total),
    'Completed a day': decimal(agent.completedPerDay),
    'Average cycle time': averageCycleMs === null ? '–' : duration(averageCycleMs),
    'Review pass rate': percent(agent.reviewPassRate),
    'Reviews per item': decimal(agent.reviewsPerItem),
    'First-pass success': percent(agent.firstPassSuccess),
    'Merge pass rate': percent(agent.mergePassRate),
    'Errors per item': decimal(agent.errorsPerItem),
    'Cost per item, in total': costPerItemUSD === null ? '–' : usd(costPerItemUSD),
    'Cost in the period': usd(agent.costUSD),
    Errors: String(agent.errors),
    Crashes: String(agent.crashes),
  }
}

test('where nothing was spent and nobody has worked, the screens say so, and what to do', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Costs')
    await page.getByText('The scripted and repair engines cost nothing').waitFor()
    expect(await page.locator('.chart-plot').count()).toBe(0)
    await goTo(page, 'Metrics')
    await section(page, 'Metrics').getByText('There is no agent to measure yet').waitFor()
    const loop = section(page, 'Loop health')
    await under(loop, 'Queue depth').getByText('0 items').waitFor()
    await loop.getByText('3 to 10 is the aim').waitFor()
    await loop.getByText('No item has a category yet').waitFor()
  })
})

verifies(
  ['ORCH-5.4-9', 'AC-5.4.c', 'ORCH-5.4-10'],
  'the card of an agent opens to all its figures, and the header sums up the crew',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    await merge(daemon, [
      { agentId: 'agent-1', costUSD: 1.25, title: TITLE },
      { agentId: 'agent-1', costUSD: 0 },
      { agentId: 'agent-2', costUSD: 4 },
      { agentId: 'agent-2', costUSD: 3.5 },
    ])
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      const summary = section(page, 'Summary of the crew')
      await openMenu(page, 'spend')
      await under(summary, 'Completed').getByText('4 (4 in 30 days)').waitFor()
      await under(summary, 'Cost in 30 days').getByText('$8.75').waitFor()
      const { averageCycleMs } = (await client.crewMetrics({ query: { period: '30d' } })).summary
      expect(await under(summary, 'Average cycle').textContent()).toBe(duration(averageCycleMs ?? -1))

      await goTo(page, 'Metrics')
      const one = card(page, 'agent-1')
      expect(await under(one, 'Cost per item, in total').isVisible()).toBe(false)
      await one.getByText('2 completed').click()
      await under(one, 'Cost per item, in total').waitFor()
      const known: Record<string, string> = {
        Completed: '2',
        'Completed, 24 hours': '2',
        'Completed, 7 days': '2',
        'Completed in total': '2',
        'Completed a day': '2',
        'Merge pass rate': '100%',
        'Errors per item': '0',
        // 1.25 for the one, nothing for the other.
        'Cost per item, in total': '$0.63',
        'Cost in the period': '$1.25',
        Crashes: '0',
      }
      const answered = figuresOf(await client.agentMetrics({ params: { id: 'agent-1' }, query: {} }))
      expect(answered).toMatchObject(known)
      for (const [name, value] of Object.entries(answered))
        expect([name, await under(one, name).textContent()]).toEqual([name, value])
      expect(await under(one, 'Time working').isVisible()).toBe(true)
      expect(await one.locator('dt').count()).toBe(Object.keys(answered).length + 1)
    })
  },
)

verifies(
  ['ORCH-5.4-11', 'AC-5.4.f'],
  'all agents stand side by side, and a colour and a word say who does better',
  async (context) => {
    const daemon = await open(context)
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await goTo(page, 'Metrics')
      const table = page.getByRole('table', { name: 'Side by side' })
      await table.waitFor()
      expect(await table.getByRole('columnheader').allTextContents()).toEqual([
        'Figure',
        'agent-1',
        'agent-2',
      ])
      const cells = table.getByRole('row', { name: /^Cost per item/ }).getByRole('cell')
      expect(await cells.allTextContents()).toEqual(['$0.63▲ better', '$3.75▼ worse'])
      const same = table.getByRole('row', { name: /^Completed \d/ }).getByRole('cell')
      expect(await same.allTextContents()).toEqual(['2= about the same', '2= about the same'])
      const colours = await Promise.all([cells.nth(0), cells.nth(1), same.nth(0)].map(groundOf))
      expect(new Set(colours).size).toBe(3)
    })
  },
)

const groundOf = (of: Locator) =>
  of.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor)

const isFocused = (of: Locator) => of.evaluate((element) => element === element.ownerDocument.activeElement)

/** Counts what the page asks for from then on. */
function watch(page: Page, path: string): () => number {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes(path)) asked += 1
  })
  return () => asked
}

verifies(
  'ORCH-5.4-8',
  'metrics are asked for every minute and when an item is merged, and what is open and focused stays so',
  async (context) => {
    const daemon = await open(context)
    await inBrowser(daemon, async (page) => {
      const asked = watch(page, '/api/metrics?period=24h')
      await page.clock.install()
      await openLive(page, daemon)
      await goTo(page, 'Metrics')
      const day = page.getByRole('button', { name: '24 hours' })
      await day.click()
      await section(page, 'Metrics').getByText('The last 24 hours, as of').waitFor()
      expect(page.url()).toContain('#/metrics?period=24h')
      expect(await isFocused(day)).toBe(true)
      await card(page, 'agent-1').getByText('2 completed').click()
      expect(asked()).toBe(1)
      await page.clock.fastForward(20_000)
      expect(asked()).toBe(1)
      await page.clock.fastForward(41_000)
      await eventually('the second question', () => (asked() === 2 ? true : undefined))

      await merge(daemon, [{ agentId: 'agent-1', costUSD: 0 }])
      await under(card(page, 'agent-1'), 'Completed in total').getByText('3').waitFor()
      expect(asked()).toBeGreaterThan(2)
      expect(await card(page, 'agent-1').locator('details').getAttribute('open')).not.toBeNull()
      expect(await card(page, 'agent-2').locator('details').getAttribute('open')).toBeNull()
      expect(await isFocused(card(page, 'agent-1').locator('summary'))).toBe(true)

      await page.reload()
      await section(page, 'Metrics').getByText('The last 24 hours, as of').waitFor()
      expect(await day.getAttribute('aria-pressed')).toBe('true')
    })
  },
)

test('what cannot be fetched leaves what was read before, or the same in words', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await page.clock.install()
    await openLive(page, daemon)
    // Straight there: the way over the first tab would load the drawing.
    await page.evaluate("location.hash = '#/metrics'")
    await card(page, 'agent-1').getByText('3 completed').click()
    // The network loses the answers.
    await page.route('**/api/metrics?*', (route) => route.abort())
    await page.clock.fastForward(61_000)
    const stale = page.getByRole('alert').filter({ hasText: 'They could not be read since' })
    await stale.waitFor()
    expect(await stale.textContent()).toMatch(/^These figures are of 1 min ago\./)
    expect(await under(card(page, 'agent-1'), 'Completed in total').textContent()).toBe('3')
    await openMenu(page, 'spend')
    await section(page, 'Summary of the crew').getByRole('link', { name: 'not current' }).waitFor()
    await page.unroute('**/api/metrics?*')
    await page.clock.fastForward(61_000)
    await stale.waitFor({ state: 'detached' })
    await section(page, 'Summary of the crew')
      .getByRole('link', { name: 'not current' })
      .waitFor({ state: 'detached' })
    await page.route('**/chart-plot*', (route) => route.abort())
    await goTo(page, 'Costs')
    await page.getByText('The drawing could not be loaded').waitFor()
    await page.getByText('Show as a table').click()
    await page.getByRole('table', { name: 'The figures of the chart' }).getByText('$8.75').waitFor()
  })
})

test('what was spent is drawn day by day, and said in a sentence and in tables', async (context) => {
  const daemon = await open(context)
  // Beside the 8.75 of today.
  await pay(daemon, { agentId: 'agent-1', costUSD: 12, daysAgo: 2 })
  await pay(daemon, { agentId: 'agent-3', costUSD: 2, daysAgo: 40 })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Costs')
    const chart = page.getByRole('figure')
    await chart.getByText(/^\$20\.75 in the last 30 days, \$0\.69 a day/).waitFor()
    await chart.getByText('1 day was above the daily limit of $10.00').waitFor()
    expect(await chart.locator('.chart-key li').allTextContents()).toEqual([
      ' agent-1',
      ' agent-2',
      ' daily limit $10.00',
    ])
    expect(await drawn(chart, '--blue')).toBeGreaterThan(100)
    expect(await drawn(chart, '--yellow')).toBeGreaterThan(100)
    expect(await drawn(chart, '--danger')).toBeGreaterThan(50)
    expect(await drawn(chart, '--purple')).toBe(0)

    const light = await colourOf(chart, '--blue')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colourOf(chart, '--blue')).not.toEqual(light)
    await eventually('a dark drawing', async () => ((await drawn(chart, '--blue')) > 100 ? true : undefined))
    await page.emulateMedia({ colorScheme: 'light' })

    await page.getByRole('button', { name: '90 days' }).click()
    await chart.getByText(/^\$22\.75 in the last 90 days/).waitFor()
    expect(page.url()).toContain('#/costs?days=90')
    // Bars of a point or two are still bars.
    await page.setViewportSize({ width: 300, height: 900 })
    await eventually('thin bars', async () => ((await drawn(chart, '--blue')) > 20 ? true : undefined))
    await page.setViewportSize({ width: 1280, height: 900 })
    await chart.getByText('Show as a table').focus()
    await page.keyboard.press('Enter')
    const figures = chart.getByRole('table')
    expect(await figures.getByRole('row').count()).toBe(91)
    expect((await figures.getByRole('row').nth(3).getByRole('cell').allTextContents()).toSorted()).toEqual([
      '$0.00',
      '$0.00',
      '$12.00',
      '$12.00',
    ])

    await page.getByRole('button', { name: 'Today' }).click()
    const items = page.getByRole('table', { name: 'By item' })
    const costs = async () => (await items.getByRole('row').allTextContents()).slice(1)
    expect((await costs()).map((row) => row.match(/\$[\d.]+/)?.[0])).toEqual(['$4.00', '$3.50', '$1.25'])
    await items.getByRole('button', { name: 'Cost' }).click()
    expect((await costs()).map((row) => row.match(/\$[\d.]+/)?.[0])).toEqual(['$1.25', '$3.50', '$4.00'])
    expect(await items.getByRole('columnheader', { name: 'Cost' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )
    await page.getByText('a suggestion needs 3').waitFor()
    await items.getByRole('link', { name: TITLE }).click()
    await page.getByRole('heading', { name: new RegExp(TITLE) }).waitFor()
  })
})

test.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const)(
  'both screens can be read aloud and fit ($colorScheme, $width wide)',
  async ({ colorScheme, width }) => {
    const daemon = await open({} as never)
    const look = async (page: Page, name: string) => {
      await canBeReadAloud(page, name)
      for (const narrow of [width, 300]) {
        await page.setViewportSize({ width: narrow, height: 900 })
        await fitsTheWindow(page, `${name}, ${narrow} wide`)
      }
      await page.setViewportSize({ width, height: 900 })
    }
    await inBrowser(
      daemon,
      async (page) => {
        await openLive(page, daemon)
        await goTo(page, 'Costs')
        await page.locator('.chart canvas').waitFor()
        await page.getByText('Show as a table').click()
        await look(page, 'Costs')
        await goTo(page, 'Metrics')
        await card(page, 'agent-1').getByText('completed').first().click()
        await look(page, 'Metrics')
        await page.emulateMedia({ forcedColors: 'active' })
        const periods = page.getByRole('group', { name: 'Period' })
        for (const [filled, empty] of [
          [periods.locator('[aria-pressed="true"]'), periods.locator('[aria-pressed="false"]').first()],
          [page.locator('.cost-fill').first(), page.locator('.cost-bar').first()],
          [page.locator('.gauge-depth'), page.locator('.gauge')],
        ] as const)
          expect(await groundOf(filled)).not.toBe(await groundOf(empty))
      },
      { colorScheme, viewport: { width, height: 900 } },
    )
  },
)
