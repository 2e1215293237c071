// GET /metrics on the loopback address, and nothing else.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface MetricsServer {
  close(): void
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Rejects if the port is taken. */
export async function serveMetrics(port: number, answer: Answer): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    // Another name means that a web page has made its own name point here.
    if (!isLoopback(request.headers.host)) return void response.writeHead(403).end()
    if (path !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    answer(request, response)
  })
  server.requestTimeout = 10_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(host)
}
