// The event stream as the terminal shows it; comes back by itself when the daemon does.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { CURSOR_START, type Cursor, StoredEvent } from '@treadle/contracts/event'
import type { Running } from './daemon-process.ts'

export interface Following {
  stop(): void
}

export function follow(
  running: Pick<Running, 'url' | 'token'>,
  onEvent: (event: StoredEvent) => void,
  from: Cursor = CURSOR_START,
): Following {
  let cursor = from
  let stopped = false
  let socket: WebSocket | null = null
  const open = () => {
    if (stopped) return
    socket = new WebSocket(`${running.url.replace('http', 'ws')}${EVENT_STREAM_PATH}?after=${cursor}`, [
      'treadle',
      `token.${running.token}`,
    ])
    socket.addEventListener('message', ({ data }) => {
      const event = StoredEvent.parse(JSON.parse(String(data)))
      cursor = event.cursor
      onEvent(event)
    })
    socket.addEventListener('close', () => setTimeout(open, 500).unref())
    socket.addEventListener('error', () => socket?.close())
  }
  open()
  return {
    stop() {
      stopped = true
      socket?.close()
    },
  }
}
