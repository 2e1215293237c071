// Connections that stop being HTTP: the stream of events, and the lines on which agents report. Who may open one is
// asked here, as for a request.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { isPageProof } from '@treadle/contracts/page-session'
import type { Problem } from '@treadle/contracts/problem'
import { REPORT_LINE_PATH, REPORT_LINE_PROTOCOL } from '@treadle/contracts/report-line'
import type { KeyName } from '@treadle/contracts/route'
import type { World } from '../world.ts'
import { admitCaller, admitKey, bearer, type KeyAdmission, type Keys, keyGiven } from './auth.ts'
import { openEventsSocket } from './events-socket.ts'
import { pageSessions } from './page-sessions.ts'
import { openReportLines, REPORT_LINES_MAX, type ReadJson } from './report-lines.ts'
import { endWith, refuse } from './unrouted-requests.ts'

const TOKEN_PREFIX = 'token.'

const FULL: Problem['error'] = {
  code: 'store_unavailable',
  message: `More than ${REPORT_LINES_MAX} agents on lines of their own are too many.`,
  hint: 'Report with POST /api/runs/{id}/events instead.',
}

export interface Upgrades {
  close(): Promise<void>
}

interface Door {
  readonly keysAt: (port: number) => Promise<Keys>
  readonly readJson: ReadJson
}

export function serveUpgrades(server: Server, world: World, { keysAt, readJson }: Door): Upgrades {
  const events = openEventsSocket(world)
  const lines = openReportLines(world, readJson)
  const sessions = pageSessions(world)
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const port = request.socket.localPort ?? 0
    const admission = admit(request, await keysAt(port), (proof) =>
      sessions.keyOf(request.headers, port, proof),
    )
    if (admission.is === 'refused') return endWith(socket, admission.status, admission.problem)
    // Anyone may send any address, so nothing in it may throw.
    const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname
    if (path === EVENT_STREAM_PATH) return events.attach(request, socket, head)
    if (path !== REPORT_LINE_PATH || request.headers.upgrade !== REPORT_LINE_PROTOCOL)
      return refuse(socket, 404)
    if (lines.count >= REPORT_LINES_MAX) return endWith(socket, 503, FULL)
    lines.attach(socket, head, admission.key)
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      world.log.error({ err: error }, 'upgrade')
      socket.destroy()
    })
  })
  return {
    async close() {
      events.close()
      await lines.close()
    },
  }
}

/** Browsers cannot set headers on a socket, so the token may also come as a subprotocol. */
function admit(
  request: IncomingMessage,
  keys: Keys,
  keyOfPage: (proof: string) => KeyName | null,
): KeyAdmission {
  const caller = admitCaller(request.headers)
  if (caller.is === 'refused') return caller
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const byProtocol = offered.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length)
  const given = bearer(request.headers) ?? byProtocol
  const shown = given !== undefined && isPageProof(given) ? keyOfPage(given) : keyGiven(given, keys)
  return admitKey(shown, 'crew')
}
