// The page with either key: with the crew's one looks, with the owner's one decides, and where a code is wanted types it.
import { expect, test } from 'vitest'
import { browserPages, goTo, linkOf, openLive } from '../kit/browser.ts'
import { begin, deliver, itemOf } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'

const inPage = browserPages()
const open = useInProcess('any', {
  probe: async () => ({ is: 'none', why: 'bubblewrap is not installed' }),
  settings: { merge: { approval: 'human' }, approval: { confirm: 'auto' } },
})
const TITLE = 'Approve this here'

test('a page with the crew key says that it is for looking, and its buttons decide nothing', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon, { title: TITLE })
  await deliver(daemon.workspace, work, { 'looked-at.txt': 'right\n' })
  await inPage(daemon, async (page) => {
    await page.goto(linkOf({ url: daemon.url, ownerKey: daemon.token }))
    await page.getByText('This page has the crew key.').waitFor()
    await page.getByText('treadle open').first().waitFor()
    await page.goto(`${daemon.url}/#/review/1/${work.ref.number}`)
    const approve = page
      .getByRole('main')
      .getByRole('button', { name: /^Approve/ })
      .first()
    await approve.waitFor()
    expect(await approve.getAttribute('aria-disabled')).toBe('true')
    await approve.click({ force: true })
    await page.keyboard.press('a')
  })
  expect(await itemOf(work)).toMatchObject({ state: 'in_review', approval: null })
})

test('a page with the owner’s key approves, once the code that it shows is typed', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon, { title: TITLE })
  await deliver(daemon.workspace, work, { 'decided.txt': 'right\n' })
  await inPage(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Work')
    await page.goto(`${daemon.url}/#/review/1/${work.ref.number}`)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'This decision wants a code' })
    await dialog.getByText(`to approve #${work.ref.number}`).waitFor()
    const { items } = await daemon.client.listCodes()
    const code = items.find(({ what }) => what === `approve #${work.ref.number}`)?.code ?? ''
    expect(await dialog.innerText()).toContain(code)
    await dialog.getByLabel('Code').fill(code)
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect
      .poll(async () => (await itemOf(work)).approval, { timeout: 30_000 })
      .toMatchObject({ kind: 'human', restsOn: 'code' })
  })
})
