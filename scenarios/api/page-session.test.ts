// What the page and the editor send to whoever listens at the daemon's address, when that is not the daemon.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { CURSOR_START } from '@treadle/contracts/event'
import { WEBVIEW_PROTOCOL } from '@treadle/contracts/webview'
import { expect, onTestFinished, test } from 'vitest'
import { openHost } from '../../apps/dashboard/src/webview/host.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any')

/** Listens at an address of its own and answers as a daemon that runs elsewhere does, word for word. */
async function impostor(daemonUrl: string) {
  const sent: string[] = []
  const hear = ({ url, rawHeaders }: IncomingMessage) => void sent.push([url, ...rawHeaders].join('\n'))
  const server = createServer(async (request, response) => {
    hear(request)
    const { authorization = '' } = request.headers
    const relayed = await fetch(`${daemonUrl}${request.url}`, { headers: { authorization } })
    response.writeHead(relayed.status, { 'content-type': 'application/json' }).end(await relayed.text())
  })
  server.on('upgrade', (request, socket) => {
    hear(request)
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, sent }
}

test('an editor sends nothing that opens the daemon to a program that answers in its name', async (context) => {
  const daemon = await open(context)
  const { url, sent } = await impostor(daemon.url)
  const answers: unknown[] = []
  const host = openHost({
    url,
    token: daemon.ownerKey,
    post: (message) => void answers.push(message),
    onCommand: async () => undefined,
    onNotify: () => undefined,
  })
  onTestFinished(() => host.close())
  const request = {
    treadle: WEBVIEW_PROTOCOL,
    is: 'request',
    id: 1,
    method: 'GET',
    path: '/api/items',
    body: null,
  }
  await host.receive(request)
  await host.receive({ treadle: WEBVIEW_PROTOCOL, is: 'listen', after: CURSOR_START })
  await eventually('the stream is asked for', () => sent.find((text) => text.includes('/api/events/stream')))
  expect(sent.join('\n')).not.toContain(daemon.ownerKey)
  const words = new Set(sent.flatMap((text) => text.match(/[A-Za-z0-9._~-]{20,}/g) ?? []))
  for (const word of words) {
    const bearer = word.replace(/^token\./, '')
    const { status } = await fetch(`${daemon.url}/api/items`, {
      headers: { authorization: `Bearer ${bearer}` },
    })
    expect([bearer, status]).toEqual([bearer, 401])
  }
  expect(answers[0]).toMatchObject({ is: 'response', status: 401 })
})
