// How the page is made: fresh without a gap, quick under load, usable by keyboard and at any width, within its policy.

import type { Heartbeat } from '@treadle/contracts/agent'
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { sentence } from '@treadle/contracts/event/sentence'
import { agentNumber, branchName, itemLabel } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, connectionIs, goTo, linkOf, openLive } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { begin, SOME_COMMIT, say, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 240_000 })
const open = useInProcess('any', { settings: { agents: { maxConcurrent: 10 } } })
const inBrowser = browserPages()
const SCREENS = [
  'Work',
  'Review',
  'Loops',
  'Activity',
  'Costs',
  'Metrics',
  'Lessons',
  'Health',
  'Maintenance',
  'Settings',
  'Audit log',
  'Now',
]
const AGENTS = Array.from({ length: 10 }, (_, index) => `agent-${index + 1}`)
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 2, name: new RegExp(`^${name === 'Board' ? 'Work' : name}`) }).first()
const card = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })

function beat({ client }: Daemon, agentId: string, phase: string | null): Promise<unknown> {
  const body: Heartbeat = {
    agentId,
    status: phase === null ? 'idle' : 'working',
    currentProjectNumber: null,
    timestamp: new Date().toISOString(),
    memoryUsage: 64,
    cpuUsage: 1,
    pid: 4_000 + (agentNumber(agentId) ?? 0),
    engine: 'scripted',
    phase,
    tasksCompleted: 0,
    errorCount: 0,
    lastError: null,
    drained: false,
  }
  return client.heartbeat({ params: { id: agentId }, body })
}

/** What the log says are the newest, as the page words them. */
async function newestWords({ client }: Daemon, limit: number): Promise<string[]> {
  const { items } = await client.newestEvents({ query: { limit, steps: 'false' } })
  return items.reverse().map((event) => sentence(event).text)
}

verifies(
  'ORCH-1.5-6',
  'every 2 seconds the sessions of the agents are read, and what they say is shown without an event or a reload',
  async (context) => {
    const daemon = await open(context)
    await beat(daemon, 'agent-1', 'baseline')
    await inBrowser(daemon, async (page) => {
      // The stream is open and says nothing, so whatever is seen was asked for.
      await page.routeWebSocket(`**${EVENT_STREAM_PATH}*`, () => undefined)
      const asked = { agents: 0, items: 0 }
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname === '/api/agents') asked.agents += 1
        if (pathname === '/api/board') asked.items += 1
      })
      await page.clock.install()
      await openLive(page, daemon)
      await card(page, 'agent-1').getByText('baseline', { exact: true }).waitFor()
      await page.clock.pauseAt(Date.now() + 60_000)
      await eventually('the page is at rest', async () => {
        const before = asked.agents
        await page.waitForTimeout(500)
        return before === asked.agents ? true : undefined
      })
      const before = { ...asked }
      await beat(daemon, 'agent-1', 'improving')
      await page.clock.runFor(2_000)
      await card(page, 'agent-1').getByText('improving', { exact: true }).waitFor()
      expect(asked.agents - before.agents).toBe(1)
      expect(asked.items - before.items).toBeLessThan(2)
      await eventually('a second question', async () => {
        // A question that would fall into a reading of everything is left out, and the next one comes.
        if (asked.agents - before.agents < 2) await page.clock.runFor(2_000)
        return asked.agents - before.agents >= 2 ? true : undefined
      })
    })
  },
)

/** Of the time in which the events come, the page may be deaf for readers only so much. */
const BLOCKED_RATIO_MAX = 0.5
const EVENTS = 5_000

const WATCH = `
globalThis.blockedMs = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.blockedMs += duration
}).observe({ type: 'longtask' })`

