// Frames while ten thousand items are scrolled, beside a bare page that is scrolled in the same run.
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, linkOf } from '../../scenarios/kit/browser.ts'
import { startDaemon, usePlaces } from '../../scenarios/kit/daemon.ts'
import { median, percentile, ratio, round, table } from '../start/numbers.ts'
import { copyItems, load } from './load.ts'
import { watch } from './measure.ts'
import { startStream } from './stream.ts'

vi.setConfig({ testTimeout: 600_000 })
const ITEMS = 10_000
const SCROLL_MS = 3_000
const AGENTS = 10
const EVERY_MS = 250
const PIXELS_PER_FRAME = 160
/** A screen of 60 frames a second. */
const FRAME_MS = 1_000 / 60
/** A frame that took longer than this was shown late, and the one before it twice. */
const LATE_MS = 1.5 * FRAME_MS
/** A frame may take this many times as long as on a page of nothing but lines; above it scrolling is not smooth. */
const FRAME_RATIO_MAX = 2

const place = usePlaces('server')
const inBrowser = browserPages()

interface Scrolled {
  /** Between two frames each, in milliseconds. */
  readonly frames: readonly number[]
  readonly elements: number
}

const SCROLL = (selector: string) => `new Promise((resolve) => {
  const box = document.querySelector('${selector}')
  const frames = []
  const end = performance.now() + ${SCROLL_MS}
  let last = performance.now()
  const frame = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    box.scrollTop += ${PIXELS_PER_FRAME}
    if (now < end) requestAnimationFrame(frame)
    else resolve({ frames: frames.slice(1), elements: document.querySelectorAll('*').length })
  }
  requestAnimationFrame(frame)
})`

const BARE_PAGE = 'bare page'
const BARE = `
  document.body.innerHTML = '<div id="bare" style="height: 600px; overflow: auto"></div>'
  document.getElementById('bare').innerHTML = '<p>A line</p>'.repeat(${ITEMS})`

async function scroll(page: Page, selector: string): Promise<Scrolled> {
  await page.locator(selector).waitFor()
  // The first reading and the fetching of other screens are over.
  await page.waitForTimeout(3_000)
  return page.evaluate<Scrolled>(SCROLL(selector))
}

test('frames while the board and the list of ten thousand items are scrolled', async (context) => {
  const { workspace, databaseUrl } = await place(context, { settings: { agents: { maxConcurrent: AGENTS } } })
  const daemon = await startDaemon(workspace, databaseUrl)
  const works = await load(daemon, { agents: AGENTS, items: AGENTS + 1, events: 0 })
  await copyItems(databaseUrl ?? '', AGENTS + 1, ITEMS)
  const scrolled = new Map<string, Scrolled>()
  await inBrowser(daemon, async (page) => {
    await watch(page)
    await page.goto(linkOf(daemon))
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    const views = [
      ['board', '#/board', '[data-column="todo"] .stage-scroll'],
      ['list', '#/board?view=list', '.work-list'],
    ] as const
    for (const [name, hash, selector] of views) {
      await page.evaluate(`location.hash = '${hash}'`)
      scrolled.set(name, await scroll(page, selector))
      await page.evaluate(`document.querySelector('${selector}').scrollTop = 0`)
      const stream = startStream(works, EVERY_MS)
      scrolled.set(`${name}, ${AGENTS} agents streaming`, await scroll(page, selector))
      await stream.stop()
    }
    await page.goto('about:blank')
    await page.evaluate(BARE)
    scrolled.set(BARE_PAGE, await scroll(page, '#bare'))
  })
  const bare = scrolled.get(BARE_PAGE)
  if (bare === undefined) throw new Error('a page was not scrolled')
  const row = (name: string, { frames, elements }: Scrolled) => [
    name,
    round(median(frames)),
    round(percentile(frames, 95)),
    round(Math.max(...frames)),
    ratio(median(frames), median(bare.frames)),
    `${round((100 * median(frames)) / FRAME_MS, 0)} %`,
    `${round((100 * frames.filter((ms) => ms > LATE_MS).length) / frames.length, 0)} %`,
    String(elements),
  ]
  process.stdout.write(
    table(`frames of ${ITEMS} items, ms between two; limit ${FRAME_RATIO_MAX} x the bare page`, [
      ['', 'median', '95 %', 'longest', 'to bare', 'of 1/60 s', 'late', 'elements'],
      ...[...scrolled].map(([name, one]) => row(name, one)),
    ]),
  )
  for (const { frames } of scrolled.values())
    expect(median(frames) / median(bare.frames)).toBeLessThanOrEqual(FRAME_RATIO_MAX)
})
