// How soon the words of ten agents that stream are painted, beside an empty page that hears the same stream.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, openLive } from '../../scenarios/kit/browser.ts'
import { type Daemon, startDaemon, usePlaces } from '../../scenarios/kit/daemon.ts'
import type { Work } from '../../scenarios/kit/hand-agent.ts'
import { median, percentile, ratio, round, table } from '../start/numbers.ts'
import { copyItems, load } from './load.ts'
import { measurePaint, type PaintMeasure } from './paint.ts'

vi.setConfig({ testTimeout: 900_000 })
const AGENTS = 10
const EVERY_MS = 250
const FOR_MS = 12_000
/** What the page is to keep: of a hundred events, ninety-five are painted within this time. */
const PAINT_MS_MAX = 250
const SIZES = [500, 10_000]

// A server database: ten thousand items are put into it at once.
const place = usePlaces('server')
const inBrowser = browserPages()

/** A page of nothing but a line for each agent, which hears the stream that the dashboard hears. */
const BARE = (after: string, key: string) => `{
  document.body.replaceChildren()
  const lines = {}
  const address = location.origin.replace('http', 'ws') + '${EVENT_STREAM_PATH}?after=${after}'
  new WebSocket(address, ['treadle', 'token.${key}']).onmessage = ({ data }) => {
    const { agentId } = JSON.parse(data)
    const [mark] = data.match(/mark-\\d+-\\d+-/) ?? []
    if (mark === undefined) return
    lines[agentId] ??= document.body.appendChild(document.createElement('p'))
    lines[agentId].textContent = mark
  }
}`

/** A browser lets only what the daemon serves speak to it, so the page is one of its own, emptied. */
async function openBare(page: Page, daemon: Daemon): Promise<void> {
  const { cursor } = await daemon.client.newestEvents({ query: { limit: 1 } })
  await page.goto(`${daemon.url}/docs`)
  await page.evaluate(BARE(cursor, daemon.ownerKey))
}

async function openSession(page: Page, daemon: Daemon, { ref }: Work): Promise<void> {
  await openLive(page, daemon)
  await page.evaluate(`location.hash = '#/item/${ref.projectNumber}/${ref.number}'`)
  await page.locator('.session-entries').waitFor()
}

type Screen = 'bare page' | 'Now' | 'live session'

async function measureScreens(daemon: Daemon, works: readonly Work[]): Promise<Map<Screen, PaintMeasure>> {
  const found = new Map<Screen, PaintMeasure>()
  const [first] = works
  if (first === undefined) throw new Error('nobody works')
  let from = Date.now() % 1_000_000
  const screens: [Screen, string, (page: Page) => Promise<void>, number?][] = [
    ['bare page', 'p', (page) => openBare(page, daemon)],
    ['Now', '.agent-tile', (page) => openLive(page, daemon)],
    ['live session', '.session-entries', (page) => openSession(page, daemon, first), 1],
  ]
  for (const [name, selector, enter, agent] of screens)
    await inBrowser(daemon, async (page) => {
      await enter(page)
      // The first reading and the fetching of other screens are over.
      await page.waitForTimeout(3_000)
      const of = agent === undefined ? {} : { agent }
      const run = { page, selector, works, everyMs: EVERY_MS, forMs: FOR_MS, from, daemonPid: daemon.pid }
      const measure = await measurePaint({ ...run, ...of })
      from = measure.last
      found.set(name, measure)
    })
  return found
}

function rowsOf(found: ReadonlyMap<Screen, PaintMeasure>): string[][] {
  const bare = found.get('bare page')?.delays ?? []
  const percent = (share: number) => `${round(100 * share, 0)} %`
  return [...found].map(([name, measure]) => {
    const p95 = percentile(measure.delays, 95)
    return [
      name,
      round(median(measure.delays), 0),
      round(p95, 0),
      ratio(p95, percentile(bare, 95)),
      percent(p95 / PAINT_MS_MAX),
      String(measure.lost),
      round(measure.eventsPerSecond, 0),
      percent(measure.blocked),
      percent(measure.daemonBusy),
      String(measure.boards),
      String(measure.requests),
      round(measure.kilobytes, 0),
    ]
  })
}

test('from an event to its words on the screen, while ten agents stream', async (context) => {
  const { workspace, databaseUrl } = await place(context, { settings: { agents: { maxConcurrent: AGENTS } } })
  const daemon = await startDaemon(workspace, databaseUrl)
  const works = await load(daemon, { agents: AGENTS, items: AGENTS + 1, events: 100 })
  let items = AGENTS + 1
  for (const size of SIZES) {
    await copyItems(databaseUrl ?? '', items, size)
    items = size
    const found = await measureScreens(daemon, works)
    process.stdout.write(
      table(`from event to paint, ms, ${AGENTS} agents, ${size} items; limit ${PAINT_MS_MAX} ms for 95 %`, [
        [
          '',
          'median',
          '95 %',
          'to bare',
          'of limit',
          'lost',
          'events/s',
          'page busy',
          'daemon busy',
          'boards',
          'requests',
          'kB',
        ],
        ...rowsOf(found),
      ]),
    )
    expect([...found.values()].map(({ lost }) => lost)).toEqual([0, 0, 0])
  }
})
