// The work as people arrange it: filtered, saved, changed several at once, however much there is.
import type { Client } from '@treadle/contracts/client'
import { beforeEach, expect, test, vi } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { addItem, begin, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { add, at, card, emptyBoard, hashOf, queueIs } from './board-page.ts'

vi.setConfig({ testTimeout: 300_000 })
const open = useInProcess('any', { settings: { tests: { command: 'true' } } })
const inBrowser = browserPages()
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
  await emptyBoard(daemon.client)
})

test('filters are in the address, survive a reload, and can be saved as a view', async () => {
  const { client } = daemon
  const [cart = 0, , backlog = 0] = await add(client, [
    { title: 'Round the cart <img src=x onerror=alert(1)>', priority: 1 },
    { title: 'Something else' },
    { title: 'A cart for later', status: 'backlog' },
  ])
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    await page.getByRole('searchbox', { name: 'Search items' }).fill('cart')
    await expect.poll(() => hashOf(page)).toBe('#/work?q=cart')
    await expect.poll(() => page.locator('li[data-key]').count()).toBe(2)
    await page.getByRole('combobox', { name: 'State' }).selectOption('To do')
    await expect.poll(() => hashOf(page)).toBe('#/work?state=todo&q=cart')
    await page.reload()
    await card(page, cart).waitFor()
    expect(await page.locator('li[data-key]').count()).toBe(1)
    expect(await page.getByRole('searchbox', { name: 'Search items' }).inputValue()).toBe('cart')

    await page.getByRole('button', { name: 'Save view…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Carts')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await card(page, backlog).waitFor()
    await page.reload()
    await card(page, backlog).waitFor()
    await page.getByRole('combobox', { name: 'Saved view' }).selectOption('Carts')
    await expect.poll(() => page.locator('li[data-key]').count()).toBe(1)
    expect(hashOf(page)).toBe('#/work?state=todo&q=cart')

    // The same filters hold in the list, which is sorted by its heads.
    await at(page, 'view=list&q=cart')
    await page.getByRole('button', { name: 'Title' }).click()
    await expect.poll(() => hashOf(page)).toBe('#/work?view=list&q=cart&sort=title')
    await expect
      .poll(() => page.locator('.work-list tbody .at-title').first().textContent())
      .toBe('A cart for later')
  })
})

test('several items are changed at once after a question that counts them', async () => {
  const { client } = daemon
  const [a = 0, b = 0, c = 0] = await add(client, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    await card(page, b).getByRole('checkbox').check()
    await card(page, c).getByRole('link').focus()
    await page.keyboard.press('x')
    const bar = section(page, 'Selected items')
    await bar.getByText('2 items selected').waitFor()
    await bar.getByRole('button', { name: 'Priority…' }).click()
    await page.getByRole('textbox', { name: /^Priority/ }).fill('0')
    await page.getByRole('dialog').getByRole('heading', { name: 'Set priority 0 for 2 items?' }).waitFor()
    await page.getByRole('button', { name: 'Set priority (2)' }).click()
    await queueIs(daemon.client, [b, c, a])
    await page.getByText('2 items changed.').waitFor()

    await card(page, a).getByRole('checkbox').check()
    await bar.getByRole('button', { name: 'Select all' }).click()
    await bar.getByRole('button', { name: 'Withdraw…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Withdraw 3 items?' }).waitFor()
    await dialog.getByText('stay as they are').waitFor()
    await dialog.getByRole('button', { name: 'Withdraw (3)' }).click()
    await queueIs(daemon.client, [])
  })
})

