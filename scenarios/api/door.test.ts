import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { networkInterfaces } from 'node:os'
import { routes } from '@treadle/contracts/api'
import { fillPath } from '@treadle/contracts/client'
import type { Route } from '@treadle/contracts/route'
import { describe, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { addItem } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { type RawRequest, readProblem, refusal, send } from '../kit/raw-http.ts'

const open = useInProcess('any')
const SECRET_TITLE = 'known to the owner alone'
const unauthorized = { status: 401, code: 'unauthorized' }
const wrongHost = { status: 403, code: 'forbidden_host' }
const wrongOrigin = { status: 403, code: 'forbidden_origin' }

const EXAMPLE: Readonly<Record<string, string>> = {
  projectNumber: '1',
  issueNumber: '1',
  id: 'agent-1',
  order: 'start',
  sha256: 'a'.repeat(64),
}
const guarded = (Object.values(routes) as Route[]).filter((route) => route.key !== 'none')
const requestOf = (route: Route): RawRequest => ({
  method: route.method,
  path: fillPath(route.path, EXAMPLE),
  ...(route.method === 'POST' ? { body: '{}' } : {}),
})
const hostOf = ({ url }: Daemon) => new URL(url).host

describe('the token', () => {
  test('every route but /health wants it', async (context) => {
    const daemon = await open(context)
    expect(guarded.length).toBeGreaterThan(15)
    for (const route of guarded) {
      const what = `${route.method} ${route.path}`
      expect(await refusal(daemon, { ...requestOf(route), token: null }), what).toEqual(unauthorized)
    }
    expect((await send(daemon, { path: '/health', token: null })).status).toBe(200)
  })

  test('a wrong one, half of one, and one in another place are not taken', async (context) => {
    const daemon = await open(context)
    const { token } = daemon
    const items = { path: '/api/items' }
    const wrong = ['0'.repeat(64), token.slice(0, 63), `${token}0`, token.toUpperCase(), 'null', 'undefined']
    for (const given of wrong)
      expect(await refusal(daemon, { ...items, token: given }), given).toEqual(unauthorized)
    const elsewhere: RawRequest[] = [
      { path: `/api/items?token=${token}` },
      { path: `/api/items?access_token=${token}` },
      { ...items, headers: { authorization: token } },
      { ...items, headers: { authorization: `Basic ${token}` } },
      { ...items, headers: { authorization: `Bearer ${token} ${token}` } },
      { ...items, headers: { cookie: `token=${token}` } },
      { ...items, headers: { 'x-token': token } },
    ]
    for (const request of elsewhere)
      expect(await refusal(daemon, { token: null, ...request }), JSON.stringify(request)).toEqual(
        unauthorized,
      )
    expect((await send(daemon, items)).status).toBe(200)
  })

  test('no other spelling of a path comes past it', async (context) => {
    const daemon = await open(context)
    await addItem(daemon.client, { title: SECRET_TITLE })
    expect((await send(daemon, { path: '/api/items' })).text).toContain(SECRET_TITLE)
    const spellings = [
      '/%61pi/items',
      '/%61%70%69/%69tems',
      '//api/items',
      '///api//items',
      '/./api/items',
      '/api/../api/items',
      '/docs/../api/items',
      '/health/../api/items',
      '/docs/%2e%2e/api/items',
      '/docs%2f..%2fapi%2fitems',
      '/api%2fitems',
      '/api%252fitems',
      '/%2561pi/items',
      '\\api\\items',
      '/api\\items',
      '/api/items/',
      '/api/items.',
      '/api/items..',
      '/api./items',
      '/api/items%20',
      '/api/items%00',
      '/api/items;x=1',
      '/api/items;/health',
      '/api/items?/health',
      '/api/items#/health',
      '/API/ITEMS',
      '/Api/Items',
      '/api/items/health',
      '/health/api/items',
      '/api/items%3f/health',
      `http://${hostOf(daemon)}/api/items`,
      'http://localhost/health/../api/items',
      '*',
    ]
    for (const path of spellings) {
      const answer = await send(daemon, { path, token: null })
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(answer.status, path).toBeLessThan(500)
      expect(answer.text, path).not.toContain(SECRET_TITLE)
      readProblem(answer)
    }
  })

  test('HEAD, OPTIONS and unknown methods want it too, and nobody is told to share', async (context) => {
    const daemon = await open(context)
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await send(daemon, { method, path: '/api/items', token: null })
      expect(answer.status, method).toBe(401)
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
      expect(names, method).toEqual([])
    }
  })
})

