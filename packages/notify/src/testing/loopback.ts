// A server on this machine that keeps what it is sent and answers as it is told.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Loopback {
  readonly url: string
  readonly received: Received[]
  close(): Promise<void>
}

export async function openLoopback(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<Loopback> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      const got = { method, url, headers, body }
      received.push(got)
      answer(got, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
