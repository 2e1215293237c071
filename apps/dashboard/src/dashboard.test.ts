// The page as a person meets it: a real daemon, a real browser, a real repository.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { type Client, createClient } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import { branchName } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Claim } from '@treadle/contracts/routes/items'
import { verifies } from '@treadle/requirements/verifies'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  browserPages,
  connectionIs,
  goTo,
  linkOf,
  openMenu,
  openLive as openPage,
  section,
} from '../../../scenarios/kit/browser.ts'
import { canBeReadInLightAndDark } from '../../../scenarios/kit/read-aloud.ts'
import { takePort } from '../../../scenarios/kit/taken-port.ts'
import { childEnv } from '../../../tools/env.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/treadle.js', import.meta.url))
const minute = 60_000

let folder: string
let configHome: string
let daemon: { url: string; token: string; ownerKey: string; pid: number }
let client: Client

const inBrowser = browserPages()

beforeAll(async () => {
  folder = makeRepository()
  configHome = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-dashboard-config-')))
  await treadle('init', '--test-command', 'node --test')
  const up = await treadle('up', '--detach', '--json', '--agents', '0', '--die-with', String(process.pid))
  const ownerKey = readFileSync(join(configHome, 'owner.key'), 'utf8').trim()
  daemon = { ...JSON.parse(up), ownerKey }
  client = createClient({ url: daemon.url, token: ownerKey })
}, 5 * minute)

afterAll(async () => {
  if (folder === undefined) return
  await treadle('down')
  for (const made of [folder, configHome]) rmSync(made, { recursive: true, force: true })
})

function makeRepository(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-dashboard-')))
  writeFileSync(join(made, 'sum.test.js'), "require('node:test')('adds', () => undefined)\n")
  git(made, 'init', '-q', '-b', 'main')
  commitAll(made, 'start')
  return made
}

function git(cwd: string, ...args: string[]): string {
  const named = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...named, ...args], { cwd, encoding: 'utf8' }).trim()
}

function commitAll(cwd: string, message: string): string {
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '-m', message)
  return git(cwd, 'rev-parse', 'HEAD')
}

async function treadle(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], {
    cwd: folder,
    env: childEnv({ TREADLE_WORKSPACE: folder, TREADLE_CONFIG_HOME: configHome }),
    timeout: 2 * minute,
  })
  return stdout
}

const link = () => linkOf(daemon)

