// The host's half, run by the editor's extension: it alone knows the owner’s key, asks the daemon, and listens for the page.
import { routes } from '@treadle/contracts/api'
import type { AlertLevel } from '@treadle/contracts/cost'
import type { StoredEvent } from '@treadle/contracts/event'
import { type FromHost, FromPage, type HostCommand, WEBVIEW_PROTOCOL } from '@treadle/contracts/webview'
import { openStream } from '../live/event-stream.ts'
import { Session } from '../live/session.ts'

interface HostOptions {
  readonly url: string
  /** The owner's key, for the person at the editor; with the crew key the page is for looking. */
  readonly token: string
  /** Sends a message to the page. */
  readonly post: (message: FromHost) => void
  /** Throws, with a sentence why, if the editor cannot. */
  readonly onCommand: (command: HostCommand) => Promise<void>
  readonly onNotify: (notice: {
    readonly level: AlertLevel
    readonly title: string
    readonly text: string
  }) => void
}

interface DaemonAddress {
  readonly url: string
  readonly session: Session
}

interface DashboardHost {
  /** Takes a message of the page; anything else is ignored. */
  receive(message: unknown): Promise<void>
  close(): void
}

const READING_MS_MAX = 30_000
const ORDER_MS_MAX = 600_000
/** Events within this time are pushed together: each message to a web view crosses two processes. */
const GATHER_MS = 25
type Request = Extract<FromPage, { is: 'request' }>
type Unmarked<T> = T extends unknown ? Omit<T, 'treadle'> : never

export function openHost(options: HostOptions): DashboardHost {
  const post = (message: Unmarked<FromHost>) => options.post({ ...message, treadle: WEBVIEW_PROTOCOL })
  const { url } = options
  const daemon = { url, session: new Session(options) }
  let endStream: () => void = () => undefined
  return {
    async receive(message) {
      const { data: said } = FromPage.safeParse(message)
      switch (said?.is) {
        case 'request':
          return post(await passOn(said, daemon))
        case 'listen':
          endStream()
          endStream = push(said.after, daemon, post)
          return
        case 'command':
          return post(await carryOut(said.id, () => options.onCommand(said.command)))
        case 'notify':
          return options.onNotify({ level: said.level, title: said.title, text: said.text })
      }
    },
    close: () => endStream(),
  }
}

async function passOn(request: Request, { url, session }: DaemonAddress): Promise<Unmarked<FromHost>> {
  const { id, method, path, body } = request
  const address = new URL(path, url)
  if (address.origin !== new URL(url).origin || !isRoute(method, address.pathname)) {
    return { is: 'failed', id, why: `${method} ${path} is not a route of the daemon.` }
  }
  try {
    const response = await session.reach(fetch)(address, {
      method,
      headers: method === 'POST' ? JSON_TYPE : {},
      ...(method === 'POST' ? { body: body ?? '{}' } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(method === 'POST' ? ORDER_MS_MAX : READING_MS_MAX),
    })
    return { is: 'response', id, status: response.status, text: await response.text() }
  } catch (error) {
    return { is: 'unreachable', id, why: wordsOf(error) }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

const KNOWN = Object.values(routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** True for a route of the API, asked after the address was read, so that dots and slashes in it lead nowhere else. */
export function isRoute(method: string, pathname: string): boolean {
  return KNOWN.some((known) => known.method === method && known.pattern.test(pathname))
}

function push(
  after: string,
  { url, session }: DaemonAddress,
  post: (message: Unmarked<FromHost>) => void,
): () => void {
  let cursor = after
  let gathered: StoredEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    post({ is: 'events', events: gathered })
    gathered = []
  }
  const end = openStream({
    url,
    session,
    after: () => cursor,
    onEvent: (event) => {
      cursor = event.cursor
      gathered.push(event)
      timer ??= setTimeout(flush, GATHER_MS)
    },
    onUnreadable: (error) => post({ is: 'trouble', why: `An event could not be read: ${wordsOf(error)}` }),
    onSocket: (socket) => post({ is: 'socket', socket }),
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

async function carryOut(id: number, work: () => Promise<void>): Promise<Unmarked<FromHost>> {
  try {
    await work()
    return { is: 'done', id }
  } catch (error) {
    return { is: 'failed', id, why: wordsOf(error) }
  }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 4_000)
}
