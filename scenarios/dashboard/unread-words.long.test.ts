// Who writes to an engine that reads nothing is told so before a word is typed, and again in the terminal.
import { expect, test, vi } from 'vitest'
import { browserPages, openLive } from '../kit/browser.ts'
import { treadle } from '../kit/daemon.ts'
import { begin, deliver, itemOf } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'

vi.setConfig({ testTimeout: 180_000 })
const inBrowser = browserPages()
const openWith = {
  repair: useInProcess('any', { settings: { engines: { default: 'repair' } } }),
  'claude-code': useInProcess('any', { settings: { engines: { default: 'claude-code' } } }),
}
const WORDS = 'The repair engine does not read what you write'

test.each([
  ['repair', 1],
  ['claude-code', 0],
] as const)('with %s as the engine the form and the terminal say so %i times', async (engine, times) => {
  const daemon = await openWith[engine]({} as never)
  const work = await begin(daemon)
  const { ref } = work
  await deliver(daemon.workspace, work, { 'a.txt': 'a\n' })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.goto(`${daemon.url}/#/review/1/${ref.number}`)
    await page.getByRole('button', { name: /^Request changes/ }).click()
    const field = page.getByLabel('What should change?')
    await field.waitFor()
    expect(await page.getByText(WORDS).count()).toBe(times)
    if (times > 0)
      expect(await field.evaluate((element) => element.getAttribute('aria-describedby'))).toContain('unread')
  })
  const said = ['review', 'reject', String(ref.number), '--feedback', 'Other words']
  const { code, stdout } = await treadle(daemon.workspace, said)
  expect([code, stdout.split(WORDS).length - 1]).toEqual([0, times])
})

test('whoever writes to a run of an engine that reads nothing is told so first, and hands it to one that does', async () => {
  const daemon = await openWith.repair({} as never)
  const work = await begin(daemon)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.goto(`${daemon.url}/#/item/1/${work.ref.number}`)
    const field = page.getByLabel('Message agent-1')
    await field.waitFor()
    await page.getByText('The repair engine does not read messages.').waitFor()
    expect(await field.getAttribute('aria-describedby')).toContain('unread')
    await page.getByLabel('Hand it to').selectOption('claude-code')
    await page.getByRole('button', { name: 'Hand over' }).click()
    await field.waitFor({ state: 'detached' })
    expect(await itemOf(work)).toMatchObject({ engine: 'claude-code', claimedByAgentId: null })
  })
})
