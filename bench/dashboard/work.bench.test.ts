// Frames while ten thousand items are scrolled, beside a bare page that is scrolled in the same run.
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, linkOf } from '../../scenarios/kit/browser.ts'
import { useInProcess } from '../../scenarios/kit/in-process.ts'
import { median, percentile, ratio, round, table } from '../start/numbers.ts'
import { fill } from './load.ts'
import { watch } from './measure.ts'

vi.setConfig({ testTimeout: 600_000 })
const ITEMS = 10_000
const SCROLL_MS = 3_000
const PIXELS_PER_FRAME = 160
/** A screen of 60 frames a second. */
const FRAME_MS = 1_000 / 60
/** A frame may take this many times as long as on a page of nothing but lines; above it scrolling is not smooth. */
const FRAME_RATIO_MAX = 2

const open = useInProcess('any')
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
  const daemon = await open(context)
  await fill(daemon, ITEMS)
  const scrolled: Record<'bare' | 'board' | 'list', Scrolled | null> = { bare: null, board: null, list: null }
  await inBrowser(daemon, async (page) => {
    await watch(page)
    await page.goto(linkOf(daemon))
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await page.evaluate("location.hash = '#/board'")
    scrolled.board = await scroll(page, '[data-column="todo"] .stage-scroll')
    await page.evaluate("location.hash = '#/board?view=list'")
    scrolled.list = await scroll(page, '.work-list')
    await page.goto('about:blank')
    await page.evaluate(BARE)
    scrolled.bare = await scroll(page, '#bare')
  })
  const { bare, board, list } = scrolled
  if (bare === null || board === null || list === null) throw new Error('a page was not scrolled')
  const row = (name: string, { frames, elements }: Scrolled) => [
    name,
    round(median(frames)),
    round(percentile(frames, 95)),
    round(Math.max(...frames)),
    ratio(median(frames), median(bare.frames)),
    `${round((100 * median(frames)) / FRAME_MS, 0)} %`,
    String(elements),
  ]
  process.stdout.write(
    table(`frames of ${ITEMS} items, ms between two; limit ${FRAME_RATIO_MAX} x the bare page`, [
      ['', 'median', '95 %', 'longest', 'to bare', 'of 1/60 s', 'elements'],
      row('bare page', bare),
      row('board', board),
      row('list', list),
    ]),
  )
  for (const { frames } of [board, list])
    expect(median(frames) / median(bare.frames)).toBeLessThanOrEqual(FRAME_RATIO_MAX)
})
