// The dashboard's files and the API description, read once at start: no path of a request ever reaches the disk.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@treadle/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'

const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.ico': 'image/x-icon',
}
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

interface Page {
  readonly type: string
  readonly body: string | Buffer
}

/** Returns the paths it serves; they are open to anyone who may reach the daemon at all. */
export function servePages(http: FastifyInstance, version: string): string[] {
  const document = openApiDocument(version)
  const pages = new Map<string, Page>(dashboardFiles())
  pages.set('/docs', { type: TYPES['.html'] ?? '', body: docsPage(document) })
  pages.set('/docs/openapi.json', { type: 'application/json', body: JSON.stringify(document) })
  for (const [path, page] of pages) {
    http.get(path, (_, reply) => reply.headers(HEADERS).type(page.type).send(page.body))
  }
  return [...pages.keys()]
}

function dashboardFiles(): [string, Page][] {
  const names = listFiles()
  const files = names.map((name): [string, Page] => [
    `/${name}`,
    { type: TYPES[extname(name)] ?? 'application/octet-stream', body: readFileSync(`${DASHBOARD}/${name}`) },
  ])
  const index = files.find(([path]) => path === '/index.html')
  return index === undefined ? files : [...files, ['/', index[1]]]
}

function listFiles(): string[] {
  try {
    return readdirSync(DASHBOARD, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(DASHBOARD.length + 1))
  } catch {
    return []
  }
}
