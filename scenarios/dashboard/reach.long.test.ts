// The page reaches a reader who is elsewhere: the count on the tab, and notifications with buttons that do something.
import type { Page, Worker } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, openLive } from '../kit/browser.ts'
import { begin, deliver } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 240_000 })
const open = useInProcess('any', { settings: { merge: { approval: 'human' } } })
const inBrowser = browserPages()

/** A browser without a screen grants no notifications: what it would show is written down. All else is the real one. */
const DOUBLE = `
globalThis.told = []
globalThis.taken = []
globalThis.isAway = false
Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
Notification.requestPermission = async () => 'granted'
Object.defineProperty(document, 'hidden', { get: () => globalThis.isAway })
ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
  globalThis.told.push({ title, ...options })
}
ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) =>
  globalThis.told.filter((each) => each.tag === tag).map(() => ({ close: () => globalThis.taken.push(tag) }))
`

interface Told {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly data: unknown
  readonly actions: readonly { readonly action: string; readonly title: string }[]
}

const toldIn = (page: Page) => page.evaluate('globalThis.told') as Promise<Told[]>

function toldOf(page: Page, words: string): Promise<Told> {
  return eventually(`a notification of “${words}”`, async () =>
    (await toldIn(page)).find(({ body }) => body.includes(words)),
  )
}

async function press(worker: Worker, { tag, data }: Told, action: string): Promise<void> {
  const given = JSON.stringify({ tag, data })
  await worker.evaluate(
    `pressed({ ...${given}, close: () => undefined }, ${JSON.stringify(action)}).then(() => null)`,
  )
}

test('a question is answered from a notification, a delivery is opened by one, and the tab counts what waits', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const ask = (text: string, labels: readonly string[]) =>
    client.askQuestion({
      body: {
        type: 'blocking',
        agent: 'build',
        text,
        options: labels.map((label) => ({ label })),
        allowFreeText: true,
      },
    })
  await inBrowser(daemon, async (page) => {
    await page.addInitScript(DOUBLE)
    await openLive(page, daemon)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const worker = page.context().waitForEvent('serviceworker')
    await dialog.getByLabel('Notify me in this browser when something needs me').check()
    await canBeReadAloud(page)
    await page.keyboard.press('Escape')

    // Whoever looks at the page is not told beside it.
    await ask('In sight?', ['Yes', 'No'])
    await page.getByRole('link', { name: 'Review 1 need you' }).waitFor()
    expect(await toldIn(page)).toEqual([])

    await page.evaluate('globalThis.isAway = true')
    await ask('Which database?', ['Postgres', 'SQLite'])
    const asked = await toldOf(page, 'Which database?')
    expect(asked.title).toBe('Blocking question: needs you')
    expect(asked.actions.map(({ title }) => title)).toEqual(['Postgres', 'SQLite'])
    const icon = decodeURIComponent(await page.locator('link[rel="icon"]').evaluate(({ href }) => href))
    expect(icon).toContain('>2</text>')
    expect(await page.title()).toMatch(/^\(2\) /)

    await press(await worker, asked, asked.actions[1]?.action ?? '')
    await eventually('the answer', async () => {
      const { items } = await client.listQuestions({ query: {} })
      return items.find(({ text }) => text === 'Which database?')?.answer?.text === 'SQLite'
        ? true
        : undefined
    })
    // What is settled is not left standing, and the reader stays where they were.
    await expect.poll(() => page.evaluate('globalThis.taken')).toContain(asked.tag)
    expect(new URL(page.url()).hash).toBe('')

    const work = await begin(daemon, { title: 'Delivered behind your back' })
    await deliver(daemon.workspace, work, { 'delivered.txt': 'right\n' })
    const waiting = await toldOf(page, 'Delivered behind your back')
    expect(waiting.actions.map(({ title }) => title)).toEqual(['Review', 'Open the item'])
    await press(await worker, waiting, 'open')
    await page.waitForURL(new RegExp(`#/review/1/${work.ref.number}$`))
    await page.getByRole('button', { name: `Approve #${work.ref.number}` }).waitFor()
  })
})