describe('the caller', () => {
  test('a Host that is no loopback name is turned away everywhere, even with the token', async (context) => {
    const daemon = await open(context)
    const { port } = new URL(daemon.url)
    const hosts = [
      'example.com',
      `example.com:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `localhost.example.com:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.2:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `[::]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `localhost:${port}@example.com`,
      `example.com#localhost:${port}`,
      `localhost:${port}, example.com`,
      '',
    ]
    for (const host of hosts)
      for (const path of ['/api/items', '/health', '/', '/docs/openapi.json', '/nowhere'])
        expect(await refusal(daemon, { path, headers: { host } }), `${host} ${path}`).toEqual(wrongHost)
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, '127.0.0.1', `[::1]:${port}`])
      expect((await send(daemon, { path: '/api/items', headers: { host } })).status, host).toBe(200)
  })

  test('a page of another origin is turned away, even with the token', async (context) => {
    const daemon = await open(context)
    const { port } = new URL(daemon.url)
    const origins = [
      'http://example.com',
      'null',
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://localhost:${port}`,
      'http://127.0.0.1',
      `http://127.0.0.1:${port}.example.com`,
      `http://user@127.0.0.1:${port}`,
      'file://',
    ]
    for (const origin of origins) {
      expect(await refusal(daemon, { path: '/api/items', headers: { origin } }), origin).toEqual(wrongOrigin)
      expect(await refusal(daemon, { path: '/health', headers: { origin } }), origin).toEqual(wrongOrigin)
      const add = { method: 'POST', path: '/api/items', body: '{"title":"planted"}' }
      expect(await refusal(daemon, { ...add, headers: { origin } }), origin).toEqual(wrongOrigin)
    }
    const own = { origin: `http://${hostOf(daemon)}` }
    expect((await send(daemon, { path: '/api/items', headers: own })).status).toBe(200)
    const { items } = await daemon.client.listItems()
    expect(items.map(({ title }) => title)).not.toContain('planted')
  })

  test('the daemon listens on loopback and nowhere else', async (context) => {
    const daemon = await open(context)
    const port = Number(new URL(daemon.url).port)
    expect(await canConnect('127.0.0.1', port)).toBe(true)
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address))
    for (const address of [...others, '127.0.0.2', '::1'])
      expect(await canConnect(address, port), address).toBe(false)
    if (process.platform === 'linux') expect(listeningOn(port)).toEqual(['0100007F'])
  })
})

describe('the event stream', () => {
  const upgrade = (daemon: Daemon, given: Partial<RawRequest> = {}): RawRequest => ({
    path: '/api/events/stream',
    token: null,
    ...given,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      origin: `http://${hostOf(daemon)}`,
      ...given.headers,
    },
  })

  test('refuses without a token, from another page and under another name', async (context) => {
    const daemon = await open(context)
    const { port } = new URL(daemon.url)
    const status = async (given: Partial<RawRequest>) => (await send(daemon, upgrade(daemon, given))).status
    const withToken = { authorization: `Bearer ${daemon.token}` }
    expect(await status({})).toBe(401)
    expect(await status({ token: '0'.repeat(64) })).toBe(401)
    expect(await status({ path: `/api/events/stream?token=${daemon.token}` })).toBe(401)
    expect(await status({ headers: { 'sec-websocket-protocol': 'treadle' } })).toBe(401)
    expect(await status({ headers: { 'sec-websocket-protocol': `treadle, token.${'0'.repeat(64)}` } })).toBe(
      401,
    )
    expect(await status({ headers: { ...withToken, origin: 'http://example.com' } })).toBe(403)
    expect(await status({ headers: { ...withToken, origin: 'null' } })).toBe(403)
    expect(await status({ headers: { ...withToken, origin: `http://localhost:${port}` } })).toBe(403)
    expect(await status({ headers: { ...withToken, host: `127.0.0.1.nip.io:${port}` } })).toBe(403)
  })

  test('a refusal has the shape of every problem', async (context) => {
    const daemon = await open(context)
    expect(await refusal(daemon, upgrade(daemon))).toEqual(unauthorized)
    const away = upgrade(daemon, { path: '/api/items', token: daemon.token })
    expect(await refusal(daemon, away)).toEqual({ status: 404, code: 'not_found' })
    const cursor = upgrade(daemon, { path: '/api/events/stream?after=x', token: daemon.token })
    expect(await refusal(daemon, cursor)).toEqual({ status: 400, code: 'bad_request' })
  })

  test('takes the token as a header or as a subprotocol, and never says it back', async (context) => {
    const daemon = await open(context)
    const url = `${daemon.url.replace('http', 'ws')}/api/events/stream`
    const byHeader = await connected(
      new WebSocket(url, { headers: { authorization: `Bearer ${daemon.token}` } }),
    )
    expect(byHeader).toEqual({ is: 'open', protocol: '' })
    const byProtocol = await connected(new WebSocket(url, ['treadle', `token.${daemon.token}`]))
    expect(byProtocol).toEqual({ is: 'open', protocol: 'treadle' })
    expect(await connected(new WebSocket(url, ['treadle']))).toEqual({ is: 'refused' })
  })

  test('odd addresses and callers that hang up do not end the daemon', async (context) => {
    const daemon = await open(context)
    for (const path of [
      '//',
      '//:0',
      '//[',
      '///',
      'http://[',
      '/%',
      '/api/events/stream?after=%',
      '*',
      '\\\\',
    ])
      expect((await send(daemon, upgrade(daemon, { path }))).status, path).toBeGreaterThanOrEqual(400)
    for (let turn = 0; turn < 30; turn += 1) await hangUp(daemon)
    expect((await daemon.client.health()).ok).toBe(true)
  })

  async function hangUp(daemon: Daemon): Promise<void> {
    const { hostname, port, host } = new URL(daemon.url)
    const socket = createConnection({ host: hostname, port: Number(port) })
    socket.on('error', () => socket.destroy())
    await new Promise((done) => socket.once('connect', done))
    socket.write(
      `GET /api/events/stream HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
    )
    await new Promise((done) => setImmediate(done))
    socket.resetAndDestroy()
  }
})

function connected(socket: WebSocket): Promise<{ is: 'open'; protocol: string } | { is: 'refused' }> {
  return new Promise((resolve) => {
    socket.onopen = () => {
      resolve({ is: 'open', protocol: socket.protocol })
      socket.close()
    }
    socket.onerror = () => resolve({ is: 'refused' })
  })
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 5_000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}

/** The local addresses on which this port is listened on, as the kernel writes them. */
function listeningOn(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${wanted}`))
      .map(([, local]) => local?.split(':')[0] ?? ''),
  )
}
