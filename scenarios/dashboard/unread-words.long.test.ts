// Who writes to an engine that reads nothing is told so before a word is typed, and again in the terminal.
import { expect, test } from 'vitest'
import { browserPages, openLive } from '../kit/browser.ts'
import { clearWorkspace, startDaemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { begin, deliver } from '../kit/hand-agent.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const inBrowser = browserPages()
const WORDS = 'The repair engine does not read what you write'

test.each([
  ['repair', 1],
  ['claude-code', 0],
])('with %s as the engine the form and the terminal say so %i times', async (engine, times) => {
  const workspace = makeWorkspace({ settings: { engines: { default: engine } } })
  const daemon = await startDaemon(workspace)
  try {
    const work = await begin(daemon)
    await deliver(workspace, work, { 'a.txt': 'a\n' })
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await page.goto(`${daemon.url}/#/review/1/1`)
      await page.getByRole('button', { name: /^Request changes/ }).click()
      const field = page.getByLabel('What should change?')
      await field.waitFor()
      expect(await page.getByText(WORDS).count()).toBe(times)
      if (times > 0)
        expect(await field.evaluate((element) => element.getAttribute('aria-describedby'))).toContain(
          'unread',
        )
    })
    const { code, stdout } = await treadle(workspace, ['review', 'reject', '1', '--feedback', 'Other words'])
    expect([code, stdout.split(WORDS).length - 1]).toEqual([0, times])
  } finally {
    await stopDaemon(daemon)
    await clearWorkspace(workspace)
  }
})

test('whoever writes to a run of an engine that reads nothing is told so first, and hands it to one that does', async () => {
  const workspace = makeWorkspace({ settings: { engines: { default: 'repair' } } })
  const daemon = await startDaemon(workspace)
  try {
    await begin(daemon)
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await page.goto(`${daemon.url}/#/item/1/1`)
      const field = page.getByLabel('Message agent-1')
      await field.waitFor()
      await page.getByText('The repair engine does not read messages.').waitFor()
      expect(await field.getAttribute('aria-describedby')).toContain('unread')
      await page.getByLabel('Hand it to').selectOption('claude-code')
      await page.getByRole('button', { name: 'Hand over' }).click()
      await field.waitFor({ state: 'detached' })
      const { item } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
      expect(item).toMatchObject({ engine: 'claude-code', claimedByAgentId: null })
    })
  } finally {
    await stopDaemon(daemon)
    await clearWorkspace(workspace)
  }
})
