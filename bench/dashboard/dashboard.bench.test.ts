// How soon the page is there and how it keeps up, with ten agents and 5,000 events, beside the same page with nothing.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserPages, linkOf } from '../../scenarios/kit/browser.ts'
import { type Daemon, startDaemon, usePlaces } from '../../scenarios/kit/daemon.ts'
import { median, ratio, round, table } from '../start/numbers.ts'
import { load, makeEvents } from './load.ts'
import { type Painted, painted, sinceOpened, timeToPaint, watch } from './measure.ts'

const LOAD = { agents: 10, items: 300, events: 5_000 }
const OPENINGS = 5
const BURST = 200
/** AC-1.5.a and AC-5.1.a: agents and events within 2 seconds. */
const SHOWN_MS_MAX = 2_000
/** What a person feels as at once. */
const ANSWER_MS_MAX = 100

const place = usePlaces('embedded')
const inBrowser = browserPages()

interface Opening extends Painted {
  /** Until every agent and the last event are on the screen. */
  readonly shown: number
}

test('first paint of a loaded crew page, and a page that keeps up', async (context) => {
  const empty = await startDaemon((await place(context)).workspace)
  const loaded = await startDaemon((await place(context, BUSY)).workspace)
  const works = await load(loaded, LOAD)
  const bare: Opening[] = []
  const full: Opening[] = []
  for (let turn = 0; turn < OPENINGS; turn += 1) {
    bare.push(await opening(empty, (page) => page.getByText('No agents').first().waitFor()))
    full.push(await opening(loaded, (page) => page.getByRole('heading', { name: 'agent-10' }).waitFor()))
  }
  const answers: number[] = []
  let busy = 0
  await inBrowser(loaded, async (page) => {
    await watch(page)
    await page.goto(linkOf(loaded))
    await page.getByRole('heading', { name: 'agent-10' }).waitFor()
    const burst = makeEvents(works, BURST)
    for (const to of ['#/work', '#/now', '#/activity', '#/loops', '#/now', '#/work', '#/now']) {
      answers.push(await timeToPaint(page, to))
      await page.waitForTimeout(200)
    }
    await burst
    busy = (await painted(page)).busy
  })
  const row = (name: string, of: (one: Opening) => number, limit?: number) => [
    name,
    round(median(bare.map(of)), 0),
    round(median(full.map(of)), 0),
    ratio(median(full.map(of)), median(bare.map(of))),
    limit === undefined ? '' : `${round((100 * median(full.map(of))) / limit, 0)} %`,
  ]
  const answer = (name: string, ms: number) => [
    name,
    '',
    round(ms, 0),
    '',
    `${round((100 * ms) / ANSWER_MS_MAX, 0)} %`,
  ]
  process.stdout.write(
    table(
      `the page, ms, ${LOAD.agents} agents, ${LOAD.items} items, ${LOAD.events} events; median of ${OPENINGS}`,
      [
        ['', 'empty', 'loaded', 'to empty', 'of its limit'],
        row('first paint', ({ first }) => first, SHOWN_MS_MAX),
        row('largest paint', ({ largest }) => largest, SHOWN_MS_MAX),
        row('everything shown', ({ shown }) => shown, SHOWN_MS_MAX),
        row('longest task', ({ busy: ms }) => ms),
        answer(`another screen while ${BURST} events come, median`, median(answers)),
        answer('the same, slowest', Math.max(...answers)),
        answer('longest task meanwhile', busy),
      ],
    ),
  )
  process.stdout.write(
    `layout shift: ${round(Math.max(...full.map(({ shift }) => shift)), 3)} (good: below 0.1)\n`,
  )
  expect(full.every(({ first, shown }) => first > 0 && shown > 0)).toBe(true)
})

const BUSY = { settings: { agents: { maxConcurrent: 10 } } }

async function opening(daemon: Daemon, shown: (page: Page) => Promise<void>): Promise<Opening> {
  let found: Opening | undefined
  await inBrowser(daemon, async (page) => {
    await watch(page)
    await page.goto(linkOf(daemon))
    await shown(page)
    const at = await sinceOpened(page)
    await page.waitForTimeout(1_500)
    found = { ...(await painted(page)), shown: at }
  })
  if (found === undefined) throw new Error('no page was opened')
  return found
}
