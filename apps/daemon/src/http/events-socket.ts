// Live events over WebSocket: a client says from which cursor, and gets everything after it, once, in order.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CURSOR_START, Cursor } from '@treadle/contracts/event'
import type { Problem } from '@treadle/contracts/problem'
import { type WebSocket, WebSocketServer } from 'ws'
import type { World } from '../world.ts'
import { endWith, refuse } from './unrouted-requests.ts'

const PROTOCOL = 'treadle'
const PAGE = 200
const CLIENTS_MAX = 200
/** A client that does not read is dropped; it can come back with its cursor. */
const BUFFERED_MAX = 8 * 1_024 * 1_024

const FULL: Problem['error'] = {
  code: 'store_unavailable',
  message: `More than ${CLIENTS_MAX} listeners are too many.`,
  hint: 'Close some pages, or ask GET /api/events from time to time.',
}

export interface EventsSocket {
  attach(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

export function openEventsSocket(world: World): EventsSocket {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1_024,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  const pumps = new Set<() => void>()
  const unlisten = world.store.listen(() => {
    for (const pump of pumps) pump()
  })
  return {
    attach(request, socket, head) {
      const read = Cursor.safeParse(
        URL.parse(request.url ?? '', 'http://localhost')?.searchParams.get('after') ?? CURSOR_START,
      )
      if (!read.success) return refuse(socket, 400)
      if (sockets.clients.size >= CLIENTS_MAX) return endWith(socket, 503, FULL)
      sockets.handleUpgrade(request, socket, head, (client) => attach(client, read.data, world, pumps))
    },
    close() {
      unlisten()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

function attach(client: WebSocket, after: Cursor, world: World, pumps: Set<() => void>): void {
  let cursor = after
  let running = false
  let again = false
  const pump = async () => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      const page = await world.store.events.after({ after: cursor, limit: PAGE })
      for (const event of page.items) client.send(JSON.stringify(event))
      cursor = page.cursor
      if (client.bufferedAmount > BUFFERED_MAX) client.close(1013, 'too slow; come back with your cursor')
      if (page.items.length === PAGE) again = true
    } while (again && client.readyState === client.OPEN)
    running = false
  }
  const start = () => {
    pump().catch((error: unknown) => {
      world.log.error({ err: error }, 'event stream')
      client.close(1011, 'come back with your cursor')
    })
  }
  pumps.add(start)
  client.on('close', () => pumps.delete(start))
  client.on('error', (error) => world.log.debug({ err: error }, 'event client'))
  start()
}
