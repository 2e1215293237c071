// A real browser for the tests of a file; each test has a page of its own.
import { notRun } from '@treadle/requirements/not-run'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Browser as FoundBrowser, findBrowser } from '../../tools/browser.ts'

declare global {
  /** Elements inside a page: their types are the browser's, which programs of Node are checked without. */
  interface Element {
    // biome-ignore lint/suspicious/noExplicitAny: whatever a browser's element has.
    readonly [name: string]: any
  }
}

const STEP_MS_MAX = 60_000
const INSTALL_MS_MAX = 300_000

interface Address {
  readonly url: string
  /** The key that the page is given. */
  readonly ownerKey: string
}

export type InPage = (
  daemon: Address,
  use: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
) => Promise<void>

/** The page must not throw, break its policy or call another host; it is closed at the end. */
export function browserPages(): InPage {
  let found: FoundBrowser
  let browser: Browser | undefined
  beforeAll(async () => {
    found = await findBrowser()
    if (found.is === 'missing') return
    browser = await chromium.launch({ executablePath: found.executablePath, args: found.args })
  }, INSTALL_MS_MAX)
  afterAll(() => browser?.close())
  beforeEach((context) => {
    if (found.is === 'missing') notRun(context, found.why, found.install)
  })
  return async (daemon, use, options = {}) => {
    if (!browser) throw new Error('no browser was started')
    const context = await browser.newContext(options)
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(STEP_MS_MAX)
      const wrong: string[] = []
      page.on('pageerror', (error) => wrong.push(error.message))
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) wrong.push(message.text())
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${daemon.url}/`) && !url.startsWith('data:')) wrong.push(`request to ${url}`)
      })
      await use(page)
      expect(wrong).toEqual([])
    } finally {
      await context.close()
    }
  }
}

export function linkOf({ url, ownerKey }: Address): string {
  return `${url}/#token=${ownerKey}`
}

export async function openLive(page: Page, daemon: Address): Promise<void> {
  await page.goto(linkOf(daemon))
  await connectionIs(page, 'Live')
}

export async function connectionIs(page: Page, words: string): Promise<void> {
  await page.getByRole('banner').getByRole('status').filter({ hasText: words }).waitFor()
}

const INSIGHTS = ['Costs', 'Metrics', 'Lessons', 'Health', 'Activity', 'Loops']
const BEHIND_GEAR = ['Maintenance', 'Settings', 'Audit log']

/** As a reader does: by the place in the navigation, and there by the screen. */
export async function goTo(page: Pick<Page, 'getByRole'>, name: string): Promise<void> {
  const [place = name] = [
    ...(INSIGHTS.includes(name) ? ['Insights'] : []),
    ...(BEHIND_GEAR.includes(name) ? ['Maintenance and settings'] : []),
  ]
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).click()
  if (place !== name) await page.getByRole('navigation', { name: place }).getByRole('link', { name }).click()
}

/** Opens what stands behind a part of the top bar: the crew's orders, or what was spent. */
export async function openMenu(page: Page, name: 'crew' | 'spend'): Promise<void> {
  const menu = page.getByRole('banner').locator(name === 'crew' ? '.crew-menu' : '.spend')
  if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click()
}

export function section(page: Page, name: string | RegExp) {
  return page.getByRole('region', { name })
}
