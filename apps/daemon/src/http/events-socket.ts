// Live events over WebSocket: a client says from which cursor, and gets everything after it, once, in order.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { CURSOR_START, Cursor } from '@treadle/contracts/event'
import { isPageProof } from '@treadle/contracts/page-session'
import type { Problem } from '@treadle/contracts/problem'
import type { KeyName } from '@treadle/contracts/route'
import { type WebSocket, WebSocketServer } from 'ws'
import type { World } from '../world.ts'
import { type Admission, admitCaller, admitKey, bearer, type Keys, keyGiven } from './auth.ts'
import { pageSessions } from './page-sessions.ts'
import { shapeProblem } from './problem.ts'
import { endWith } from './unrouted-requests.ts'

const PROTOCOL = 'treadle'
const TOKEN_PREFIX = 'token.'
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
  close(): void
}

export function serveEvents(
  server: Server,
  world: World,
  keysAt: (port: number) => Promise<Keys>,
): EventsSocket {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1_024,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  const sessions = pageSessions(world)
  const pumps = new Set<() => void>()
  const unlisten = world.store.listen(() => {
    for (const pump of pumps) pump()
  })
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const port = request.socket.localPort ?? 0
    const admission = admit(request, await keysAt(port), (proof) =>
      sessions.keyOf(request.headers, port, proof),
    )
    if (admission.is === 'refused') return endWith(socket, admission.status, admission.problem)
    const wanted = wantedCursor(request.url ?? '/')
    if (wanted.is === 'unreadable') return refuse(socket, wanted.status)
    if (sockets.clients.size >= CLIENTS_MAX) return endWith(socket, 503, FULL)
    sockets.handleUpgrade(request, socket, head, (client) => attach(client, wanted.cursor, world, pumps))
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      world.log.error({ err: error }, 'event stream')
      socket.destroy()
    })
  })
  return {
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

type Wanted =
  | { readonly is: 'cursor'; readonly cursor: Cursor }
  | { readonly is: 'unreadable'; readonly status: number }

/** Anyone may send any address, so nothing in it may throw. */
function wantedCursor(address: string): Wanted {
  const url = URL.parse(address, 'http://localhost')
  if (url?.pathname !== EVENT_STREAM_PATH) return { is: 'unreadable', status: 404 }
  const read = Cursor.safeParse(url.searchParams.get('after') ?? CURSOR_START)
  return read.success ? { is: 'cursor', cursor: read.data } : { is: 'unreadable', status: 400 }
}

/** Browsers cannot set headers on a socket, so the token may also come as a subprotocol. */
function admit(
  request: IncomingMessage,
  keys: Keys,
  keyOfPage: (proof: string) => KeyName | null,
): Admission {
  const caller = admitCaller(request.headers)
  if (caller.is === 'refused') return caller
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const byProtocol = offered.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length)
  const given = bearer(request.headers) ?? byProtocol
  const shown = given !== undefined && isPageProof(given) ? keyOfPage(given) : keyGiven(given, keys)
  return admitKey(shown, 'crew')
}

function refuse(socket: Duplex, statusCode: number): void {
  const { status, problem } = shapeProblem({ statusCode })
  endWith(socket, status, problem)
}
