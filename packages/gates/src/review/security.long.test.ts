// The real npm against a registry on this machine that speaks the real protocol.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange } from '../testing/change.ts'
import { checkSecurity } from './security.ts'

interface Weakness {
  readonly id: number
  readonly severity: string
  readonly vulnerable_versions: string
}

/** Answers the bulk question about advisories, and with the packages' documents, which npm reads after it. */
async function openRegistry(weak: Readonly<Record<string, readonly Weakness[]>>, broken = false) {
  const asked: string[][] = []
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const answer = async () => {
      if (request.url !== '/-/npm/v1/security/advisories/bulk') {
        const name = decodeURIComponent(request.url?.slice(1) ?? '')
        const versions = { '1.0.0': { name, version: '1.0.0' }, '2.0.0': { name, version: '2.0.0' } }
        send(200, { name, 'dist-tags': { latest: '2.0.0' }, versions })
        return
      }
      const body = JSON.parse(await bodyOf(request)) as Record<string, string[]>
      asked.push(Object.keys(body).sort())
      if (broken) return send(500, { error: 'not today' })
      const found = Object.keys(body).filter((name) => name in weak)
      send(
        200,
        Object.fromEntries(
          found.map((name) => [
            name,
            (weak[name] ?? []).map((each) => ({
              ...each,
              url: `https://advisories.invalid/${each.id}`,
              title: `${name} is weak`,
              cwe: [],
              cvss: { score: 0, vectorString: null },
            })),
          ]),
        ),
      )
    }
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')
}

/** A project that depends on these, as npm writes it down. */
function project(names: readonly string[]): Files {
  const dependencies = Object.fromEntries(names.map((name) => [name, '^1.0.0']))
  const root = { name: 'p', version: '1.0.0', dependencies }
  const packages = names.map((name) => [
    `node_modules/${name}`,
    { version: '1.0.0', resolved: `https://x.invalid/${name}-1.0.0.tgz` },
  ])
  const lock = {
    name: 'p',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(packages) },
  }
  return { 'package.json': JSON.stringify(root), 'package-lock.json': JSON.stringify(lock) }
}

async function audit(base: Files, head: Files, registry: string, npmrc = '') {
  const change = makeChange({ ...base, '.npmrc': `registry=${registry}\n${npmrc}` }, head)
  onTestFinished(change.remove)
  const result = await checkSecurity(change.options, await change.request({ command: 'true' }))
  return { result, output: change.output(result) }
}

const high = [{ id: 1, severity: 'high', vulnerable_versions: '<2' }]

verifies(
  ['ORCH-3.4-4', 'ORCH-3.4-8', 'AC-3.4.c'],
  'a package that the change brings and that has a high or critical weakness blocks, with the counts by severity',
  async () => {
    const registry = await openRegistry({
      leaky: high,
      worse: [{ id: 2, severity: 'critical', vulnerable_versions: '<2' }],
      mild: [{ id: 3, severity: 'moderate', vulnerable_versions: '<2' }],
      tiny: [{ id: 4, severity: 'low', vulnerable_versions: '<2' }],
    })
    const { result, output } = await audit(
      project(['sound']),
      project(['sound', 'leaky', 'worse', 'mild', 'tiny']),
      registry.url,
    )
    expect(result).toMatchObject({ is: 'failed', gate: 'security', evidence: { exitCode: 1 } })
    expect(result.is === 'failed' && result.failures.map(({ id }) => id)).toEqual([
      'package-lock.json > worse > critical',
      'package-lock.json > leaky > high',
    ])
    expect(output).toContain('npm audit --json --audit-level=moderate')
    expect(output).toContain('critical: 1, high: 1, moderate: 1, low: 1')
    expect(output).toContain('mild is weak')
    expect(registry.asked).toEqual([['leaky', 'mild', 'sound', 'tiny', 'worse'], ['sound']])
  },
)

test('what the base has already is told and does not block', async () => {
  const registry = await openRegistry({ leaky: high })
  const both = await audit(project(['leaky']), project(['leaky', 'sound']), registry.url)
  expect(both.result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: [expect.stringMatching(/^high: leaky .*the base has it too$/)],
  })
  const elsewhere = await audit(project(['leaky']), { 'a.js': '' }, registry.url)
  expect(elsewhere.result).toMatchObject({ is: 'passed_with_warnings' })
})

test('packages without a known weakness pass', async () => {
  const registry = await openRegistry({})
  const { result } = await audit(project([]), project(['sound']), registry.url)
  expect(result).toMatchObject({ is: 'passed' })
  const turned = await audit(
    project([]),
    { '.npmrc': `registry=${registry.url}\nomit=dev\n` },
    'http://127.0.0.1:9/',
  )
  expect(turned.result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: [expect.stringContaining('.npmrc was changed')],
  })
})

test('where the change has changed the settings and no audit can be held, a person has to look', async () => {
  const registry = await openRegistry({})
  const gone = 'http://127.0.0.1:9/'
  const offline = { '.npmrc': `registry=${registry.url}\noffline=true\n` }
  const whys = [
    await audit(project(['leaky']), offline, registry.url),
    await audit(project(['leaky']), { '.npmrc': `registry=${gone}\n` }, registry.url),
    await audit(project(['leaky']), { ...offline, 'package-lock.json': null }, registry.url),
    await audit({ 'package.json': '{}' }, offline, registry.url),
  ].map(({ result }) => ('why' in result ? `${result.is}: ${result.why}` : result.is))
  expect(whys).toEqual([
    expect.stringMatching(/^not_run: npm is told to stay offline.*; the change has changed \.npmrc$/),
    expect.stringMatching(/^not_run: .*could not be held.*; the change has changed \.npmrc$/s),
    expect.stringMatching(/^not_run: there is no lock file.*; the change has changed \.npmrc$/),
    expect.stringMatching(/^skipped: there is no lock file/),
  ])
})

test('without a lock file, without a registry, with one that fails, and offline it is skipped and never passed', async () => {
  const gone = 'http://127.0.0.1:9/'
  const broken = await openRegistry({ leaky: high }, true)
  const whys = [
    await audit({ 'package.json': '{}' }, { 'a.js': '' }, gone),
    await audit(project(['leaky']), { 'a.js': '' }, gone),
    await audit(project(['leaky']), { 'a.js': '' }, broken.url),
    await audit(project(['leaky']), { 'a.js': '' }, gone, 'offline=true\n'),
  ].map(({ result }) => ('why' in result ? `${result.is}: ${result.why}` : result.is))
  expect(whys).toEqual([
    expect.stringMatching(/^skipped: there is no lock file/),
    expect.stringMatching(/^skipped: .*could not be held/),
    expect.stringMatching(/^skipped: .*could not be held/),
    expect.stringMatching(/^skipped: npm is told to stay offline/),
  ])
})
