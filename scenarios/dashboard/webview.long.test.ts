// The dashboard inside an editor: a frame that reaches nothing but its host, a real daemon behind the host.
import { HostCommand } from '@treadle/contracts/webview'
import type { FrameLocator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { browserPages, goTo } from '../kit/browser.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { EDITOR, type Editor, type EditorOptions, openEditor } from '../kit/editor.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { addRepair, slowRepair, untilHolding, up, useShops } from '../kit/shop.ts'
import { THEMES } from './themes.ts'

const shop = useShops('file')
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
  'Now',
]
/** Those with charts, bars, badges and fields between them. */
const CONTRASTED = ['Work', 'Costs', 'Health', 'Now']

let started: Promise<Daemon> | undefined
/** One crew for all tests of the file: an agent at work, and one that waits. */
function crew(): Promise<Daemon> {
  const start = async () => {
    const settings = { limits: { heartbeatMs: 200 }, agents: { maxConcurrent: 3 } }
    const daemon = await up(shop({ scripts: [slowRepair(1)], settings }), 2)
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    return daemon
  }
  started ??= start()
  return started
}

async function inEditor(
  use: (editor: Editor, page: Page, daemon: Daemon) => Promise<void>,
  options: EditorOptions = {},
): Promise<void> {
  const daemon = await crew()
  await inBrowser(EDITOR, async (page) => {
    const editor = await openEditor(page, daemon, options)
    try {
      await isLive(editor.view)
      await use(editor, page, daemon)
    } finally {
      editor.close()
    }
  })
}

/** A frame beside the dashboard sends it a message as if it were the editor. */
const forgeFrom = (message: unknown) => `new Promise((resolve) => {
  const other = document.createElement('iframe')
  other.srcdoc = '<p>another</p>'
  other.onload = () => {
    other.contentWindow.eval(${JSON.stringify(`parent.frames[0].postMessage(${JSON.stringify(message)}, '*')`)})
    setTimeout(resolve, 200)
  }
  document.body.append(other)
})`

const COLOURS = `(() => {
  const probe = document.createElement('p')
  probe.style.color = 'var(--vscode-sideBar-background)'
  document.body.append(probe)
  const wanted = getComputedStyle(probe).color
  probe.remove()
  return { wanted, is: getComputedStyle(document.body).backgroundColor }
})()`

const isLive = (view: FrameLocator) =>
  view.getByRole('banner').getByRole('status').filter({ hasText: 'Live' }).waitFor()
const card = (view: FrameLocator, id: string) =>
  view.getByRole('listitem').filter({ has: view.getByRole('heading', { name: id, exact: true }) })
const alert = (view: FrameLocator, text: string) => view.getByRole('alert').filter({ hasText: text })

test('a button in the frame has the host carry out the order, and what becomes of it comes back', () =>
  inEditor(async ({ view, posted }, _, daemon) => {
    const waiting = (await agentOf(daemon, 1)).item === null ? 1 : 2
    const one = card(view, `agent-${waiting}`)
    await one.getByRole('button', { name: `Pause agent-${waiting}` }).click()
    await untilAgent(daemon, 'paused', ({ status }) => status === 'paused', waiting)
    await one.getByRole('button', { name: `Resume agent-${waiting}` }).waitFor()
    await one.locator('.badge').getByText('Paused').waitFor()
    // The other way round: what is done elsewhere is seen here.
    await daemon.client.wantAgent({ params: { id: `agent-${waiting}`, order: 'resume' }, body: {} })
    await one.locator('.badge').getByText('Idle').waitFor()
    const { number } = await daemon.client.addItem({ body: { title: 'Pushed to the frame' } })
    await view.getByRole('log').getByText(`#${number} was added`).waitFor()
    // The host has the token; nothing of it ever goes to the page.
    expect(JSON.stringify(posted)).not.toContain(daemon.token)
    expect(posted.some(({ is }) => is === 'events')).toBe(true)
  }))

test('a host that fails, talks nonsense or says nothing gives a banner; the page stays and comes back', () =>
  inEditor(async ({ view, tamper }, _, daemon) => {
    const crewIsShown = () => card(view, 'agent-1').getByRole('heading').waitFor()
    tamper((message) =>
      message.is === 'response'
        ? { treadle: 1, is: 'failed', id: message.id, why: 'The session file could not be read.' }
        : message,
    )
    await alert(view, 'The session file could not be read.').waitFor()
    await crewIsShown()
    tamper((message) => ('id' in message ? { treadle: 1, is: 'what', id: message.id } : message))
    await alert(view, 'in a form this page does not know').waitFor()
    await crewIsShown()
    tamper(() => null)
    await alert(view, 'The editor does not answer').waitFor()
    await crewIsShown()
    tamper((message) => message)
    await alert(view, 'The editor does not answer').waitFor({ state: 'detached' })

    tamper((message) =>
      message.is === 'events' ? { treadle: 1, is: 'events', events: [{ no: 'event' }] } : message,
    )
    await daemon.client.addItem({ body: { title: 'Never readable' } })
    const strange = alert(view, 'in a form this page does not know')
    await strange.waitFor()
    // Else the next strange message brings it back at once.
    tamper((message) => message)
    await strange.getByRole('button', { name: 'Dismiss' }).click()
    await strange.waitFor({ state: 'detached' })
    await crewIsShown()
  }))

