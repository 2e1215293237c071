// A registry on the loopback that speaks npm's protocol: what it has, since when, and what that needs in its turn.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 86_400_000
const VERSION = '1.0.0'

export interface Registry {
  readonly url: string
  readonly asked: string[]
  /** By name, the age of a package in days; a test may change it. */
  readonly ages: Record<string, number>
  /** So many questions are answered with an error first; a test sets it. */
  busy: number
  /** Nothing is answered before this; a test sets it. */
  hold: Promise<void> | null
  close(): Promise<void>
}

type Needs = Readonly<Record<string, readonly string[]>>

/** `needs`: by name, the packages that one depends on. */
export async function startRegistry(
  given: Readonly<Record<string, number>>,
  needs: Needs = {},
): Promise<Registry> {
  const asked: string[] = []
  const ages = { ...given }
  for (const name of Object.keys(given)) tarballOf(name, needs)
  const own: Registry = {
    url: '',
    asked,
    ages,
    busy: 0,
    hold: null,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    const [name = '', file] = decodeURIComponent((request.url ?? '/').slice(1)).split('/-/')
    if (file === undefined) asked.push(name)
    await own.hold
    const age = ages[name]
    if (own.busy > 0) {
      own.busy -= 1
      return void response.writeHead(503).end('busy')
    }
    if (age === undefined) return void response.writeHead(404).end('{"error":"Not found"}')
    if (file !== undefined) return void response.end(tarballOf(name, needs))
    const at = new Date(Date.now() - age * DAY_MS).toISOString()
    const time = { created: at, modified: at, [VERSION]: at }
    const dist = { tarball: `${urlOf(server)}${fileOf(name)}`, integrity: integrityOf(name, needs) }
    const versions = { [VERSION]: { ...manifestOf(name, needs), dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, time, 'dist-tags': { latest: VERSION }, versions }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  Object.assign(own, { url: urlOf(server) })
  return own
}

const urlOf = (server: ReturnType<typeof createServer>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const fileOf = (name: string) => `/${name}/-/${name}-${VERSION}.tgz`

function manifestOf(name: string, needs: Needs) {
  const dependencies = Object.fromEntries((needs[name] ?? []).map((each) => [each, VERSION]))
  return { name, version: VERSION, main: 'index.js', dependencies }
}

const packed = new Map<string, Buffer>()

/** A package that says its name. */
function tarballOf(name: string, needs: Needs): Buffer {
  const known = packed.get(name)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'treadle-registry-'))
  try {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifestOf(name, needs)))
    writeFileSync(join(folder, 'package/index.js'), `module.exports = '${name}'\n`)
    execFileSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder })
    const tarball = readFileSync(join(folder, 'packed.tgz'))
    packed.set(name, tarball)
    return tarball
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const integrityOf = (name: string, needs: Needs) =>
  `sha512-${createHash('sha512').update(tarballOf(name, needs)).digest('base64')}`

/** A lock file whose packages come from there. */
export function lockOf(registry: string): string {
  const packages = {
    '': { name: 'sample' },
    'node_modules/zod': { version: '4.0.0', resolved: `${registry}/zod/-/zod-4.0.0.tgz` },
  }
  return `${JSON.stringify({ name: 'sample', lockfileVersion: 3, packages }, null, 2)}\n`
}

/** A manifest that asks for one package from there, and its lock file as npm writes it. */
export function projectOf(registry: string, name: string): Readonly<Record<string, string>> {
  const root = { name: 'sample', version: '1.0.0', dependencies: { [name]: VERSION } }
  const own = { version: VERSION, resolved: `${registry}${fileOf(name)}`, integrity: integrityOf(name, {}) }
  const packages = { '': root, [`node_modules/${name}`]: own }
  const lock = { name: 'sample', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return { 'package.json': written(root), 'package-lock.json': written(lock) }
}
