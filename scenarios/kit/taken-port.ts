// A program that listens where a daemon has ended.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Listens where the daemon was until the page has asked for something, and says what it was sent. */
export async function takePort(url: string): Promise<string> {
  const heard = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    response.writeHead(503).end()
    if (request.headers.authorization !== undefined) heard.resolve(request.rawHeaders.join('\n'))
  })
  server.listen(Number(new URL(url).port), '127.0.0.1')
  try {
    return await heard.promise
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
