// An editor around the dashboard: the built files in a frame with what VS Code gives a web view, and the host's half
// in this process, as an extension would run it. The frame may reach nothing but its own files.
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromHost, HostCommand } from '@treadle/contracts/webview'
import type { FrameLocator, Page } from 'playwright-core'
import { openHost } from '../../apps/dashboard/src/webview/host.ts'

const DIST = fileURLToPath(new URL('../../apps/dashboard/dist/', import.meta.url))
export const EDITOR = { url: 'http://webview.test', ownerKey: '' }
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
const POLICY = `default-src 'none'; script-src ${EDITOR.url}; style-src ${EDITOR.url}; font-src ${EDITOR.url}; img-src data:`

/** As VS Code hands a theme over: variables on the root, a class on the body. */
export interface Theme {
  readonly className: string
  readonly variables: Readonly<Record<string, string>>
}

const OUTER = `<!doctype html><html lang="en"><title>Editor</title>
<body style="margin:0"><div id="side" style="width:300px"></div><script>
var theme = THEME
var kept
let frame
function show() {
  frame = document.createElement('iframe')
  frame.title = 'Treadle'
  frame.src = '/view/index.html'
  frame.style = 'border:0;width:100%;height:900px'
  document.getElementById('side').append(frame)
}
function hide() { frame.remove() }
addEventListener('message', (event) => { if (event.source === frame.contentWindow) toHost(event.data) })
function toView(message) { frame.contentWindow.postMessage(message, '*') }
show()
</script>`

/** Links to a place behind # are swallowed, as VS Code does. */
const API = `
globalThis.acquireVsCodeApi = () => {
  delete globalThis.acquireVsCodeApi
  return {
    postMessage: (message) => parent.postMessage(message, '*'),
    getState: () => parent.kept,
    setState: (state) => { parent.kept = JSON.parse(JSON.stringify(state)) },
  }
}
const { className, variables } = parent.theme
for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value)
addEventListener('DOMContentLoaded', () => {
  document.body.className = className
  document.addEventListener('click', (event) => { if (event.target.closest('a')) event.preventDefault() })
})
`

export interface Editor {
  /** The dashboard in its frame. */
  readonly view: FrameLocator
  /** Everything that was sent to the page. */
  readonly posted: FromHost[]
  readonly commands: HostCommand[]
  readonly notices: { readonly level: string; readonly title: string }[]
  /** What the page gets in the place of a message; null: nothing at all. */
  tamper(how: (message: FromHost) => unknown): void
  /** From now on the file that was withheld can be fetched. */
  giveBack(): void
  /** As when the side bar is closed and opened again: the page is thrown away, its kept state is not. */
  hideAndShow(): Promise<void>
  close(): void
}

export interface EditorOptions {
  readonly theme?: Theme
  readonly widthPx?: number
  /** A file of the dashboard that cannot be fetched. */
  readonly withheld?: string
  /** Throws if the editor cannot. */
  readonly onCommand?: (command: HostCommand) => void
}

/** The page is one that `browserPages` has opened for `EDITOR`. */
export async function openEditor(
  page: Page,
  daemon: { readonly url: string; readonly ownerKey: string },
  options: EditorOptions = {},
): Promise<Editor> {
  const { theme = { className: 'vscode-dark', variables: {} }, widthPx = 300, onCommand } = options
  let withheld = options.withheld
  const posted: FromHost[] = []
  const commands: HostCommand[] = []
  const notices: Editor['notices'] = []
  let change: (message: FromHost) => unknown = (message) => message
  const host = openHost({
    url: daemon.url,
    token: daemon.ownerKey,
    post: (message) => {
      posted.push(message)
      const sent = change(message)
      // The page may be gone by then, as an editor's may.
      if (sent !== null) page.evaluate(`toView(${JSON.stringify(sent)})`).catch(() => undefined)
    },
    onCommand: async (command) => {
      commands.push(command)
      onCommand?.(command)
    },
    onNotify: (notice) => notices.push(notice),
  })
  await page.exposeFunction('toHost', (message: unknown) => host.receive(message))
  await serveFiles(page, theme, (name) => name === withheld)
  await page.setViewportSize({ width: widthPx, height: 900 })
  await page.goto(`${EDITOR.url}/`)
  await page.evaluate(`document.getElementById('side').style.width = '${widthPx}px'`)
  return {
    view: page.frameLocator('iframe[title="Treadle"]'),
    posted,
    commands,
    notices,
    tamper: (how) => {
      change = how
    },
    giveBack: () => {
      withheld = undefined
    },
    hideAndShow: async () => {
      await page.evaluate('hide()')
      await page.evaluate('show()')
    },
    close: () => host.close(),
  }
}

async function serveFiles(page: Page, theme: Theme, isWithheld: (name: string) => boolean): Promise<void> {
  await page.route(`${EDITOR.url}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/') {
      return route.fulfill({ contentType: 'text/html', body: OUTER.replace('THEME', JSON.stringify(theme)) })
    }
    if (pathname === '/view/api.js') return route.fulfill({ contentType: 'text/javascript', body: API })
    const name = pathname.replace('/view/', '')
    if (isWithheld(name)) return route.abort()
    const file = readFileSync(new URL(name, `file://${DIST}`))
    const body =
      name === 'index.html' ? String(file).replace('<head>', '<head><script src="api.js"></script>') : file
    const contentType = TYPES[extname(name)] ?? 'application/octet-stream'
    return route.fulfill({ contentType, body, headers: { 'content-security-policy': POLICY } })
  })
}
