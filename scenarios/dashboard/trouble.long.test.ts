// What goes wrong on the way to the page is told in the page, and the rest of it goes on.
import { verifies } from '@treadle/requirements/verifies'
import { expect, vi } from 'vitest'
import { browserPages, goTo, openLive } from '../kit/browser.ts'
import { useDaemon } from '../kit/daemon.ts'
import { addItem } from '../kit/hand-agent.ts'

vi.setConfig({ testTimeout: 240_000 })
const open = useDaemon('embedded')
const inBrowser = browserPages()

verifies(
  'ORCH-1.5-8',
  'an error of the API gives a banner, a screen that cannot be drawn says so in its place; the page stays',
  async (context) => {
    const daemon = await open(context)
    await addItem(daemon.client, { title: 'Shown all the while' })
    await inBrowser(daemon, async (page) => {
      const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
      const crew = page.getByRole('heading', { level: 2, name: 'Now' })
      await page.route('**/board.js*', (route) => route.abort())
      await openLive(page, daemon)
      await crew.waitFor()
      const error = { code: 'internal', message: 'The session file could not be read.', hint: 'Look at it.' }
      await page.route('**/api/**', (route) => route.fulfill({ status: 502, json: { error } }))
      await alert(error.message).waitFor()
      await crew.waitFor()
      await page.unroute('**/api/**')
      await alert(error.message).waitFor({ state: 'detached' })

      const broken = alert('This screen could not be shown')
      await goTo(page, 'Work')
      await broken.waitFor()
      await goTo(page, 'Now')
      await crew.waitFor()
      await goTo(page, 'Work')
      await page.unroute('**/board.js*')
      await broken.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('Shown all the while').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })
  },
)
