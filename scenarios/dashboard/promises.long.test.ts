// What the page promises within seconds, in a real browser and with a real crew.
import type { Client } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import type { Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { crewProcesses } from '../kit/agents.ts'
import { browserPages, goTo, linkOf, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
// Three tries, each with a crew that has to come to its work again.
vi.setConfig({ testTimeout: 600_000 })
const inBrowser = browserPages()
let started: Promise<Daemon> | undefined

/** Two idle agents, and room for more. */
function crew(): Promise<Daemon> {
  started ??= up(shop({ scripts: [], settings: { agents: { maxConcurrent: 8 } } }), 2)
  return started
}

const cards = (page: Page) => page.getByRole('listitem').filter({ has: page.locator('.badge') })
const card = (page: Page, id: string) =>
  cards(page).filter({ has: page.getByRole('heading', { name: id, exact: true }) })
const says = (of: Locator, words: string) => of.locator('.badge').getByText(words).waitFor()

verifies('AC-1.5.a', 'the page shows every agent with its status within 2 seconds', async () => {
  const daemon = await crew()
  await expectWithin(2_000, async () => {
    let ms = Number.POSITIVE_INFINITY
    await inBrowser(daemon, async (page) => {
      ms = await timed(async () => {
        await page.goto(linkOf(daemon))
        for (const id of ['agent-1', 'agent-2']) await says(card(page, id), 'Idle')
      })
    })
    return ms
  })
})

verifies('AC-1.5.b', 'a change of status is on the open page within 2 seconds', async () => {
  const daemon = await crew()
  const give = (order: 'pause' | 'resume') =>
    daemon.client.wantAgent({ params: { id: 'agent-1', order }, body: { now: false } })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await expectWithin(2_000, async () => {
      const ms = await timed(async () => {
        await give('pause')
        await says(card(page, 'agent-1'), 'Paused')
      })
      await give('resume')
      await says(card(page, 'agent-1'), 'Idle')
      return ms
    })
  })
})

verifies('AC-1.5.f', 'an agent that is added is on the page within 3 seconds', async () => {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await says(card(page, 'agent-2'), 'Idle')
    await expectWithin(3_000, (triesBefore) =>
      timed(async () => {
        await page.getByRole('button', { name: 'Add agent' }).click()
        await says(card(page, `agent-${3 + triesBefore}`), 'Idle')
      }),
    )
  })
})

verifies('AC-5.1.b', 'an event is in the feed of the open page within 5 seconds', async () => {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await expectWithin(5_000, () =>
      timed(async () => {
        const { number } = await daemon.client.addItem({ body: { title: 'Seen' } })
        await section(page, 'Feed').getByText(`#${number} was added`).waitFor()
      }),
    )
  })
})

verifies('AC-5.1.d', 'a cost is in the header of the open page within 5 seconds', async () => {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    const header = page.getByRole('banner')
    await expectWithin(5_000, (triesBefore) =>
      timed(async () => {
        await spend(daemon.client, 1.25)
        await header
          .getByText(`$${(1.25 * (triesBefore + 1)).toFixed(2)} / $`)
          .first()
          .waitFor()
      }),
    )
  })
})

function spend(client: Client, costUSD: number) {
  const tokens = { input: 1_000, output: 100 }
  const timestamp = new Date().toISOString()
  return client.logCost({ body: { agentId: 'agent-1', projectNumber: 1, tokens, costUSD, timestamp } })
}

verifies(
  ['AC-1.5.d', 'AC-2.5.c'],
  'after the yes to an emergency stop everybody is gone within 5 seconds',
  async () => {
    const daemon = await crew()
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await goTo(page, 'Maintenance')
      await expectWithin(5_000, async () => {
        await daemon.client.startAgents({ body: { count: 2 } })
        expect(crewProcesses(daemon).length).toBeGreaterThanOrEqual(2)
        await section(page, 'Maintenance').getByRole('button', { name: 'Emergency stop all' }).click()
        const yes = page.getByRole('dialog').getByRole('button', { name: 'Stop everyone' })
        await yes.waitFor()
        return timed(async () => {
          await yes.click()
          await eventually('the end of all', () => (crewProcesses(daemon).length === 0 ? true : undefined))
        })
      })
    })
  },
)
