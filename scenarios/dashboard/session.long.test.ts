// An agent at work is watched as it talks and changes files; what is over can be played again, and people talk with it.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { addRepair, hold, itemNumber, letGo, moduleOf, repair, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const inBrowser = browserPages()
const HOSTILE = '<img src=x onerror="globalThis.taken=1"> \u202eback \u001b[31mred'
const KEY = `ghp_${'k'.repeat(36)}`
const PART = 'All work and no play makes it a dull engine. '.repeat(2_000)

let daemon: Daemon
beforeAll(async () => {
  const talks = [
    { say: { text: 'I begin with the module.' } },
    { say: { text: `${HOSTILE} ${KEY}` } },
    { run: { command: 'echo first output' } },
    { write: { file: 'notes/one.txt', text: 'one line\n' } },
    hold('go-1'),
    { say: { text: 'Now the rest of it.' } },
    { write: { file: 'notes/two.txt', text: 'another line\n' } },
    hold('go-2'),
    { delete: { file: 'notes/one.txt' } },
    { delete: { file: 'notes/two.txt' } },
    repair(1),
    { use: { model: 'm', inputTokens: 1_000, outputTokens: 234, usd: 0.5 } },
  ]
  const floods = [...Array.from({ length: 110 }, () => ({ say: { text: PART } })), repair(2)]
  daemon = await up(
    shop({
      scripts: [[talks], [floods]],
      settings: { merge: { approval: 'human', target: 'main' }, limits: { improvements: 1 } },
    }),
    1,
  )
  await addRepair(daemon, 1)
}, 120_000)

async function openItem(page: Page, n: number): Promise<void> {
  await openLive(page, daemon)
  await page.goto(`${daemon.url}/#/item/1/${n}`)
  await page
    .getByRole('heading', { level: 2 })
    .filter({ hasText: `#${n}` })
    .waitFor()
}

test('words, calls and the change appear while the turn goes on; a message is sent and marked', async () => {
  await inBrowser(daemon, async (page) => {
    await openItem(page, 1)
    const session = section(page, 'Session')
    await session.getByText('I begin with the module.').waitFor()
    await session.getByText('first output', { exact: true }).waitFor()
    await session.getByText('running').waitFor()
    const change = section(page, 'Changes so far')
    await change.getByText('notes/one.txt').first().waitFor()
    expect(await change.getByText('notes/two.txt').count()).toBe(0)
    expect((await itemNumber(daemon, 1)).state).toBe('building')
    // Nothing hostile is drawn as anything but text, and a key is not shown.
    await session.getByText('[U+202E]back red').waitFor()
    await session.getByText('[redacted]').first().waitFor()
    expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.content()).not.toContain(KEY)
    await canBeReadAloud(page)

    await page.getByLabel('Message agent-1').fill('Mind the second module')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const thread = page.getByRole('list', { name: 'Conversation, oldest first' })
    await thread.getByText('Mind the second module').waitFor()
    await thread.getByText(/Read|Not read yet/).waitFor()

    letGo(daemon.workspace, 'go-1')
    await session.getByText('Now the rest of it.').waitFor()
    await change.getByText('notes/two.txt').first().waitFor()
    await page.goto(`${daemon.url}/#/`)
    const tile = page.getByRole('listitem').filter({ hasText: 'agent-1' })
    // What was said last, by the agent or by what it ran.
    await tile.getByText('Wrote 13 characters to notes/two.txt.').waitFor()
    await tile.getByText('go-2').waitFor()
    letGo(daemon.workspace, 'go-2')
  })
})

test('a finished run is played again, moment by moment, with the keyboard alone', async () => {
  await until(daemon, 1, 'in_review')
  await inBrowser(daemon, async (page) => {
    await openItem(page, 1)
    const open = page.getByRole('button', { name: 'Replay session' }).first()
    await open.focus()
    await page.keyboard.press('Enter')
    const replay = section(page, /^Replay of the session/)
    const rest = replay.getByText('Now the rest of it.').first()
    const at = replay.getByRole('slider', { name: 'Position in the session' })
    await rest.waitFor()
    await at.focus()
    await page.keyboard.press('Home')
    await replay.getByText('Nothing has happened yet.').waitFor()
    await eventually('words again', async () => {
      await page.keyboard.press('ArrowRight')
      return (await replay.getByText('I begin with the module.').count()) > 0 ? true : undefined
    })
    expect(await rest.count()).toBe(0)
    await replay.getByLabel('Speed').selectOption('16')
    await at.focus()
    await page.keyboard.press(' ')
    await rest.waitFor()
    await replay.getByRole('button', { name: 'Play' }).waitFor()
    await section(page, 'Changes so far').getByText(moduleOf(1)).first().waitFor()
    await canBeReadAloud(page)
  })
})

test('an engine that says megabytes is kept within bounds, and its page can still be used', async () => {
  await addRepair(daemon, 2)
  await until(daemon, 2, 'in_review')
  const [run] = (await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 2 } })).runs
  const { items } = await daemon.client.runHistory({ params: { id: run?.id ?? '' }, query: { limit: 1_000 } })
  const said = items.flatMap(({ event }) => (event.type === 'run.said' ? [event] : []))
  const kept = said.reduce((sum, { text }) => sum + text.length, 0)
  expect(kept).toBeGreaterThan(100)
  expect(kept).toBeLessThanOrEqual(100_000)
  expect(said.length).toBeLessThanOrEqual(301)
  expect(said.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)).toBeGreaterThan(100_000)
  await inBrowser(daemon, async (page) => {
    await openItem(page, 2)
    await page.getByRole('button', { name: 'Replay session' }).first().click()
    const replay = section(page, /^Replay of the session/)
    await replay
      .getByText(/more characters were not kept/)
      .first()
      .waitFor()
    const log = replay.getByRole('list').first()
    await log.evaluate((list) => list.scrollTo({ top: 0 }))
    await replay.getByRole('button', { name: 'Jump to latest' }).click()
    await replay.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' })
  })
})
