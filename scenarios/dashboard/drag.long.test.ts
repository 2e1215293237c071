// Items moved by hand and by keys: to a place in the queue, to a priority or an agent, behind or into another.
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test, vi } from 'vitest'
import { browserPages, openLive } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { begin, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { add, at, card, cardsIn, column, emptyBoard, hashOf, queueIs, queueOf } from './board-page.ts'

vi.setConfig({ testTimeout: 300_000 })
const open = useInProcess('any', { settings: { tests: { command: 'true' } } })
const inBrowser = browserPages()
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
  await emptyBoard(daemon.client)
})

test('a card dragged or moved by keys is claimed where it was put; a step that cannot be says why', async () => {
  const { client } = daemon
  const [a = 0, b = 0, c = 0] = await add(client, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    expect(await cardsIn(page, 'To do').allTextContents()).toEqual([`#${a}`, `#${b}`, `#${c}`])
    await card(page, c).dragTo(card(page, a), { targetPosition: { x: 40, y: 10 }, steps: 6 })
    await queueIs(daemon.client, [c, a, b])
    await page.getByText(`#${c} is now before #${a}.`).first().waitFor()
    await expect.poll(() => cardsIn(page, 'To do').allTextContents()).toEqual([`#${c}`, `#${a}`, `#${b}`])

    // By keys alone: down one card, and that card up.
    await card(page, c).getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain(`#${b}`)
    await page.keyboard.press('Alt+ArrowUp')
    await queueIs(daemon.client, [c, b, a])
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain(`#${b}`)
    await page.keyboard.press('Home')
    await page.keyboard.press('Alt+ArrowUp')
    await page
      .getByRole('alert')
      .filter({ hasText: `#${c} is already first.` })
      .waitFor()
    expect(await queueOf(daemon.client)).toEqual([c, b, a])
  })
  const [next = 0] = await queueOf(daemon.client)
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
    expect(await queueOf(daemon.client)).toEqual([a, b])

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
    await queueIs(daemon.client, [a])
    await page.getByText(`#${a} is back in the queue, under Backlog.`).first().waitFor()
    await column(page, 'Backlog').getByText(`#${a}`, { exact: true }).waitFor()
  })
})

/** A place on another card that is there while one is dragged. */
const place = (page: Page, number: number, words: string) =>
  card(page, number).locator('.link-target').getByText(words, { exact: true })

test('a card is dropped on another to come after it or to be a part of it, by keys as well; a circle is refused', async () => {
  const { client } = daemon
  const [a = 0, b = 0, c = 0] = await add(client, [
    { title: 'first' },
    { title: 'second' },
    { title: 'third' },
  ])
  const linksOf = async (number: number) => {
    const { item } = await client.showItem({ params: path({ projectNumber: 1, number }) })
    return [item.dependsOn, item.parent]
  }
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await at(page)
    expect(await place(page, a, 'After this').isVisible()).toBe(false)
    await drag(page, b, place(page, a, 'After this'))
    await page.getByText(`#${b} now waits for #${a}.`).first().waitFor()
    await card(page, b).getByText(`Blocked by #${a}`).waitFor()
    expect(await linksOf(b)).toEqual([[a], null])
    // Neither has lost its place in the queue.
    expect(await cardsIn(page, 'To do').allTextContents()).toEqual([`#${a}`, `#${b}`, `#${c}`])
    await drag(page, c, place(page, a, 'Part of this'))
    await page.getByText(`#${c} is now a part of #${a}.`).first().waitFor()
    expect(await linksOf(c)).toEqual([[], a])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`#${c} is as it was before.`).first().waitFor()
    expect(await linksOf(c)).toEqual([[], null])

    await drag(page, a, place(page, b, 'After this'))
    const refusal = page.getByRole('alert').filter({ hasText: `#${a} stays as it is.` })
    await refusal.getByText(`#${b}`).waitFor()
    expect(await linksOf(a)).toEqual([[], null])
    await refusal.getByRole('button', { name: 'Dismiss' }).click()
    await drag(page, b, place(page, a, 'After this'))
    await page
      .getByRole('alert')
      .filter({ hasText: `#${b} waits for #${a} already.` })
      .waitFor()

    // By keys alone.
    await card(page, c).getByRole('link').focus()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: `What #${c} waits for` })
    const after = dialog.getByLabel(/^Waits for/)
    await after.fill('the second')
    await page.keyboard.press('Enter')
    await dialog.getByText('"the second" is no number of an item').waitFor()
    await canBeReadAloud(page)
    await after.fill(`#${b} second, ${a}`)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await linksOf(c)).toEqual([[a, b], null])
    await page.getByText(`#${c} now waits for #${b} and #${a}.`).first().waitFor()

    await at(page, 'view=graph')
    const node = (number: number) => page.locator(`[data-node="1/${number}"]`)
    await node(c).waitFor()
    await client.editItem({ params: path({ projectNumber: 1, number: c }), body: { dependsOn: [b] } })
    await expect.poll(() => page.locator('.edge').count()).toBe(2)
    await node(c).hover()
    await page.mouse.down()
    const to = await middle(node(a))
    await page.mouse.move(to.x, to.y, { steps: 5 })
    await page.locator('.link-line').waitFor()
    await page.mouse.up()
    await page.getByText(`#${c} now waits for #${a}.`).first().waitFor()
    // It was no click: the graph is still there.
    expect(hashOf(page)).toContain('view=graph')
    await expect.poll(() => linksOf(c)).toEqual([[a, b], null])
    await node(b).focus()
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: `What #${b} waits for` }).waitFor()
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
