// Pictures of every screen, light and dark, of a real daemon: `npm run screens` writes them to docs/screens.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../tools/browser.ts'
import { makeSample, type Sample } from './sample.ts'

const DOCS = fileURLToPath(new URL('../../docs/screens', import.meta.url))
const SCHEMES = ['light', 'dark'] as const
const WIDE = { width: 1280, height: 860 }
const TALL = { width: 1280, height: 1500 }
const NARROW = { width: 360, height: 780 }
const QUALITY = 82
/** The pictures that documents show; all others are there to be looked at. */
const IN_DOCUMENTS = ['now', 'review', 'work', 'item', 'conflict', 'costs', 'metrics']
/** Sizes to look at: a common screen and a common phone. */
const LOOKED_AT = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

interface Shot {
  readonly name: string
  /** Behind the # of the address. */
  readonly at: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** What to press before, so that there is something to see. */
  readonly open?: (page: Page) => Promise<void>
}

const press = (name: RegExp) => async (page: Page) => {
  const button = page.getByRole('button', { name }).first()
  if ((await button.count()) > 0) await button.click()
}

const key = (name: string) => (page: Page) => page.keyboard.press(name)

function shotsOf({ merged, conflict, delivered, escalated, atWork }: Sample): Shot[] {
  return [
    { name: 'now', at: 'now' },
    { name: 'now-narrow', at: 'now', viewport: NARROW },
    { name: 'stop', at: 'now', open: press(/Emergency stop all/) },
    { name: 'work', at: 'work' },
    { name: 'item', at: `item/1/${merged}`, open: press(/Show the change/), viewport: TALL },
    { name: 'work-list', at: 'work?view=list' },
    { name: 'work-graph', at: 'work?view=graph' },
    { name: 'item-reopen', at: `item/1/${escalated}`, open: press(/^Reopen/), viewport: TALL },
    { name: 'session', at: `item/1/${atWork}` },
    { name: 'queue', at: 'review' },
    { name: 'review', at: `review/1/${delivered}` },
    { name: 'review-request', at: `review/1/${delivered}`, open: key('r') },
    { name: 'keys', at: 'now', open: key('?') },
    { name: 'palette', at: 'now', open: key('Control+k') },
    { name: 'conflict-ask', at: `conflicts/${conflict}`, open: press(/^Ask/) },
    { name: 'conflict', at: `conflicts/${conflict}` },
    { name: 'loops', at: 'loops' },
    { name: 'settings', at: 'settings' },
    { name: 'audit', at: 'audit' },
    { name: 'activity', at: 'activity' },
    { name: 'costs', at: 'costs' },
    { name: 'metrics', at: 'metrics' },
    { name: 'lessons', at: 'lessons' },
    { name: 'health', at: 'health' },
    { name: 'maintenance', at: 'maintenance' },
  ]
}

const { values } = parseArgs({
  options: {
    into: { type: 'string', default: DOCS },
    /** Every screen as PNG, wide and as on a phone, to be looked at; the small pictures are for documents. */
    png: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

const found = await findBrowser()
if (found.is === 'missing') throw new Error(`${found.why}. ${found.install}`)
const sample = await makeSample((words) => process.stderr.write(`${words}\n`))
try {
  rmSync(values.into, { recursive: true, force: true })
  mkdirSync(values.into, { recursive: true })
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args })
  for (const scheme of SCHEMES) {
    for (const shot of shotsOf(sample).filter(isWanted)) {
      const viewports = values.png ? LOOKED_AT : [shot.viewport ?? WIDE]
      for (const viewport of viewports) {
        const context = await browser.newContext({ colorScheme: scheme, viewport })
        const page = await context.newPage()
        await show(page, shot)
        const file = join(values.into, `${shot.name}-${scheme}`)
        if (values.png) await page.screenshot({ path: `${file}-${viewport.width}.png` })
        else writeFileSync(`${file}.webp`, await pictureOf(await context.newCDPSession(page)))
        await context.close()
      }
    }
  }
  await browser.close()
} finally {
  sample.end()
}

function isWanted({ name }: Shot): boolean {
  return values.only === undefined ? values.png || IN_DOCUMENTS.includes(name) : name === values.only
}

async function show(page: Page, { at, open }: Shot): Promise<void> {
  await page.goto(sample.link)
  await page.getByRole('banner').getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await page.evaluate(`location.hash = '#/${at}'`)
  await page.waitForLoadState('networkidle')
  await page
    .getByText(/^(Reading|Looking|Fetching|Asking).*…$/)
    .filter({ visible: true })
    .first()
    .waitFor({ state: 'hidden' })
  await open?.(page)
  await page.waitForTimeout(1_000)
  await page.evaluate('scrollTo(0, 0)')
}

/** The browser itself writes the small form. */
async function pictureOf(session: CDPSession): Promise<Buffer> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  return Buffer.from(data, 'base64')
}
