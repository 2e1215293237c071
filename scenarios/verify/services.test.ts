// What tests of a change may reach while their network is off: the services that the owner declared, and nothing else.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@treadle/contracts/config/read'
import { openGates } from '@treadle/gates/gates'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnv } from '../env.ts'

async function serve(name: string): Promise<number> {
  const server = createServer((socket) => socket.end(name)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const TEST = (port: number) => `import { test } from 'node:test'
import assert from 'node:assert'
import { connect } from 'node:net'
test('asks the database', async () => {
  const socket = connect(${port}, '127.0.0.1')
  const said = await new Promise((resolve) => socket.on('data', (text) => resolve(String(text))).on('error', (error) => resolve(error.code)))
  assert.equal(said, 'database')
})
`

test('a test that needs a service is green where the settings declare it, and red where they do not', async (context) => {
  if (!(await needSandbox(context))) return
  const [database, other] = [await serve('database'), await serve('other')]
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-services-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const owner = join(home, 'owner')
  const tree = join(owner, '.treadle/worktrees/agent-1')
  mkdirSync(tree, { recursive: true })
  writeFileSync(join(tree, 'a.test.mjs'), TEST(database))
  const run = async (reach: readonly string[]) => {
    const { config, warnings } = readConfig({
      own: JSON.stringify({ sandbox: { mode: 'required', reach } }),
      vscode: null,
    })
    expect(warnings).toEqual([])
    const gates = openGates({
      evidenceDir: join(home, 'evidence'),
      env: cleanEnv(home),
      tailBytes: 8_000,
      surroundings: openSurroundings({ ...config.sandbox, owner }),
    })
    return gates.runTests({ cwd: tree, command: 'node --test', timeoutMs: 120_000 })
  }
  expect(await run([`127.0.0.1:${database}`])).toMatchObject({ is: 'passed', evidence: { exitCode: 0 } })
  expect(await run([`127.0.0.1:${other}`])).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('ECONNREFUSED') }],
  })
})
