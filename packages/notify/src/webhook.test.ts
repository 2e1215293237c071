import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Loopback, openLoopback, type Received } from './testing/loopback.ts'
import { message } from './testing/message.ts'
import { openWebhook, type WebhookOptions } from './webhook.ts'

const SECRET = 'between the two of us'
const running = new AbortController().signal
const open: Loopback[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function useServer(answer: (request: Received, response: ServerResponse) => void): Promise<Loopback> {
  const server = await openLoopback(answer)
  open.push(server)
  return server
}

function webhook(url: string, given: Partial<WebhookOptions> = {}) {
  const now = () => new Date('2026-11-15T12:00:00.900Z')
  return openWebhook({ url, secret: SECRET, timeoutMs: 60_000, now, ...given })
}
const status = (code: number, headers: Record<string, string> = {}) =>
  useServer((_, response) => void response.writeHead(code, headers).end('no secret here'))

test('the message is JSON, and whoever shares the secret can tell that it is ours and not an old one', async () => {
  const server = await status(204)
  expect(await webhook(`${server.url}/hook?key=1`).send(message(), running)).toEqual({ is: 'sent' })
  const [got] = server.received
  expect(got).toMatchObject({ method: 'POST', url: '/hook?key=1' })
  expect(JSON.parse(got?.body ?? '')).toEqual({ source: 'treadle', ...message() })
  const { 'x-treadle-timestamp': timestamp, 'x-treadle-signature': signature } = got?.headers ?? {}
  expect(timestamp).toBe(String(Date.parse('2026-11-15T12:00:00.000Z') / 1_000))
  const sign = (text: string) => `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`
  expect(signature).toBe(sign(`${timestamp}.${got?.body}`))
  expect(signature).not.toBe(sign(`${timestamp}.${got?.body} `))
  expect(got?.headers['x-treadle-delivery']).toBe('7')
})

test('without a secret nothing claims to be signed', async () => {
  const server = await status(200)
  await webhook(server.url, { secret: null }).send(message(), running)
  expect(server.received[0]?.headers).not.toHaveProperty('x-treadle-signature')
})

test('a name and a password in the address are a login, and are told to nobody else', async () => {
  const server = await status(200)
  const url = `${server.url.replace('//', '//bob:hunter%402@')}/hook`
  expect(await webhook(url).send(message(), running)).toEqual({ is: 'sent' })
  expect(server.received[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from('bob:hunter@2').toString('base64')}`,
  )
  await server.close()
  open.length = 0
  const away = await webhook(url).send(message(), running)
  expect(JSON.stringify(away)).not.toMatch(/hunter|hook/)
})

test.each([
  [500, {}, 'failed'],
  [503, {}, 'failed'],
  [408, {}, 'failed'],
  [429, {}, 'failed'],
  [400, {}, 'refused'],
  [404, {}, 'refused'],
  [429, { 'retry-after': '9' }, 'later'],
  [503, { 'retry-after': '9' }, 'later'],
  [503, { 'retry-after': '999999' }, 'failed'],
])('%d %o is %s', async (code, headers, is) => {
  const server = await status(code, headers as Record<string, string>)
  const sent = await webhook(`${server.url}/a-secret-path`).send(message(), running)
  expect(sent).toMatchObject({ is, why: `${new URL(server.url).host} answered ${code}` })
  if (sent.is === 'later') expect(sent.afterMs).toBe(9_000)
})

test('it is led on within its host, with all that it carries, and nowhere else', async () => {
  const other = await status(200)
  const server = await useServer(({ url }, response) => {
    const location: Record<string, string> = {
      '/here': '/there',
      '/away': `${other.url}/steal`,
      '/get': '/there',
      '/round': '/round',
    }
    const to = location[url]
    if (to === undefined) response.writeHead(200).end()
    else response.writeHead(url === '/get' ? 302 : 307, { location: to }).end()
  })
  const sendTo = (path: string) => webhook(`${server.url}${path}`).send(message(), running)
  expect(await sendTo('/here')).toEqual({ is: 'sent' })
  expect(server.received.at(-1)?.body).toBe(server.received[0]?.body)
  expect((await sendTo('/away')).is).toBe('refused')
  expect(other.received).toEqual([])
  expect((await sendTo('/get')).is).toBe('refused')
  expect((await sendTo('/round')).is).toBe('refused')
  expect(server.received.filter(({ url }) => url === '/round')).toHaveLength(4)
})

test('one that does not answer is given up after a while, and one that is away at once', async () => {
  const silent = await useServer(() => undefined)
  const why = (server: Loopback, reason: string) => ({
    is: 'failed',
    why: `${new URL(server.url).host} did not answer: ${reason}`,
  })
  expect(await webhook(silent.url, { timeoutMs: 50 }).send(message(), running)).toEqual(
    why(silent, 'it took too long'),
  )
  const away = await openLoopback(() => undefined)
  await away.close()
  expect(await webhook(away.url).send(message(), running)).toEqual(why(away, 'ECONNREFUSED'))
})
