// The event stream over a WebSocket, opened again from the last cursor whenever it drops.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { type Cursor, StoredEvent } from '@treadle/contracts/event'
import { backoffMs } from './backoff.model.ts'
import type { Socket } from './live.model.ts'
import type { Session } from './session.ts'

export interface Listener {
  /** The cursor to go on from; asked for at each opening. */
  readonly after: () => Cursor
  readonly onEvent: (event: StoredEvent) => void
  readonly onUnreadable: (error: unknown) => void
  readonly onSocket: (socket: Socket) => void
}

interface StreamOptions extends Listener {
  readonly url: string
  readonly session: Session
}

/** Returns the function that ends it. */
export function openStream(options: StreamOptions): () => void {
  let ended = false
  let failures = 0
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const dropped = () => {
    if (ended) return
    options.onSocket('closed')
    timer = setTimeout(open, backoffMs(failures, Math.random()))
    failures += 1
  }
  const open = () => void options.session.current().then(connect, dropped)
  const connect = (session: string) => {
    if (ended) return
    const address = new URL(EVENT_STREAM_PATH, options.url)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    address.searchParams.set('after', options.after())
    // A browser cannot set headers on a WebSocket; the session goes as a second subprotocol.
    socket = new WebSocket(address, ['treadle', `token.${session}`])
    socket.onopen = () => {
      failures = 0
      options.onSocket('open')
    }
    socket.onmessage = (message) => read(message.data, options)
    socket.onclose = dropped
  }
  open()

  return () => {
    ended = true
    clearTimeout(timer)
    socket?.close()
  }
}

function read(data: unknown, { onEvent, onUnreadable }: StreamOptions): void {
  try {
    onEvent(StoredEvent.parse(JSON.parse(String(data))))
  } catch (error) {
    onUnreadable(error)
  }
}
