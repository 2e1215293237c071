// A listener on the live events, as a page would be one.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { CURSOR_START, type Cursor, StoredEvent } from '@treadle/contracts/event'
import type { Daemon } from './daemon.ts'

export interface Listener {
  /** All that has arrived, in the order of arrival. */
  readonly heard: readonly StoredEvent[]
  /** The place from which a successor goes on. */
  cursor(): Cursor
  close(): Promise<void>
}

export async function listenFrom({ url, token }: Daemon, after: Cursor = CURSOR_START): Promise<Listener> {
  const heard: StoredEvent[] = []
  const address = `${url.replace('http', 'ws')}${EVENT_STREAM_PATH}?after=${after}`
  const socket = new WebSocket(address, ['treadle', `token.${token}`])
  const closed = new Promise<void>((done) => {
    socket.addEventListener('close', () => done())
  })
  socket.addEventListener('message', ({ data }) => heard.push(StoredEvent.parse(JSON.parse(String(data)))))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the event stream was refused')))
  })
  return {
    heard,
    cursor: () => heard.at(-1)?.cursor ?? after,
    async close() {
      socket.close()
      await closed
    },
  }
}
