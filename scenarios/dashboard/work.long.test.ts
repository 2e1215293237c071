// The work as people arrange it: moved by hand and by keys, filtered, saved, changed several at once, however much there is.
import type { Client } from '@treadle/contracts/client'
import type { NewItem } from '@treadle/contracts/item'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test, vi } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { addItem, begin, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 300_000 })
const open = useInProcess('any', { settings: { tests: { command: 'true' } } })
const inBrowser = browserPages()
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
  const { items } = await daemon.client.board({ query: { ended: 0 } })
  for (const { projectNumber, number } of items)
    await daemon.client.withdrawItem({ params: path({ projectNumber, number }), body: {} })
})

async function add(client: Client, given: readonly Partial<NewItem>[]): Promise<number[]> {
  const numbers: number[] = []
  for (const each of given) numbers.push((await addItem(client, each)).number)
  return numbers
}
const queue = async () => (await daemon.client.queue()).items.map(({ number }) => number)
const queueIs = (numbers: readonly number[]) =>
  eventually(`the queue is ${numbers}`, async () =>
    JSON.stringify(await queue()) === JSON.stringify(numbers) ? true : undefined,
  )
const card = (page: Page, number: number) => page.locator(`li[data-key="1/${number}"]`)
const cardsIn = (page: Page, column: string) => section(page, new RegExp(`^${column}`)).locator('li .number')
const at = async (page: Page, query = '') => {
  await page.evaluate(`location.hash = '#/work${query === '' ? '' : `?${query}`}'`)
  await page.getByRole('heading', { level: 2, name: 'Work' }).waitFor()
}
const hashOf = (page: Page) => new URL(page.url()).hash

test('a card dragged or moved by keys is claimed where it was put; a step that cannot be says why', async () => {
  const { client } = daemon
  const [a = 0, b = 0, c = 0] = await add(client, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    expect(await cardsIn(page, 'To do').allTextContents()).toEqual([`#${a}`, `#${b}`, `#${c}`])
    await card(page, c).dragTo(card(page, a), { targetPosition: { x: 40, y: 10 }, steps: 6 })
    await queueIs([c, a, b])
    await page.getByText(`#${c} is now before #${a}.`).first().waitFor()
    await expect.poll(() => cardsIn(page, 'To do').allTextContents()).toEqual([`#${c}`, `#${a}`, `#${b}`])

    // By keys alone: down one card, and that card up.
    await card(page, c).getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain(`#${b}`)
    await page.keyboard.press('Alt+ArrowUp')
    await queueIs([c, b, a])
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain(`#${b}`)
    await page.keyboard.press('Home')
    await page.keyboard.press('Alt+ArrowUp')
    await page
      .getByRole('alert')
      .filter({ hasText: `#${c} is already first.` })
      .waitFor()
    expect(await queue()).toEqual([c, b, a])
  })
  const [next = 0] = await queue()
  expect((await take(daemon, { projectNumber: 1, number: next }, 'agent-7')).claim.item.number).toBe(c)
})

/** As a hand does it: the card is picked up first, then its way to the place comes into sight. */
async function drag(page: Page, number: number, to: Locator): Promise<void> {
  await card(page, number).hover({ position: { x: 40, y: 90 } })
  await page.mouse.down()
  const from = await middle(card(page, number))
  await page.mouse.move(from.x - 10, from.y, { steps: 3 })
  await page.locator('.drop-bar').waitFor()
  await to.evaluate((element) => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  const { x, y } = await middle(to)
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
  await page.locator('.drop-bar').waitFor({ state: 'detached' })
}
async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await of.boundingBox()) ?? {}
  return { x: x + width / 2, y: y + height / 2 }
}
const column = (page: Page, name: string) => section(page, new RegExp(`^${name}`))
const target = (page: Page, words: string) => page.locator('.drop-target').getByText(words, { exact: true })

