// The four places: what runs, what needs me and what it cost at a glance; one queue; everything by keyboard; any tab.
import type { Heartbeat } from '@treadle/contracts/agent'
import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, connectionIs, goTo, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { begin, deliver, say } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'

vi.setConfig({ testTimeout: 240_000 })
const open = useInProcess('any', { settings: { merge: { approval: 'human' } } })
const inBrowser = browserPages()
const WIDE = { width: 1440, height: 900 }
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 2, name: new RegExp(`^${name}`) }).first()

async function beat({ client }: Daemon, agentId: string): Promise<void> {
  const body: Heartbeat = {
    agentId,
    status: 'working',
    currentProjectNumber: null,
    timestamp: new Date().toISOString(),
    memoryUsage: 64,
    cpuUsage: 1,
    pid: 4_001,
    engine: 'scripted',
    phase: 'building',
    tasksCompleted: 0,
    errorCount: 0,
    lastError: null,
    drained: false,
  }
  await client.heartbeat({ params: { id: agentId }, body })
}

/** One delivery to review, one escalation, one question, and an agent at work that has made a call and cost money. */
async function busyCrew(daemon: Daemon): Promise<void> {
  const delivered = await begin(daemon, { title: 'Delivered and waiting' })
  await deliver(daemon.workspace, delivered, { 'delivered.txt': 'right\n' })
  const stuck = await begin(daemon, { title: 'Too hard' })
  await say(stuck, { type: 'item.escalated', why: 'The two criteria contradict each other' })
  await daemon.client.askQuestion({
    body: { type: 'blocking', agent: 'build', text: 'Which database?', options: [], allowFreeText: true },
  })
  const work = await begin(daemon, { title: 'In hand right now' })
  await beat(daemon, work.agentId)
  const observation = {
    tool: 'Bash',
    input: 'npm test',
    output: 'one\n12 passed',
    durationMs: 3,
    success: true,
  }
  await say(work, { type: 'run.observed', observation })
  const usage = { model: 'm', inputTokens: 12_000, outputTokens: 345, usd: 1.25 }
  await say(work, { type: 'run.used', usage })
  await daemon.client.logCost({
    body: {
      agentId: work.agentId,
      projectNumber: 1,
      itemNumber: work.ref.number,
      tokens: { input: 12_000, output: 345 },
      costUSD: 1.25,
      timestamp: new Date().toISOString(),
    },
  })
}

async function isInSight(of: Locator): Promise<void> {
  await of.waitFor()
  const box = await of.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(WIDE.height)
}

test('an empty page is three steps: an engine, a first item, an agent', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    const steps = section(page, 'Get started')
    await steps.getByRole('heading', { name: /Engine (found|not ready): / }).waitFor()
    await steps.getByRole('button', { name: 'Fix a failing test' }).click()
    const form = page.getByRole('dialog')
    await form.waitFor()
    expect(await form.getByRole('textbox').first().inputValue()).toMatch(/\S/)
    await form.getByRole('button', { name: /^Add/ }).click()
    await form.waitFor({ state: 'detached' })
    await steps.getByRole('button', { name: 'Start an agent' }).waitFor()
  })
})

test('at 1440 × 900, without scrolling: what runs, what needs me and what it cost', async (context) => {
  const daemon = await open(context)
  await busyCrew(daemon)
  await inBrowser(
    daemon,
    async (page) => {
      await openLive(page, daemon)
      const tile = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'agent-1', exact: true }) })
      await isInSight(tile.getByText('Bash npm test'))
      await isInSight(tile.getByText('12 passed'))
      await isInSight(tile.getByText('$1.25'))
      await isInSight(tile.getByText('12,345 tokens'))
      const needs = section(page, /^Needs you 3/)
      for (const words of ['build: Which database?', 'Delivered and waiting', 'Too hard'])
        await isInSight(needs.getByText(words))
      await isInSight(page.getByRole('banner').getByText('$1.25 / $').first())
      // One count, wherever it is shown.
      await page.getByRole('link', { name: 'Review 3 need you' }).waitFor()
      expect(await page.title()).toMatch(/^\(3\) Now · /)
      await goTo(page, 'Review')
      await heading(page, 'Review 3').waitFor()
      expect(
        await section(page, /^Review/)
          .locator('.entry-card')
          .count(),
      ).toBe(3)
      await section(page, /^Review/)
        .getByRole('link', { name: /^#\d+ Delivered and waiting$/ })
        .click()
      await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/review\/1\/\d+$/)
    },
    { viewport: WIDE },
  )
})

test('old addresses lead to the places, and every place is one press away', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    for (const [hash, name] of [
      ['#/board', 'Work'],
      ['#/inbox', 'Review'],
      ['#/conflicts', 'Review'],
      ['#/crew', 'Now'],
      ['#/upkeep', 'Maintenance'],
      ['#/insights', 'Costs'],
    ] as const) {
      await page.evaluate(`location.hash = '${hash}'`)
      await heading(page, name).waitFor()
    }
    expect(await page.getByRole('navigation', { name: 'Places' }).getByRole('link').count()).toBe(5)
    expect(await page.getByRole('button', { name: 'Emergency stop all' }).first().isVisible()).toBe(true)
  })
})

test('by keyboard: the palette goes to places, finds items and acts; g and a letter jump', async (context) => {
  const daemon = await open(context)
  const { number } = await daemon.client.addItem({ body: { title: 'A needle in the hay' } })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const type = async (words: string) => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').waitFor()
      await page.keyboard.type(words)
    }
    await type('needle')
    await palette.getByRole('option', { name: /A needle in the hay/ }).waitFor()
    await canBeReadAloud(page)
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/item/1/${number}`)
    await type('go to')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'Work').waitFor()
    await type('emergency')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Stop every agent at once?' }).waitFor()
    await page.keyboard.press('Escape')
    await type('shortcuts')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    for (const [key, name] of [
      ['n', 'Now'],
      ['w', 'Work'],
      ['r', 'Review'],
      ['i', 'Costs'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await heading(page, name).waitFor()
    }
  })
})

test('a link in another tab opens where it points; whoever logs out is out in every tab', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(kept).not.toContain(daemon.ownerKey)
    expect(kept).not.toContain('session.')
    await page.goto(`${daemon.url}/#token=${daemon.ownerKey}&at=/work`)
    await page.reload()
    await heading(page, 'Work').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${daemon.url}/#/review`)
    await connectionIs(other, 'Live')
    await heading(other, 'Review').waitFor()
    // A link opened again gives the browser another cookie; the first tab goes on with it.
    const third = await page.context().newPage()
    await openLive(third, daemon)
    await daemon.client.addItem({ body: { title: 'Seen by all' } })
    await goTo(page, 'Work')
    await page.getByText('Seen by all').waitFor()
    await goTo(third, 'Settings')
    await third.getByRole('button', { name: 'Log out' }).click()
    await third.getByRole('heading', { name: 'Open the link from your terminal' }).waitFor()
    // No tab takes another session by itself, nor by being loaded anew.
    await page.getByRole('heading', { name: 'Open the link from your terminal' }).waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Open the link from your terminal' }).waitFor()
    await openLive(other, daemon)
  })
})
