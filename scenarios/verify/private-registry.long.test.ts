// An install that is confined, from a registry that wants a login: it is told how to get it, and what tests run never
// sees it. The registry is on the loopback and speaks as npm's does.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openGates } from '@treadle/gates/gates'
import { openSurroundings, type SurroundingsOptions } from '@treadle/sandbox/surroundings'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnv } from '../env.ts'

const timeoutMs = 120_000
const TOKEN = 'npm-token-of-the-owner'

function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-registry-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

const manifest = (more: object) => JSON.stringify({ name: 'p', version: '1.0.0', ...more })

/** A registry with one package, for whoever has the token. */
async function registry() {
  const packed = folder({
    'package/package.json': '{"name":"dep","version":"1.0.0","main":"index.js"}',
    'package/index.js': 'module.exports = "installed"\n',
  })
  execFileSync('tar', ['-czf', 'dep.tgz', 'package'], { cwd: packed })
  const tarball = readFileSync(join(packed, 'dep.tgz'))
  const asked: (string | undefined)[] = []
  const server = createServer(({ headers, url = '' }, response) => {
    asked.push(headers.authorization)
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"error":"who are you?"}')
      return
    }
    response.writeHead(url.endsWith('.tgz') ? 200 : 404).end(url.endsWith('.tgz') ? tarball : '{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  return { host: `127.0.0.1:${port}`, integrity, asked }
}

/** A checkout that has other packages installed, and a worktree of it that has none. */
function project({ host, integrity }: { host: string; integrity: string }) {
  const dependencies = { dep: '1.0.0' }
  const dep = { version: '1.0.0', resolved: `http://${host}/dep/-/dep-1.0.0.tgz`, integrity }
  const packages = { '': { name: 'p', version: '1.0.0', dependencies }, 'node_modules/dep': dep }
  const files = {
    'package.json': manifest({ dependencies, scripts: { prepare: 'cat ~/.npmrc > seen.txt || true' } }),
    'package-lock.json': manifest({ lockfileVersion: 3, packages }),
  }
  const owner = folder({
    ...files,
    'node_modules/dep/index.js': 'module.exports = "of the owner"\n',
    '.treadle/token': 'crew',
  })
  const tree = join(owner, '.treadle/worktrees/agent-1')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(tree, { recursive: true })
    writeFileSync(join(tree, name), text)
  }
  return { owner, tree }
}

test('it fails with words that say what to set, and with that it installs; tests see no login', async (context) => {
  if (!(await needSandbox(context))) return
  const { host, integrity, asked } = await registry()
  const { owner, tree } = project({ host, integrity })
  const home = folder({
    '.npmrc': `registry=http://${host}/\n//${host}/:_authToken=${TOKEN}\naudit=false\nfund=false\nupdate-notifier=false\n`,
  })
  const gates = (more: Partial<SurroundingsOptions>) =>
    openGates({
      evidenceDir: join(home, 'evidence'),
      env: cleanEnv(home),
      tailBytes: 8_000,
      surroundings: openSurroundings({ mode: 'required', owner, show: [], ...more }),
    })
  const request = { cwd: tree, command: 'npm ci', timeoutMs }
  const refused = await gates({}).runSetup(request)
  expect(refused).toMatchObject({
    is: 'failed',
    why: expect.stringMatching(/^`npm ci` failed.*\n.*"logins": \["npm"\]/),
  })
  expect(new Set(asked)).toEqual(new Set([undefined]))
  expect(existsSync(join(tree, 'node_modules/dep'))).toBe(false)

  const lent = gates({ logins: ['npm'] })
  expect(await lent.runSetup(request)).toEqual({ is: 'ok' })
  expect(asked.at(-1)).toBe(`Bearer ${TOKEN}`)
  const look = 'node -p "require(\'dep\')"; cat ~/.npmrc "$npm_config_userconfig"; exit 1'
  const found = await lent.runTests({ cwd: tree, command: look, timeoutMs })
  if (found.is !== 'failed') throw new Error('it was not run')
  expect(found.evidence.tail).toMatch(/^installed$/m)
  expect(found.evidence.tail).not.toContain(TOKEN)
  // What is said in SECURITY.md: scripts that the install runs can read it.
  expect(readFileSync(join(tree, 'seen.txt'), 'utf8')).toContain(TOKEN)
  // The packages of the owner are as they were.
  expect(readFileSync(join(owner, 'node_modules/dep/index.js'), 'utf8')).toContain('of the owner')
})

test('a script that installs is not known by its name: what is lent is taken out of its way', async (context) => {
  if (!(await needSandbox(context))) return
  const { owner, tree } = project({ host: '127.0.0.1:1', integrity: '' })
  const home = folder()
  const gates = openGates({
    evidenceDir: join(home, 'evidence'),
    env: cleanEnv(home),
    tailBytes: 8_000,
    surroundings: openSurroundings({ mode: 'required', owner, show: [] }),
  })
  const setup = (command: string) => gates.runSetup({ cwd: tree, command, timeoutMs })
  // A build uses what is lent, and leaves it.
  expect(await setup('node -p "require(\'dep\')" > built.txt')).toEqual({ is: 'ok' })
  expect(readFileSync(join(tree, 'built.txt'), 'utf8')).toBe('of the owner\n')
  const install = 'set -e; rm -rf node_modules/*; mkdir -p node_modules/own; echo own > node_modules/own/a'
  expect(await setup(install)).toEqual({ is: 'ok' })
  expect(readFileSync(join(tree, 'node_modules/own/a'), 'utf8')).toBe('own\n')
})
