// The dashboard's files, read once at start, and the API description, made when it is first asked for: no path of a
// request ever reaches the disk.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@treadle/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'

const DASHBOARD = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
/** Nothing but files of the daemon's own, also over a WebSocket; no text of an agent can become a script or a style. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': 'data:',
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
}
const HEADERS = {
  'content-security-policy': policyWords(POLICY),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}
/** Letters stay the same from version to version, and a page that has to wait for them is drawn twice. */
const FONT_HEADERS = { ...HEADERS, 'cache-control': 'max-age=604800' }

interface Page {
  readonly type: string
  readonly body: string | Buffer
  readonly policy?: string
}

/** Makes it the first time: what most daemons are never asked for costs a start nothing. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function policyWords(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join('; ')
}

/** The one page with a style of its own says which. */
function policyOf(html: string): string {
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  return policyWords({ ...POLICY, 'script-src': "'none'", 'style-src': `'sha256-${hash}'` })
}

/** Returns the paths it serves; they are open to anyone who may reach the daemon at all. */
export function servePages(http: FastifyInstance, version: string): string[] {
  const document = once(() => openApiDocument(version))
  const pages = new Map<string, () => Page>(dashboardFiles().map(([path, page]) => [path, () => page]))
  pages.set(
    '/docs',
    once(() => {
      const body = docsPage(document())
      return { type: TYPES['.html'] ?? '', body, policy: policyOf(body) }
    }),
  )
  pages.set(
    '/docs/openapi.json',
    once(() => ({ type: 'application/json', body: JSON.stringify(document()) })),
  )
  for (const [path, page] of pages) {
    http.get(path, (_, reply) => {
      const { type, body, policy } = page()
      const own = type === TYPES['.woff2'] ? FONT_HEADERS : HEADERS
      const headers = policy === undefined ? own : { ...own, 'content-security-policy': policy }
      return reply.headers(headers).type(type).send(body)
    })
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