const inPage = (use: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
  inBrowser(daemon, use, options)
const openLive = (page: Page) => openPage(page, daemon)
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

/** Claims the item as an agent would, and says what an agent would say. */
async function workOn(title: string): Promise<Claim & { say: (event: RunReport) => Promise<void> }> {
  const { projectNumber, number } = await client.addItem({ body: { title } })
  const params = { projectNumber, issueNumber: number }
  const claim = await client.claimItem({ params, body: { agentId: 'agent-1' } })
  let said = 0
  const say = async (event: RunReport) => {
    said += 1
    const eventId = `${claim.run.id}:${said}`
    await client.reportRun({ params: { id: claim.run.id }, body: { eventId, fence: claim.fence, event } })
  }
  return { ...claim, say }
}

/** A change on the agent's branch, delivered with green checks. */
async function deliver(title: string): Promise<Item> {
  const { item, say } = await workOn(title)
  const branch = branchName('agent-1', item)
  const base = git(folder, 'rev-parse', 'main')
  const tree = join(folder, '.treadle', `tree-${item.number}`)
  git(folder, 'worktree', 'add', '-q', '-b', branch, tree, base)
  writeFileSync(join(tree, `change-${item.number}.txt`), `${title}\n`)
  const head = commitAll(tree, title)
  git(folder, 'worktree', 'remove', tree)
  await say({ type: 'build.started', branch, base })
  await say({ type: 'build.finished', summary: 'Written', checkpoint: head })
  const evidence = {
    command: 'node --test',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1,
    output: '0'.repeat(64),
    outputBytes: 0,
    tail: '',
    report: null,
  }
  const gates = [{ is: 'passed' as const, gate: 'tests_pass' as const, evidence }]
  await say({ type: 'verify.passed', branch, head, gates, pushed: false, pushNote: null })
  return item
}

verifies('ORCH-5.1-7', 'a new item appears on the open page without a reload', () =>
  inPage(async (page) => {
    await openLive(page)
    await page.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
    const { number } = await client.addItem({ body: { title: 'Appears by itself' } })
    await section(page, 'Feed').getByText(`#${number} was added`).waitFor()
    await goTo(page, 'Work')
    await section(page, /^To do/)
      .getByText('Appears by itself')
      .waitFor()
    expect(await page.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
  }),
)

test('the header says where, how merging is decided and that it is live', () =>
  inPage(async (page) => {
    await openLive(page)
    const header = page.getByRole('banner')
    expect(await header.innerText()).toContain(basename(folder))
    await header.getByTitle(folder).waitFor()
    expect(await header.getByTitle('You approve merges').count()).toBe(1)
    expect(await page.title()).toMatch(/Treadle · treadle-dashboard-/)
  }))

verifies(
  ['ORCH-5.1-6', 'ORCH-2.4-10', 'AC-2.4.f'],
  'the header shows what was spent today and this month, and a new cost without a reload',
  () =>
    inPage(async (page) => {
      await openLive(page)
      const bar = (name: string) => page.getByRole('banner').getByRole('progressbar', { name })
      const textOf = (name: string) => bar(name).getAttribute('aria-valuetext')
      expect(await textOf('Budget, today')).toBe('$0.00 / $50.00 (0.0%), within budget')
      expect(await textOf('Budget, this month')).toBe('$0.00 / $500.00 (0.0%), within budget')
      const spend = (costUSD: number) =>
        client.logCost({
          body: {
            agentId: 'agent-1',
            projectNumber: 1,
            tokens: { input: 1_000, output: 100 },
            costUSD,
            timestamp: new Date().toISOString(),
          },
        })
      const header = page.getByRole('banner')
      await spend(12.34)
      await header.getByText('$12.34 / $50.00 (24.7%)').waitFor()
      await header.getByText('$12.34 / $500.00 (2.5%)').waitFor()
      expect(Number(await bar('Budget, today').getAttribute('aria-valuenow'))).toBe(24.7)
      await spend(13)
      await header.getByText('$25.34 / $50.00 (50.7%)').waitFor()
      expect(await textOf('Budget, today')).toContain('half or more spent')
      const colourOf = (name: string) =>
        bar(name)
          .locator('.cost-fill')
          .evaluate((fill) => getComputedStyle(fill).backgroundColor)
      expect(await colourOf('Budget, today')).not.toBe(await colourOf('Budget, this month'))
      await openMenu(page, 'spend')
      await header.getByRole('heading', { name: 'Today by item' }).waitFor()
      await header.getByRole('cell', { name: '$25.34' }).waitFor()
    }),
)

test('the token leaves the address bar and lasts for a reload of the tab', () =>
  inPage(async (page) => {
    await openLive(page)
    expect(page.url()).toBe(`${daemon.url}/`)
    await page.reload()
    await connectionIs(page, 'Live')
  }))

test('without a token the page says how to get in, and takes a pasted link', () =>
  inPage(async (page) => {
    await page.goto(daemon.url)
    await page.getByRole('heading', { name: 'Open the link from your terminal' }).waitFor()
    await page.getByRole('textbox', { name: 'Link' }).fill('no link at all')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: 'no key in that text' }).waitFor()
    await page.getByRole('textbox', { name: 'Link' }).fill(link())
    await page.keyboard.press('Enter')
    await connectionIs(page, 'Live')
  }))

test('a wrong token is named as such, and a right link in the same tab helps', () =>
  inPage(async (page) => {
    await page.goto(`${daemon.url}/#token=not-the-token`)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('treadle open')
    await openLive(page)
  }))