test('several items are assigned at once; what is taken from an agent is named first', async () => {
  const { client } = daemon
  const held = await begin(daemon, { title: 'held' })
  const [a = 0, b = 0] = await add(client, [{ title: 'a' }, { title: 'b' }])
  await take(daemon, { projectNumber: 1, number: b }, 'agent-7')
  const assigned = async (number: number) => {
    const { item } = await client.showItem({ params: path({ projectNumber: 1, number }) })
    return [item.claimedByAgentId, item.assignedAgentId]
  }
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    for (const number of [a, b, held.ref.number]) await card(page, number).getByRole('checkbox').check()
    await section(page, 'Selected items').getByRole('button', { name: 'Assign…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').selectOption('agent-7')
    await dialog.getByRole('heading', { name: 'Assign 2 items to agent-7?' }).waitFor()
    await dialog
      .getByText(`1 item will be taken from an agent at work: #${held.ref.number} (agent-1).`)
      .waitFor()
    await dialog.getByText('agent-7 is not running, so any agent may take them.').waitFor()
    await dialog.getByText(`agent-7 has #${b} already.`).waitFor()
    await canBeReadAloud(page)
    await dialog.getByRole('button', { name: 'Assign (2)' }).click()
    await page.getByText('2 items assigned.').waitFor()
  })
  expect(await assigned(a)).toEqual([null, 'agent-7'])
  expect(await assigned(held.ref.number)).toEqual([null, 'agent-7'])
  expect(await assigned(b)).toEqual(['agent-7', null])
})

/** How many lines a picture of all items has. */
async function linksOf(client: Client): Promise<number> {
  const { items } = await client.listItems()
  return items.reduce((sum, { dependsOn, parent }) => sum + dependsOn.length + (parent === null ? 0 : 1), 0)
}

test('what depends on what is drawn in layers, and said in words; every view is without violations', async () => {
  const { client } = daemon
  const [first = 0] = await add(client, [{ title: 'first' }])
  const [second = 0] = await add(client, [{ title: 'second', dependsOn: [first] }])
  await add(client, [{ title: 'third', dependsOn: [second], parent: first }])
  for (const colorScheme of ['light', 'dark'] as const)
    await inBrowser(
      daemon,
      async (page) => {
        await openLive(page, daemon)
        for (const view of ['board', 'list', 'graph']) {
          await at(page, `view=${view}`)
          await page.getByRole('link', { name: /third/ }).first().waitFor()
          await canBeReadAloud(page)
        }
        await page.getByText('The same as text').click()
        await page.getByText(`third: waits for #${second}, is part of #${first}`).waitFor()
        expect(await page.locator('.work-graph .edge').count()).toBe(await linksOf(client))
      },
      { colorScheme },
    )
})

test('ten thousand items: few of them are drawn, and any is found', async () => {
  const { client } = daemon
  const count = 10_000
  const titles = Array.from({ length: count }, (_, index) => `Piece no${index + 1} of many`)
  for (let from = 0; from < count; from += 50)
    await Promise.all(titles.slice(from, from + 50).map((title) => addItem(client, { title })))
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    for (const view of ['board', 'list']) {
      await at(page, `view=${view}`)
      const elements = () => page.evaluate<number>("document.querySelectorAll('main *').length")
      const scroller = page.locator(view === 'board' ? '[data-column="todo"] .stage-scroll' : '.work-list')
      const rows = page.locator(
        view === 'board' ? '[data-column="todo"] li[data-key]' : '.work-list tbody tr[aria-rowindex]',
      )
      await rows.first().waitFor()
      for (const part of [0, 0.5, 1]) {
        await scroller.evaluate((box, share) => box.scrollTo(0, share * box.scrollHeight), part)
        await expect.poll(() => rows.count()).toBeGreaterThan(5)
        expect(await elements()).toBeLessThan(1_500)
      }
    }
    await at(page)
    const shown = page.locator('[data-column="todo"] li[data-key]').first()
    expect(await shown.getAttribute('aria-setsize')).toBe(String(count))
    await page.locator('[data-column="todo"] .title a[tabindex="0"]').focus()
    await page.keyboard.press('End')
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('li')?.getAttribute('aria-posinset')"))
      .toBe(String(count))
    await page.getByRole('searchbox', { name: 'Search items' }).fill('no9876 many')
    await page.getByRole('link', { name: /Piece no9876 of many/ }).waitFor()
    expect(await page.locator('li[data-key]').count()).toBe(1)
  })
})
