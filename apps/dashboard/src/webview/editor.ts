// The editor around the page, if there is one; asked for once, because an editor gives its interface only once.
import type { EditorApi, Port } from '../live/port.ts'

declare global {
  var acquireVsCodeApi: (() => EditorApi) | undefined
}

/** What speaks with an editor is fetched only inside one. */
export async function openPort(): Promise<Port | null> {
  if (typeof globalThis.acquireVsCodeApi !== 'function') return null
  const { Port } = await import('../live/port.ts')
  const port = new Port(globalThis.acquireVsCodeApi())
  // The address is set before the first screen is drawn, so that the reader comes back to where they were.
  if (location.hash === '' && port.kept.route !== '') location.replace(port.kept.route)
  addEventListener('hashchange', () => port.keep({ route: location.hash }))
  document.addEventListener('click', followOwnLink)
  return port
}

/** An editor scrolls to what stands behind a #, which is no place of a page but a screen of ours. */
function followOwnLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null
  const href = link?.getAttribute('href')
  if (href) location.hash = href
}