test('a delivered change needs you; it is approved beside its diff, and merged', () =>
  inPage(async (page) => {
    await openLive(page)
    await deliver('Deliver and approve')
    await section(page, /^Needs you/)
      .getByRole('link', { name: /Deliver and approve$/ })
      .waitFor()
    await goTo(page, 'Review')
    const read = page.getByRole('link', { name: /^Review #\d+ Deliver and approve$/ })
    await read.waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await read.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('Deliver and approve').nth(1).waitFor()
    const approve = page.getByRole('button', { name: /^Approve #\d+/ })
    await approve.focus()
    await page.keyboard.press('Enter')
    await approve.waitFor({ state: 'detached' })
    // The button that had the focus is gone; the focus must not be lost with it.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.tagName), { timeout: 15_000 })
      .toBe('H2')
    await goTo(page, 'Work')
    const done = section(page, /^Done/).getByRole('listitem').filter({ hasText: 'Deliver and approve' })
    await done.waitFor()
    expect(git(folder, 'ls-tree', '--name-only', 'main')).toMatch(/^change-\d+\.txt$/m)
  }))

test('an escalated item needs you with its reason, and the button puts it back in the queue', () =>
  inPage(async (page) => {
    await openLive(page)
    const { say } = await workOn('Escalate and reopen')
    await say({ type: 'item.escalated', why: 'The two criteria contradict each other' })
    await goTo(page, 'Review')
    const queue = section(page, /^Review/)
    await queue.getByText('The two criteria contradict each other').waitFor()
    await queue.getByRole('button', { name: /^Reopen #\d+ Escalate and reopen$/ }).click()
    // What failed is worth a word before it is tried again, wherever it is reopened.
    await queue.getByLabel('What should the next attempt know?').fill('The first criterion counts')
    await queue.getByRole('button', { name: /^Reopen #\d+ now$/ }).click()
    await goTo(page, 'Work')
    await section(page, /^Backlog/)
      .getByText('Escalate and reopen')
      .waitFor()
  }))

test('an order that comes too late is explained, and the page shows how things stand', () =>
  inPage(async (page) => {
    await openLive(page)
    const { projectNumber, number } = await deliver('Taken away meanwhile')
    await page.goto(`${daemon.url}/#/review/${projectNumber}/${number}`)
    const approve = page.getByRole('button', { name: `Approve #${number}` })
    await approve.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/board?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await client.withdrawItem({ params: { projectNumber, issueNumber: number }, body: {} })
    await Promise.all([page.waitForResponse('**/approve'), approve.click()])
    held.resolve()
    const refusal = page.getByRole('alert').filter({ hasText: `#${number} was not approved.` })
    await refusal.waitFor()
    await goTo(page, 'Work')
    await page.getByLabel('Search items').fill('Taken away meanwhile')
    await section(page, /^Done/).getByText('Taken away meanwhile').waitFor()
    await refusal.getByRole('button', { name: 'Dismiss' }).click()
    await refusal.waitFor({ state: 'detached' })
  }))

verifies(['AC-5.1.e', 'ORCH-5.1-8'], 'with the live connection cut, the page says so and polls', () =>
  inPage(async (page) => {
    await page.routeWebSocket(`**${EVENT_STREAM_PATH}*`, (socket) => socket.close())
    await page.goto(link())
    await connectionIs(page, 'Reconnecting')
    await page.getByRole('alert').filter({ hasText: 'asks every 5 seconds' }).waitFor()
    await client.addItem({ body: { title: 'Found by polling' } })
    await goTo(page, 'Work')
    await row(page, 'Found by polling').first().waitFor()
  }),
)

test('events that come while the stream drops again and again are shown once each, in order', () =>
  inPage(async (page) => {
    let cut: (() => void) | undefined
    await page.routeWebSocket(`**${EVENT_STREAM_PATH}*`, (socket) => {
      socket.connectToServer()
      cut = () => void socket.close()
    })
    await openLive(page)
    const numbers: number[] = []
    for (let round = 0; round < 12; round += 1) {
      const { number } = await client.addItem({ body: { title: `Round ${round}` } })
      numbers.unshift(number)
      if (round % 3 === 0) cut?.()
    }
    const feed = section(page, 'Feed')
    await feed.getByText(`#${numbers[0]} was added`).waitFor()
    await connectionIs(page, 'Live')
    const wanted = numbers.map((number) => `#${number} was added`)
    const shown = (await feed.getByRole('log').innerText()).match(/#\d+ was added/g) ?? []
    expect(shown.filter((text) => wanted.includes(text))).toEqual(wanted)
  }))

test('nothing stands in the way of assistive technology, light and dark', () =>
  inPage(async (page) => {
    await deliver('Look at it')
    await openLive(page)
    await section(page, /^Needs you/).waitFor()
    await page.getByRole('checkbox', { name: 'Every step' }).check()
    await canBeReadInLightAndDark(page, 'Now')
    for (const name of ['Work', 'Review']) {
      await goTo(page, name)
      await page.getByRole('heading', { name: new RegExp(`^${name}`) }).waitFor()
      await canBeReadInLightAndDark(page, name)
    }
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(`${daemon.url}/#token=not-the-token`)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await canBeReadInLightAndDark(page, 'the notice')
  }))

test('on a narrow screen nothing is cut off', () =>
  inPage(
    async (page) => {
      await client.addItem({ body: { title: `A word that is too long: ${'W'.repeat(200)}` } })
      await openLive(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await goTo(page, 'Work')
      await page.getByLabel('Search items').fill('A word that is too long')
      await row(page, 'A word that is too long').first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await row(page, 'A word that is too long').getByRole('link').first().click()
      await page.getByRole('heading', { name: 'Description' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    },
    { viewport: { width: 360, height: 740 } },
  ))

test(
  'while the daemon is down the page keeps what it knew and says so; it comes back by itself',
  () =>
    inPage(async (page) => {
      await client.addItem({ body: { title: 'Known before' } })
      await page.goto((await treadle('open', '--link')).trim())
      await connectionIs(page, 'Live')
      await goTo(page, 'Work')
      await page.getByLabel('Search items').fill('Known before')
      await row(page, 'Known before').first().waitFor()
      await treadle('down')
      await connectionIs(page, 'Offline')
      await page.getByRole('alert').filter({ hasText: 'treadle up' }).waitFor()
      expect(await row(page, 'Known before').count()).toBeGreaterThan(0)
      const heard = await takePort(daemon.url)
      const again = JSON.parse(
        await treadle('up', '--detach', '--json', '--agents', '0', '--die-with', String(process.pid)),
      ) as typeof daemon
      expect(again.url).toBe(daemon.url)
      await connectionIs(page, 'Live')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
      expect(heard + kept).not.toContain(daemon.ownerKey)
      for (const word of heard.match(/session\.[0-9a-f]+/g) ?? []) {
        const headers = { authorization: `Bearer ${word}` }
        expect((await fetch(`${daemon.url}/api/items`, { headers })).status).toBe(401)
      }
    }),
  2 * minute,
)
