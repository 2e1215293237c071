import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { reach } from './reach.ts'

async function serving(answer: (asked: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ask = (signal: AbortSignal = AbortSignal.timeout(30_000)) => ({ method: 'GET', headers: {}, signal })

test('what is sent arrives whole, and one connection serves many requests', async () => {
  const ports = new Set<number | undefined>()
  const url = await serving(async (asked, reply) => {
    ports.add(asked.socket.remotePort)
    reply.writeHead(201).end(`${asked.method} ${asked.headers.authorization} ${await text(asked)}`)
  })
  const headers = { authorization: 'Bearer t' }
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await reach(url, { ...ask(), method: 'POST', headers, body: '{"title":"Größe ✓"}' })
    expect([answer.status, await answer.text()]).toEqual([201, 'POST Bearer t {"title":"Größe ✓"}'])
  }
  expect(ports.size).toBe(1)
})

test('an answer that breaks off is none', async () => {
  const url = await serving((_, reply) => {
    reply.writeHead(200, { 'content-length': '100' }).write('half')
    setTimeout(() => reply.destroy(), 50)
  })
  await expect(reach(url, ask())).rejects.toThrow()
})

test('who asks can stop waiting, and nobody who listens is a fault', async () => {
  const url = await serving(() => undefined)
  const gone = new AbortController()
  const asked = reach(url, ask(gone.signal))
  gone.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  await expect(reach('http://127.0.0.1:9/', ask())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