verifies(
  'ORCH-1.5-10',
  '10 agents at work and 5,000 events: the page answers its reader all the while, and shows the last of them',
  async (context) => {
    const daemon = await open(context)
    const works: Work[] = []
    for (const agentId of AGENTS) {
      await beat(daemon, agentId, 'building')
      const { projectNumber, number } = await daemon.client.addItem({ body: { title: `For ${agentId}` } })
      const params = { projectNumber, issueNumber: number }
      const claim = await daemon.client.claimItem({ params, body: { agentId } })
      works.push({ client: daemon.client, agentId, ref: { projectNumber, number }, claim })
    }
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      for (const id of AGENTS) await card(page, id).waitFor()
      await page.getByRole('checkbox', { name: 'Every step' }).check()
      await page.evaluate(WATCH)
      const began = performance.now()
      let flowing = true
      const flood = Promise.all(
        works.map(async (work) => {
          for (let n = 0; n < EVENTS / works.length; n += 1) {
            const observation = {
              tool: 'Edit',
              input: `src/${n}.ts`,
              output: 'changed',
              durationMs: 1,
              success: true,
            }
            await say(work, { type: 'run.observed', observation })
          }
        }),
      ).finally(() => {
        flowing = false
      })
      let visits = 0
      while (flowing) {
        for (const name of ['Activity', 'Work', 'Now']) {
          await goTo(page, name)
          await heading(page, name).waitFor()
          visits += 1
        }
      }
      await flood
      const blockedMs = await page.evaluate<number>('globalThis.blockedMs')
      const ratio = blockedMs / (performance.now() - began)
      expect(visits).toBeGreaterThan(2)
      expect(ratio).toBeLessThan(BLOCKED_RATIO_MAX)
      // A button still does what it says, and the last event is there.
      const { number } = await daemon.client.addItem({ body: { title: 'After the flood' } })
      await page.getByRole('log').getByText(`#${number} was added`).first().waitFor()
      // However many came, the page holds only those it can show.
      expect(await page.locator('.entry').count()).toBeLessThanOrEqual(200)
    })
  },
)

test('with the stream cut while things happen, the page ends up with exactly what the log has', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    let cut: (() => void) | undefined
    let refusing = false
    await page.routeWebSocket(`**${EVENT_STREAM_PATH}*`, (socket) => {
      if (refusing) return void socket.close()
      socket.connectToServer()
      cut = () => void socket.close()
    })
    await openLive(page, daemon)
    for (let round = 0; round < 40; round += 1) {
      await daemon.client.addItem({ body: { title: `Round ${round}` } })
      if (round === 5 || round === 15) cut?.()
      if (round === 20) {
        refusing = true
        cut?.()
      }
    }
    await page.getByRole('alert').filter({ hasText: 'asks every 5 seconds' }).waitFor()
    refusing = false
    await connectionIs(page, 'Live')
    const last = await daemon.client.addItem({ body: { title: 'The last one' } })
    await page.getByRole('log').getByText(`#${last.number} was added`).waitFor()
    const shown = await page.locator('.entry .text').allInnerTexts()
    expect(shown.slice(0, 50)).toEqual(await newestWords(daemon, 50))
  })
})

verifies(
  ['ORCH-5.1-1', 'AC-5.1.a'],
  'the page opens with the last 50 events: when, which agent, what kind, and a way to the item',
  async (context) => {
    const daemon = await open(context)
    for (let n = 0; n < 50; n += 1) await daemon.client.addItem({ body: { title: `One of fifty ${n}` } })
    const work = await begin(daemon, { title: 'Claimed in sight' })
    const branch = branchName(work.agentId, work.ref)
    await say(work, { type: 'build.started', branch, base: SOME_COMMIT })
    // An agent's words that would read "Made exe.png" if they could turn their direction.
    await say(work, { type: 'build.finished', summary: 'Made \u202egnp.exe', checkpoint: SOME_COMMIT })
    await inBrowser(daemon, async (page) => {
      const rows = page.getByRole('log').locator('tbody tr')
      const claimed = rows.filter({ hasText: `agent-1 claimed ${itemLabel(work.ref)}` })
      await expectWithin(2_000, async () => {
        await page.goto('about:blank')
        return timed(async () => {
          await page.goto(linkOf(daemon))
          await goTo(page, 'Activity')
          await claimed.waitFor()
        })
      })
      expect(await rows.count()).toBe(50)
      const texts = await rows.locator('.said > span:last-child').allInnerTexts()
      expect(texts.map((text) => text.split('\n')[0]?.trim())).toEqual(await newestWords(daemon, 50))
      await rows.getByText('Made [U+202E]gnp.exe').waitFor()
      const cells = claimed.getByRole('cell')
      const at = await cells.nth(0).locator('time').getAttribute('datetime')
      expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() - 3_600_000)
      expect(await cells.nth(1).innerText()).toBe('agent-1')
      expect(await cells.nth(4).innerText()).toBe('claim.taken')
      await cells
        .nth(3)
        .getByRole('link', { name: itemLabel(work.ref) })
        .click()
      await page.getByRole('heading', { name: /Claimed in sight/ }).waitFor()
    })
  },
)