test('a screen that cannot be drawn says so in its place, and can be tried again', () =>
  inEditor(
    async ({ view, giveBack }) => {
      const broken = alert(view, 'This screen could not be shown')
      await goTo(view, 'Work')
      await broken.waitFor()
      // The rest goes on.
      await goTo(view, 'Now')
      await card(view, 'agent-1').waitFor()
      await goTo(view, 'Work')
      await broken.waitFor()
      giveBack()
      await broken.getByRole('button', { name: 'Try again' }).click()
      await view.getByRole('heading', { level: 2, name: 'Work' }).waitFor()
    },
    { withheld: 'board.js' },
  ))

test('what another frame sends is ignored, and only routes of the daemon are passed on', () =>
  inEditor(async ({ view, posted }, page) => {
    const forged = { treadle: 1, is: 'trouble', why: 'Believe me, I am the editor' }
    await page.evaluate(forgeFrom(forged))
    expect(await alert(view, 'Believe me').count()).toBe(0)
    // The same words from the frame around it are believed.
    await page.evaluate(`toView(${JSON.stringify(forged)})`)
    await alert(view, 'Believe me').waitFor()

    const paths = ['/api/../docs', '/docs', '//192.0.2.1/api/agents', '/api/agents/..%2f..', '/api/nothing']
    for (const [index, path] of paths.entries()) {
      const request = { treadle: 1, is: 'request', id: 900_000 + index, method: 'GET', path, body: null }
      await page.evaluate(`toHost(${JSON.stringify(request)})`)
    }
    for (const index of paths.keys()) {
      const answer = posted.find((message) => 'id' in message && message.id === 900_000 + index)
      expect([paths[index], answer?.is === 'response' ? answer.status : answer?.is]).toSatisfy(
        ([, is]) => is === 'failed' || is === 404 || is === 400,
      )
    }
    await page.evaluate(`toHost({ treadle: 1, is: 'request', id: 'x' })`)
    await page.evaluate(`toHost('nothing of ours')`)
  }))

test('where the reader was and what was switched on survives that the side bar is closed', () =>
  inEditor(async ({ view, hideAndShow }) => {
    await view.getByRole('checkbox', { name: 'Every step' }).check()
    await goTo(view, 'Health')
    await view.getByRole('heading', { name: 'Health', level: 2 }).waitFor()
    await hideAndShow()
    await isLive(view)
    await view.getByRole('heading', { name: 'Health', level: 2 }).waitFor()
    await goTo(view, 'Now')
    expect(await view.getByRole('checkbox', { name: 'Every step' }).isChecked()).toBe(true)
  }))

test('the editor is asked for what only it can do, and says what came of it', async () => {
  const wanted = HostCommand.parse({
    is: 'open_merge_editor',
    conflictId: 7,
    file: 'src/a.txt',
    base: null,
    target: 'main',
    branch: 'agent-1/item-1',
  })
  await inEditor(
    async ({ posted, commands, notices }, page) => {
      const ask = (id: number, command: unknown) =>
        page.evaluate(`toHost(${JSON.stringify({ treadle: 1, is: 'command', id, command })})`)
      await ask(800_001, wanted)
      await ask(800_002, { ...wanted, file: 'src/b.txt' })
      expect(commands.map(({ file }) => file)).toEqual(['src/a.txt', 'src/b.txt'])
      expect(posted).toContainEqual({ treadle: 1, is: 'done', id: 800_001 })
      expect(posted).toContainEqual({ treadle: 1, is: 'failed', id: 800_002, why: 'no such editor' })
      const notice = { treadle: 1, is: 'notify', level: 'warning', title: 'Budget', text: '75% is spent' }
      await page.evaluate(`toHost(${JSON.stringify(notice)})`)
      expect(notices).toMatchObject([{ level: 'warning', title: 'Budget' }])
    },
    {
      onCommand: ({ file }) => {
        if (file === 'src/b.txt') throw new Error('no such editor')
      },
    },
  )
})

for (const [name, theme] of Object.entries(THEMES)) {
  test(`in the theme ${name} the page has its colours, can be read, and fits into a side bar of 300 px`, () =>
    inEditor(
      async ({ view }, page) => {
        const frame = page.frames().at(-1)
        if (!frame) throw new Error('no frame')
        const colours = await frame.evaluate<{ wanted: string; is: string }>(COLOURS)
        expect(colours.is).toBe(colours.wanted)
        for (const screen of name.startsWith('high') ? CONTRASTED : SCREENS) {
          await goTo(view, screen)
          await view
            .getByRole('heading', { level: 2, name: new RegExp(`^${screen}`) })
            .first()
            .waitFor()
          await fitsTheWindow(frame, screen)
          // The rest is looked at in a browser; only colours differ here.
          await canBeReadAloud(frame, screen, ['color-contrast'])
        }
      },
      { theme },
    ))
}

test('while the daemon is away the editor says so; the page keeps what it knew', () =>
  inEditor(async ({ view }, _, daemon) => {
    const ended = await treadle(daemon.workspace, ['down'])
    expect(ended.code).toBe(0)
    await alert(view, 'The daemon does not answer').waitFor()
    await card(view, 'agent-1').waitFor()
  }))
