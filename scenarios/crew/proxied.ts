// A proxy between the agents of a crew and its daemon, which sees what they ask and holds back what it is told to.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'

/** From now on agents that start reach the daemon through here, but for what is held back; answers what they have asked. */
export async function proxied(
  { url, workspace }: Daemon,
  isHeldBack: (url: string) => boolean = () => false,
): Promise<string[]> {
  const seen: string[] = []
  const server = createServer((asked, answered) => {
    seen.push(asked.url ?? '')
    if (isHeldBack(asked.url ?? '')) return
    const { method, headers } = asked
    const passed = request(`${url}${asked.url}`, { method, headers }, (reply) => {
      answered.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(answered)
    })
    passed.on('error', () => answered.destroy())
    answered.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const known = JSON.parse(readFileSync(workspace.paths.daemon, 'utf8')) as object
  const { port } = server.address() as AddressInfo
  writeFileSync(workspace.paths.daemon, JSON.stringify({ ...known, url: `http://127.0.0.1:${port}` }))
  return seen
}