test('a card dropped where it cannot stand stays, and the reason is shown and read out, each time', async () => {
  const { client } = daemon
  const [a = 0, b = 0] = await add(client, [{ title: 'a' }, { title: 'b' }])
  const held = (await begin(daemon, { title: 'held' })).ref.number
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    const reason = page.getByRole('alert').filter({ hasText: `#${b} is done once it is merged` })
    await drag(page, b, column(page, 'Done').locator('.stage-scroll'))
    await reason.waitFor()
    expect(
      await reason.evaluate(
        (box) => box.getBoundingClientRect().bottom <= box.ownerDocument.defaultView.innerHeight,
      ),
    ).toBe(true)
    await canBeReadAloud(page)
    // The same once more, on the head of the column: read out again, so it is a new alert.
    await reason.evaluate((box) => box.setAttribute('data-old', ''))
    await drag(page, b, column(page, 'Done').getByRole('heading'))
    await page.locator('[role="alert"]:not([data-old])').getByText('is done once it is merged').waitFor()
    await drag(page, held, column(page, 'To do').locator('.stage-scroll'))
    await page.getByRole('alert').filter({ hasText: 'Release it on its own page' }).waitFor()
    expect(await cardsIn(page, 'To do').allTextContents()).toEqual([`#${a}`, `#${b}`])
    await column(page, 'Building').getByText(`#${held}`, { exact: true }).waitFor()
    expect(await queue()).toEqual([a, b])

    // A card that goes while it is dragged leaves nothing behind.
    await card(page, b).hover({ position: { x: 40, y: 90 } })
    await page.mouse.down()
    await page.mouse.move(300, 420, { steps: 3 })
    await page.locator('.drop-bar').waitFor()
    await client.withdrawItem({ params: path({ projectNumber: 1, number: b }), body: {} })
    await column(page, 'Done').getByText(`#${b}`, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.mouse.move(500, 500, { steps: 2 })
    await page.locator('.drop-bar').waitFor({ state: 'detached' })
  })
})

test('a withdrawn card dropped on an empty column of the queue is in the queue again', async () => {
  const { client } = daemon
  const [a = 0] = await add(client, [{ title: 'a' }])
  await client.withdrawItem({ params: path({ projectNumber: 1, number: a }), body: {} })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    await column(page, 'To do').getByText('Nothing here').waitFor()
    await drag(page, a, column(page, 'To do').locator('.stage-scroll'))
    await queueIs([a])
    await page.getByText(`#${a} is back in the queue, under Backlog.`).first().waitFor()
    await column(page, 'Backlog').getByText(`#${a}`, { exact: true }).waitFor()
  })
})

test('a card is dropped on a priority, and on an agent; it is asked before work is taken from another', async () => {
  const { client } = daemon
  const [a = 0] = await add(client, [{ title: 'a' }])
  const held = (await take(daemon, { projectNumber: 1, number: a }, 'agent-7')).ref.number
  // What waits for another is not picked up, also not by the agent that runs.
  const [b = 0, c = 0] = await add(client, [
    { title: 'b', dependsOn: [held] },
    { title: 'c', dependsOn: [held] },
  ])
  const holders = async (number: number) => {
    const { item } = await client.showItem({ params: path({ projectNumber: 1, number }) })
    return [item.claimedByAgentId, item.assignedAgentId, item.priority]
  }
  await client.startAgents({ body: { count: 1 } })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    await drag(page, c, target(page, '1'))
    await page.getByText(`#${c} now has priority 1.`).first().waitFor()
    expect(await holders(c)).toEqual([null, null, 1])
    await card(page, c).getByText('P1').waitFor()

    await drag(page, b, target(page, 'agent-1'))
    await page.getByText(`#${b} now waits for agent-1.`).first().waitFor()
    expect(await holders(b)).toEqual([null, 'agent-1', null])
    await card(page, b).getByText('agent-1').waitFor()

    await drag(page, held, target(page, 'agent-1'))
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: `Take #${held} from agent-7?` }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await holders(held)).toEqual(['agent-7', null, null])
    await drag(page, held, target(page, 'agent-1'))
    await dialog.getByRole('button', { name: 'Reassign it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await holders(held)).slice(0, 2)).toContain('agent-1')
  })
  await client.startAgents({ body: { count: 0 } })
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
    await queueIs([b, c, a])
    await page.getByText('2 items changed.').waitFor()

    await card(page, a).getByRole('checkbox').check()
    await bar.getByRole('button', { name: 'Select all' }).click()
    await bar.getByRole('button', { name: 'Withdraw…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Withdraw 3 items?' }).waitFor()
    await dialog.getByText('stay as they are').waitFor()
    await dialog.getByRole('button', { name: 'Withdraw (3)' }).click()
    await queueIs([])
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
