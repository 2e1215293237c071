// A browser's session: a cookie and a proof, which open nothing apart, elsewhere, or after the end.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { PAGE_HEADER } from '@treadle/contracts/page-session'
import { expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { send } from '../kit/raw-http.ts'

const open = useInProcess('any')

/** Shows the owner's key once, as the page behind a link does. */
async function enter(daemon: Daemon, token = daemon.ownerKey) {
  const answer = await send(daemon, { method: 'POST', path: '/api/session', body: '{}', token })
  expect(answer.status).toBe(200)
  const set = answer.headers['set-cookie'] ?? ''
  const { proof } = JSON.parse(answer.text) as { proof: string }
  return { set, cookie: set.split(';')[0] ?? '', proof }
}

const statusOf = async (daemon: Daemon, headers: Record<string, string>, path = '/api/items') =>
  (await send(daemon, { path, headers, token: null })).status

test('the key is shown once; from then on cookie and proof open the same, and no script can read the cookie', async (context) => {
  const daemon = await open(context)
  const { set, cookie, proof } = await enter(daemon)
  expect(set).toMatch(/^treadle-\d+=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict$/)
  expect(`${set}${proof}`).not.toContain(daemon.ownerKey)
  const page = { cookie, [PAGE_HEADER]: proof }
  expect(await statusOf(daemon, page)).toBe(200)
  const order = { method: 'POST', path: '/api/orders', body: '{"order":{"is":"pause_all"}}', token: null }
  expect((await send(daemon, { ...order, headers: page })).status).toBe(200)
  // What the crew key has opened decides nothing.
  const crew = await enter(daemon, daemon.token)
  const looks = { cookie: crew.cookie, [PAGE_HEADER]: crew.proof }
  expect(await statusOf(daemon, looks)).toBe(200)
  expect((await send(daemon, { ...order, headers: looks })).status).toBe(403)
})

test('half of it, another’s half, another page, another name and another port are turned away', async (context) => {
  const daemon = await open(context)
  const { cookie, proof } = await enter(daemon)
  const other = await enter(daemon)
  const page = { cookie, [PAGE_HEADER]: proof }
  const { host, port } = new URL(daemon.url)
  const attacks: [string, Record<string, string>, number][] = [
    ['a form or a link of another page: no header', { cookie }, 401],
    ['a page at another port that was sent the cookie', { cookie, [PAGE_HEADER]: 'page.guess' }, 401],
    ['who reads the storage and has no cookie', { [PAGE_HEADER]: proof }, 401],
    ['two halves of two sessions', { cookie, [PAGE_HEADER]: other.proof }, 401],
    ['the cookie of another port', { ...page, cookie: cookie.replace(port, '1') }, 401],
    ['the proof as a key', { cookie, authorization: `Bearer ${proof}` }, 401],
    ['another origin', { ...page, origin: 'http://127.0.0.1:1' }, 403],
    ['another site', { ...page, origin: 'https://evil.example' }, 403],
    ['a name that leads here', { ...page, host: `evil.example:${port}` }, 403],
    ['another port of this host, as the browser says', { ...page, 'sec-fetch-site': 'same-site' }, 401],
    ['another site, as the browser says', { ...page, 'sec-fetch-site': 'cross-site' }, 401],
  ]
  for (const [what, headers, status] of attacks)
    expect([what, await statusOf(daemon, headers)]).toEqual([what, status])
  const own = { ...page, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
  expect(await statusOf(daemon, own)).toBe(200)
})

test('the event stream wants both halves as well', async (context) => {
  const daemon = await open(context)
  const { cookie, proof } = await enter(daemon)
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }
  const offered = { 'sec-websocket-protocol': `treadle, token.${proof}` }
  const path = EVENT_STREAM_PATH
  expect(await statusOf(daemon, { ...upgrade, ...offered }, path)).toBe(401)
  expect(await statusOf(daemon, { ...upgrade, cookie }, path)).toBe(401)
  const evil = { ...upgrade, ...offered, cookie, origin: 'http://127.0.0.1:1' }
  expect(await statusOf(daemon, evil, path)).toBe(403)
})

test('logged out, both halves are worth nothing, and the cookie is taken away', async (context) => {
  const daemon = await open(context)
  const { cookie, proof } = await enter(daemon)
  const headers = { cookie, [PAGE_HEADER]: proof }
  const body = JSON.stringify({ proof })
  const ended = await send(daemon, { method: 'POST', path: '/api/session/end', body, headers, token: null })
  expect(ended.status).toBe(200)
  expect(ended.headers['set-cookie']).toMatch(/^treadle-\d+=; .*Max-Age=0$/)
  expect(await statusOf(daemon, headers)).toBe(401)
})

test('a thousand links opened leave a bounded number of sessions, the newest', async (context) => {
  const daemon = await open(context)
  const first = await enter(daemon)
  for (let n = 0; n < 100; n += 1) await enter(daemon)
  const last = await enter(daemon)
  expect(await statusOf(daemon, { cookie: first.cookie, [PAGE_HEADER]: first.proof })).toBe(401)
  expect(await statusOf(daemon, { cookie: last.cookie, [PAGE_HEADER]: last.proof })).toBe(200)
})
