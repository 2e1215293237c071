// A registry on the loopback that speaks npm's protocol: what it has, and since when.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const DAY_MS = 86_400_000

export interface Registry {
  readonly url: string
  readonly asked: string[]
  /** By name, the age of a package in days; a test may change it. */
  readonly ages: Record<string, number>
  close(): Promise<void>
}

export async function startRegistry(given: Readonly<Record<string, number>>): Promise<Registry> {
  const asked: string[] = []
  const ages = { ...given }
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1))
    asked.push(name)
    const age = ages[name]
    if (age === undefined) return void response.writeHead(404).end('{"error":"Not found"}')
    const at = new Date(Date.now() - age * DAY_MS).toISOString()
    const time = { created: at, modified: at, '1.0.0': at }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, time, versions: { '1.0.0': { name, version: '1.0.0' } } }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    ages,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** A lock file whose packages come from there. */
export function lockOf(registry: string): string {
  const packages = {
    '': { name: 'sample' },
    'node_modules/zod': { version: '4.0.0', resolved: `${registry}/zod/-/zod-4.0.0.tgz` },
  }
  return `${JSON.stringify({ name: 'sample', lockfileVersion: 3, packages }, null, 2)}\n`
}