test('by keyboard: keys are listed and lead to screens, not while one types; headings are where one lands', async (context) => {
  const daemon = await open(context)
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.tagName')
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main')

    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await heading(page, 'Work').waitFor()
    expect(await focused(page)).toBe('H2')
    expect(await page.title()).toMatch(/Work · Treadle · /)

    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('textbox').first().fill('')
    await page.keyboard.type('g?gi')
    expect(await page.getByRole('textbox').first().inputValue()).toBe('g?gi')
    expect(new URL(page.url()).hash).toBe('#/work')
    await page.reload()
    await connectionIs(page, 'Live')

    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const name of SCREENS) await list.getByText(name, { exact: true }).waitFor()
    await list.getByRole('checkbox', { name: /single-key/ }).uncheck()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).hash).toBe('#/work')
    // Turned on again where they are listed, which a pointer can reach.
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await list.getByRole('checkbox', { name: /single-key/ }).check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await heading(page, 'Activity').waitFor()
    // Looking at one agent is not another screen: the focus stays where it is.
    await page.getByRole('combobox').selectOption('agent-1')
    await page.getByRole('combobox').focus()
    await page.waitForTimeout(300)
    expect(await focused(page)).toBe('SELECT')
  })
})

test('an order whose answer is lost is told as not known, and an address that leads nowhere is told', async (context) => {
  const daemon = await open(context)
  await beat(daemon, 'agent-1', null)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    // It is carried out, and nobody hears of it.
    await page.route('**/api/agents/agent-1/*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await card(page, 'agent-1')
      .getByRole('button', { name: /^(Pause|Start|Resume) agent-1$/ })
      .click()
    const told = page.getByRole('alert').filter({ hasText: 'it is not known whether it was done' })
    await told.waitFor()
    expect(await told.innerText()).not.toContain('could not be')
    await page.evaluate("location.hash = '#/nonsense'")
    await page.getByText('Nothing is at this address.').waitFor()
    await page.evaluate("location.hash = '#/board'")
    await page.getByText('Nothing is at this address.').waitFor({ state: 'detached' })
  })
})

test.each([300, 360, 900])(
  '%i px wide: nothing is cut off, and the header leaves room for the screen',
  async (width) => {
    const daemon = await open({} as never)
    const long = `A name of ${'W'.repeat(250)}`
    await daemon.client.addItem({ body: { title: long } })
    // In the inbox and before everything else, too.
    const work = await begin(daemon, { title: long })
    await say(work, { type: 'item.escalated', why: 'V'.repeat(250) })
    const height = 740
    await inBrowser(
      daemon,
      async (page) => {
        await openLive(page, daemon)
        for (const name of SCREENS) {
          await goTo(page, name)
          await heading(page, name).waitFor()
          await fitsTheWindow(page, name)
          const current = page.getByRole('navigation').locator('[aria-current]').last()
          const box = await current.boundingBox()
          expect(box?.x).toBeGreaterThanOrEqual(0)
          expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
          const top = await page.getByRole('main').boundingBox()
          expect(top?.y).toBeLessThan(height * 0.4)
        }
      },
      { viewport: { width, height } },
    )
  },
)

test('every screen keeps to the policy of the page, which allows nothing inline and nobody around it', async (context) => {
  const daemon = await open(context)
  const { headers } = await fetch(`${daemon.url}/`)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("connect-src 'self';")
  const { projectNumber, number } = await daemon.client.addItem({ body: { title: 'Looked at' } })
  await inBrowser(daemon, async (page) => {
    await page.addInitScript(`globalThis.violations = []
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
        violations.push([violatedDirective, blockedURI, sourceFile].join(' '))
      })`)
    await openLive(page, daemon)
    // Shipped letters, not whatever the machine has; the policy lets them in.
    const fonts = `document.fonts.ready.then((all) => [...all].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`
    expect(await page.evaluate(fonts)).toContain('Inter')
    for (const name of SCREENS) {
      await goTo(page, name)
      await heading(page, name).waitFor()
    }
    for (const hash of [
      `#/item/${projectNumber}/${number}`,
      '#/review',
      `#/loops/${projectNumber}/${number}`,
    ]) {
      await page.evaluate(`location.hash = '${hash}'`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
    }
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('violations')).toEqual([])
    await page.goto(`${daemon.url}/docs`)
    expect(await page.evaluate('violations')).toEqual([])
    expect(await page.evaluate("getComputedStyle(document.querySelector('section')).borderTopStyle")).toBe(
      'solid',
    )
  })
})

test('whoever wants no motion gets none, also while the connection is sought', async (context) => {
  const daemon = await open(context)
  const moving =
    'document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === Infinity).length'
  for (const [reducedMotion, wanted] of [
    ['reduce', 0],
    ['no-preference', 1],
  ] as const) {
    await inBrowser(
      daemon,
      async (page) => {
        await page.routeWebSocket(`**${EVENT_STREAM_PATH}*`, (socket) => socket.close())
        await page.goto(linkOf(daemon))
        await connectionIs(page, 'Reconnecting')
        expect(await page.evaluate(moving)).toBe(wanted)
      },
      { reducedMotion },
    )
  }
})
